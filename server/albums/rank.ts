import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

/* The rank of an image in its album's own order is a fraction in base 62 (fractional-indexing): between any two there is a third,
   so that moving an image changes one row. Ranks are compared by bytes, and equal ones by the image's ID. */

/** Ranks grow by a letter for every six images that are put into one place. Beyond this the album is ranked afresh. */
const LONGEST = 200

/** Returns `count` ranks between two, in order; null stands for the beginning or the end. Returns null if there is no room
 *  between them, so that the album has to be ranked afresh. */
export function ranksBetween(low: string | null, high: string | null, count: number): readonly string[] | null {
  if (low !== null && high !== null && low >= high) return null
  const ranks = generateNKeysBetween(low, high, count)
  return ranks.some((rank) => rank.length > LONGEST) ? null : ranks
}

/** Whether text is a rank. */
export function isRank(text: string): boolean {
  if (text.length > LONGEST || !/^[A-Za-z][0-9A-Za-z]+$/.test(text)) return false
  try {
    generateKeyBetween(text, null)
    return true
  } catch {
    return false
  }
}
