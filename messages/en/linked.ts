/** Accounts at OpenID providers on the account page. */
export const linked = {
  email: '{email} · linked <date></date>',
  failed: 'Could not begin.',
  lead: 'Accounts elsewhere that sign you in here.',
  link: 'Link {provider}',
  none: 'No account is linked.',
  notUnlinked: 'The account was not unlinked.',
  since: 'Linked <date></date>',
  title: 'Linked accounts',
  unlink: 'Unlink',
  unlinkNamed: 'Unlink {provider}',
  unlinkText: 'You can no longer sign in by it. You can link it again.',
  unlinkTitle: 'Unlink {provider}?',
  unlinked: 'Account unlinked.',
  unusable: 'Switched off by this site',
  used: 'last used <date></date>',
} as const
