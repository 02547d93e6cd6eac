import type { DateKind } from '../timeline/timeline.ts'

/** Names the date that a viewer last ordered images by, if it is not that of the upload. */
export const usualDateCookie = 'sluice-date'

/** Keeps for a year by which date galleries are ordered that are opened without saying so. */
export function keepUsualDate(by: DateKind): void {
  const age = by === 'taken' ? 31536000 : 0
  // The Cookie Store API is missing on pages served without TLS.
  document.cookie = `${usualDateCookie}=taken; path=/; max-age=${age}; samesite=lax`
}
