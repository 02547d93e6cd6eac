import type { Formats } from '#format/formats.ts'

/** Returns how many images there are: `7`, or `1,000+` where the server counts no further. */
export const countText = (
  { count, more }: { readonly count: number; readonly more: boolean },
  format: Formats,
): string => `${format.count(count)}${more ? '+' : ''}`
