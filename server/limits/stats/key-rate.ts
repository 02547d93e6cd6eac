import type { KnownKey } from '../known-keys.ts'

/** The seconds after which a count becomes the one before. */
const PERIOD_S = 5

/** Counts a call of the key. Whole numbers in the key itself: nothing is allocated. */
export function countKey(known: KnownKey, second: number): void {
  if (second >= known.since + PERIOD_S || second < known.since) turnTo(known, second)
  known.calls += 1
}

/** The calls of a key each second, refused ones too: the mean of at most the last ten seconds, this one included; undefined
 *  for a key that this process does not keep. */
export function keyPerSecond({ isKept, since, calls, callsBefore }: KnownKey, second: number): number | undefined {
  const seconds = second - since + 1 + (callsBefore > 0 ? PERIOD_S : 0)
  return isKept ? (calls + callsBefore) / seconds : undefined
}

function turnTo(known: KnownKey, second: number): void {
  const isNext = second >= known.since && second < known.since + 2 * PERIOD_S
  known.callsBefore = isNext ? known.calls : 0
  known.since = isNext ? known.since + PERIOD_S : second
  known.calls = 0
}
