/** Controls that every page has. */
export const ui = {
  cancel: 'Cancel',
  clearSearch: 'Clear search',
  close: 'Close',
  copied: 'Copied',
  copyBlocked: 'The browser blocked copying. Allow clipboard access for this site and try again.',
  dismiss: 'Dismiss',
  hidePassword: 'Hide password',
  linksCopied: '{count, plural, one {# link} other {# links}} copied.',
  showAll: 'Show all {count, number}',
  showFirst: 'Show the first {count, number}',
  showPassword: 'Show password',
  storage: 'Storage',
  storageFree: '{used} of {quota} used, {free} free',
  storageFull: '{used} of {quota} used. Storage is full.',
  storageUnlimited: '{used} used. No quota.',
} as const
