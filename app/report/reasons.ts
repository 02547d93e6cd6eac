import type { reportReasons } from '#server/reports/reasons.ts'

/** In the order of the form. */
export const reasons = [
  'illegal',
  'sexual',
  'violence',
  'privacy',
  'copyright',
  'spam',
  'other',
] as const satisfies typeof reportReasons
