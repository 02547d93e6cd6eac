import type { Model, Past } from '../algorithm-model.ts'

/** No window of any position holds more than the limit; an entry counts while it is younger than the window. */
export const slidingWindowLog: Model = {
  countedFrom: (_charge, past, now) => timeFor(past, now),
  kept: ({ rules }, past, at) => {
    const longestMs = Math.max(...rules.map((rule) => rule.windowMs))
    return past.filter((entry) => entry.at > at - longestMs)
  },
  ask: ({ rules }, past, now, cost) =>
    rules.map(({ limit, windowMs }) => {
      const insideAt = (instant: number) => past.filter((entry) => entry.at > timeFor(past, instant) - windowMs)
      const usedAt = (instant: number) => insideAt(instant).reduce((sum, entry) => sum + entry.cost, 0)
      const leaving = past.map((entry) => entry.at + windowMs - now).toSorted((a, b) => a - b)
      const passesAfter = (wait: number) => usedAt(now + wait) + cost <= limit
      const oldest = insideAt(now)[0]
      return {
        remaining: Math.max(0, limit - usedAt(now)),
        resetMs: oldest ? oldest.at + windowMs - now : 0,
        waitMs: passesAfter(0) ? 0 : (leaving.find((wait) => wait > 0 && passesAfter(wait)) ?? Number.NaN),
        delayMs: 0,
      }
    }),
}

function timeFor(past: readonly Past[], now: number): number {
  return Math.max(now, past.at(-1)?.at ?? now)
}
