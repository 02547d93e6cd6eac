import type { Answered } from '../by-charge.ts'
import type { CompiledRule } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'

/** What holds calls back: a rule, and for how many milliseconds at least. */
export interface Hold {
  readonly ms: number
  readonly policy: string | null
}

/** What holds a charge of `cost` back on a key of which another charge was told these answers. It is exact for one that
 *  costs the same; for others the least that it can be. */
export function holdOn({ charge, answers }: Answered, cost: number): Hold {
  let hold: Hold = { ms: 0, policy: null }
  for (const [index, { policy }] of charge.rules.entries()) {
    const answer = answers[index]
    if (!answer) continue
    const untilNext = answer.remaining < cost ? answer.resetMs : 0
    const ms = cost < charge.cost ? untilNext : Math.max(answer.waitMs, untilNext)
    if (ms > hold.ms) hold = { ms, policy }
  }
  return hold
}

/** The charges that enforce and refused, with their holds: the longest first. */
export function refusalsIn(answered: readonly Answered[]): readonly (Hold & Answered)[] {
  return answered
    .filter(({ charge, answers }) => charge.facts.mode === 'enforce' && answers.some(({ waitMs }) => waitMs > 0))
    .map((each) => ({ ...each, ...longestWait(each) }))
    .toSorted((a, b) => b.ms - a.ms)
}

/** Whether a charge's permits come back at no known time, but when another call ends. */
export function isReleased({ algorithm }: Charge): boolean {
  return algorithm === 'concurrency'
}

/** Whether one of its rules is a queue itself, by the turns that it gives. */
export function isPaced(charge: Charge): boolean {
  return charge.algorithm === 'leaky-bucket' && charge.rules.some(({ maxDelayMs }) => maxDelayMs >= 0)
}

/** The rule that gives the call its turn, where one does that paces. */
export function pacedBy(answered: readonly Answered[]): string | null {
  const turns = answered
    .filter(({ charge }) => charge.facts.mode === 'enforce')
    .flatMap(({ charge, answers }) =>
      charge.rules.map((rule: CompiledRule, index) => ({ policy: rule.policy, ms: answers[index]?.delayMs ?? 0 })),
    )
  return turns.toSorted((a, b) => b.ms - a.ms)[0]?.policy ?? null
}

/** The charge of a call that has waited for `waitedMs`: its turn in a bucket that paces must be so much nearer. */
export function afterWaiting(charge: Charge, waitedMs: number): Charge {
  if (charge.algorithm !== 'leaky-bucket' || !isPaced(charge)) return charge
  const rules = charge.rules.map((rule) => ({ ...rule, maxDelayMs: Math.max(0, rule.maxDelayMs - waitedMs) }))
  return { ...charge, rules }
}

function longestWait({ charge, answers }: Answered): Hold {
  const waits = charge.rules.map((rule: CompiledRule, index) => ({
    ms: answers[index]?.waitMs ?? 0,
    policy: rule.policy,
  }))
  return waits.toSorted((a, b) => b.ms - a.ms)[0] ?? { ms: 0, policy: null }
}
