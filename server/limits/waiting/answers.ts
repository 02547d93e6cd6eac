import { isRefused } from '../receipt.ts'
import type { CompiledRule } from '../rules/compiled.ts'
import type { Charge, Receipt, ReceiptLine } from '../store.ts'

/** A charge and what the store has answered about it. */
export type AnsweredCharge = Pick<ReceiptLine, 'charge' | 'answers'>

/** The rule that a call has to wait for, and for how many milliseconds at least. */
export interface Hold {
  readonly ms: number
  readonly policy: string | null
}

/** Returns the wait for a charge of `cost`, judged by the answers to another charge of the same key: exact for the same
 *  cost, a lower bound for other costs. */
export function holdOn({ charge, answers }: AnsweredCharge, cost: number): Hold {
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

/** Returns the store's answer about the key; undefined when it was not asked. */
export function answerOf(key: string, receipt: Receipt): AnsweredCharge | undefined {
  return answeredIn(receipt).find(({ charge }) => charge.key === key)
}

/** Returns the enforcing charges that refused, with their waits: the longest first. */
export function refusalsIn(receipt: Receipt): readonly (Hold & AnsweredCharge)[] {
  return answeredIn(receipt)
    .filter(({ charge, answers }) => charge.facts.mode === 'enforce' && isRefused(answers))
    .map((each) => ({ ...each, ...longestWait(each) }))
    .toSorted((a, b) => b.ms - a.ms)
}

/** An answer that a policy gives while the store fails says nothing about the key. */
function answeredIn({ lines, answeredBy }: Receipt): readonly AnsweredCharge[] {
  return answeredBy === 'policy' ? [] : lines
}

/** Whether a charge's permits are released when another call ends, and so at an unknown time. */
export function isReleased({ algorithm }: Charge): boolean {
  return algorithm === 'concurrency'
}

/** Whether one of its rules paces calls, by assigning each a turn. */
export function isPaced(charge: Charge): boolean {
  return charge.algorithm === 'leaky-bucket' && charge.rules.some(({ maxDelayMs }) => maxDelayMs >= 0)
}

/** Returns the policy of the rule that assigns the call the latest turn; null where none paces. */
export function pacedBy(receipt: Receipt): string | null {
  const turns = answeredIn(receipt)
    .filter(({ charge }) => charge.facts.mode === 'enforce')
    .flatMap(({ charge, answers }) =>
      charge.rules.map((rule: CompiledRule, index) => ({ policy: rule.policy, ms: answers[index]?.delayMs ?? 0 })),
    )
  return turns.toSorted((a, b) => b.ms - a.ms)[0]?.policy ?? null
}

/** Returns the charge of a call that has already waited for `waitedMs`, and waits for `mostMs` in all: its turn in a
 *  bucket that paces must be that much nearer. */
export function afterWaiting(charge: Charge, waitedMs: number, mostMs: number): Charge {
  if (charge.algorithm !== 'leaky-bucket' || !isPaced(charge)) return charge
  const rules = charge.rules.map((rule) => {
    return { ...rule, maxDelayMs: Math.max(0, Math.min(rule.maxDelayMs, mostMs) - waitedMs) }
  })
  return { ...charge, rules }
}

function longestWait({ charge, answers }: AnsweredCharge): Hold {
  const waits = charge.rules.map((rule: CompiledRule, index) => ({
    ms: answers[index]?.waitMs ?? 0,
    policy: rule.policy,
  }))
  return waits.toSorted((a, b) => b.ms - a.ms)[0] ?? { ms: 0, policy: null }
}
