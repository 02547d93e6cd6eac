const DAY_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000

/** Minutes after midnight, UTC, in order. */
type Times = readonly number[]

/** Returns the last of these times that has come, and the next; null without any. */
export function timesAround(now: Date, times: Times): { readonly last: Date; readonly next: Date } | null {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const near = [-1, 0, 1].flatMap((day) => times.map((minutes) => midnight + day * DAY_MS + minutes * MINUTE_MS))
  const [last, next] = [near.findLast((each) => each <= now.getTime()), near.find((each) => each > now.getTime())]
  return last === undefined || next === undefined ? null : { last: new Date(last), next: new Date(next) }
}

/** Returns those snapshots that are no longer kept: neither among the newest `count`, nor of the last `days`. */
export function expired<Snapshot extends { readonly key: string; readonly at: Date }>(
  snapshots: readonly Snapshot[],
  now: Date,
  { count, days }: { readonly count: number; readonly days: number },
): readonly Snapshot[] {
  const since = now.getTime() - days * DAY_MS
  return snapshots
    .toSorted((one, other) => (one.key < other.key ? 1 : -1))
    .slice(count)
    .filter(({ at }) => at.getTime() < since)
}
