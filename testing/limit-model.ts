import type { Charge, RuleAnswer } from '#server/limits/store.ts'
import type { Step } from './limit-harness.ts'

interface Past {
  readonly at: number
  readonly cost: number
}

/** What the sliding window log means, written for the eye alone: all history is kept and summed anew for each rule. */
export function playModel(steps: readonly Step[]): readonly (readonly RuleAnswer[])[] {
  const histories = new Map<string, Past[]>()
  return steps.map(({ at: now, charges }) => {
    const asked = charges.map((charge) => ({ charge, past: histories.get(charge.key) ?? [] }))
    const before = asked.flatMap(({ charge, past }) => answersOf(charge, past, now, charge.cost))
    if (before.some((answer) => answer.waitMs > 0)) return before
    return asked.flatMap(({ charge, past }) => {
      const after = [...past, { at: timeFor(past, now), cost: charge.cost }]
      histories.set(charge.key, after)
      return answersOf(charge, after, now, 0)
    })
  })
}

function answersOf({ rules }: Charge, past: readonly Past[], now: number, cost: number): RuleAnswer[] {
  return rules.map(({ limit, windowMs }) => {
    const insideAt = (instant: number) => past.filter((entry) => entry.at > timeFor(past, instant) - windowMs)
    const usedAt = (instant: number) => insideAt(instant).reduce((sum, entry) => sum + entry.cost, 0)
    const leaving = past.map((entry) => entry.at + windowMs - now).toSorted((a, b) => a - b)
    const passesAfter = (wait: number) => usedAt(now + wait) + cost <= limit
    const oldest = insideAt(now)[0]
    return {
      remaining: Math.max(0, limit - usedAt(now)),
      resetMs: oldest ? oldest.at + windowMs - now : 0,
      waitMs: passesAfter(0) ? 0 : (leaving.find((wait) => wait > 0 && passesAfter(wait)) ?? Number.NaN),
    }
  })
}

function timeFor(past: readonly Past[], now: number): number {
  return Math.max(now, past.at(-1)?.at ?? now)
}
