/** A key of which a rule refuses everything, because it has refused once (`blockFor`). */
export interface BlockedKey {
  readonly key: string
  /** How long each rule of the key still does, in milliseconds; 0 for one that does not. */
  readonly leftMs: readonly number[]
}

export interface BlockList {
  /** Those that last longest first. */
  readonly blocked: readonly BlockedKey[]
  /** False if there are more, or if not all could be read. */
  readonly isWhole: boolean
}

/** How many a list has at most. */
const MOST = 2_000

const lastLeft = ({ leftMs }: BlockedKey): number => Math.max(0, ...leftMs)

/** Orders what was found, and cuts it. */
export function blockList(found: readonly BlockedKey[], isWhole = true): BlockList {
  const blocked = found.filter((each) => lastLeft(each) > 0).toSorted((a, b) => lastLeft(b) - lastLeft(a))
  return { blocked: blocked.slice(0, MOST), isWhole: isWhole && blocked.length <= MOST }
}
