import { chargesOf } from '#server/limits/charges.ts'
import { decide } from '#server/limits/decision.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { MemoryStore } from '#server/limits/stores/memory/memory-store.ts'
import type { Design } from './designs.ts'

/** A call and its outcome. */
export interface Answered {
  /** When it arrived, in milliseconds. */
  readonly at: number
  /** When it passed; null if it was refused. */
  readonly passedAt: number | null
}

/** Sends calls at the given ascending instants through the real limiter, on a clock that follows them. */
export function send(design: Design, instants: readonly number[]): readonly Answered[] {
  let now = 0
  const clock = { now: () => now }
  const store = new MemoryStore(clock)
  const { rule, wait } = design
  const sets = compileRuleSets('traffic', [{ by: 'site', rules: [rule], ...(wait ? { wait } : {}) }])
  const caller = { subject: 'everybody' }
  return instants.map((at) => {
    now = at
    const charges = chargesOf([{ sets, caller }], { now, aheadMs: 0, lease: () => String(at) })
    const decision = decide(store.apply({ type: 'take', charges }))
    return { at, passedAt: decision.allowed ? at + decision.delayMs : null }
  })
}

/** The highest number of calls that passed in any window of `windowMs`, excluding its end. */
export function mostWithin(windowMs: number, answered: readonly Answered[]): number {
  const passed = passings(answered)
  let first = 0
  let most = 0
  for (const [last, at] of passed.entries()) {
    while ((passed[first] ?? at) <= at - windowMs) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** The instants at which calls passed, ascending. */
export function passings(answered: readonly Answered[]): readonly number[] {
  return answered.flatMap(({ passedAt }) => (passedAt === null ? [] : [passedAt])).toSorted((a, b) => a - b)
}

/** `count` calls spread evenly over `lengthMs` from `start` on. */
export function spread(start: number, lengthMs: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => start + Math.floor((i * lengthMs) / count))
}
