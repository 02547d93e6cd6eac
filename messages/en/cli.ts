/** What the command line prints. */
export const cli = {
  images: '{count, plural, one {# image} other {# images}}',
  notNow: 'Not now: {why}. Try again in {wait}.',
  waiting: 'waiting {wait}: {why}',
} as const
