import type { RuleReport } from '../decision.ts'
import type { DecidedCall } from '../permit.ts'
import type { CompiledRule } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import { keyPerSecond } from './key-rate.ts'

/** An outcome of a call: a refusal, a refusal that shadow mode suppressed, a degraded answer, a wait, or if asked for a plain pass.
 *  Reported once per subject and policy in a window of the rule. */
export type CallEvent = {
  /** The procedure or route; the rule set where the call has no label. */
  readonly label: string
  /** The text in the key's braces. */
  readonly subject: string
  readonly ruleSet: string
  readonly policy: string
  /** Calls of the label each second: the mean of the last five whole seconds in this process. */
  readonly perSecond: number
  /** Calls of the subject that the rule set counted each second, those that it refused too: the mean of at most the last ten
   *  seconds in this process, this one included. Absent where the process does not remember the key from call to call: for
   *  callers that were named, shared accounts, and values of lists, for each caller or of more than 64 characters. */
  readonly subjectPerSecond?: number
} & (
  | { readonly type: 'refused' | 'shadow-refused' | 'degraded-answer'; readonly retryAfterMs: number }
  | { readonly type: 'waited'; readonly waitedMs: number }
  | { readonly type: 'passed' }
)

/** How many events were not reported in the last minute, because the table of reported subjects was full. */
export interface EventsDropped {
  readonly type: 'events-dropped'
  readonly count: number
}

/** What happened to a call at a rule. */
export interface Happening {
  readonly type: CallEvent['type']
  readonly charge: Charge
  readonly policy: string
  readonly ms: number
}

/** Returns what happened to the call: at most one of each type. */
export function happenings(call: DecidedCall): Happening[] {
  const { decision, receipt, waitedFor } = call
  const { refusedBy, retryAfterMs, shadowedBy, degradedBy, waitedMs } = decision
  const found: Happening[] = []
  const add = (type: Happening['type'], charge: Charge | undefined, policy: string, ms: number) => {
    if (charge) found.push({ type, charge, policy, ms })
  }
  if (refusedBy) add('refused', reportedCharge(call, refusedBy), refusedBy.policy, retryAfterMs)
  // A rule in shadow mode has no report in the decision.
  if (shadowedBy)
    add('shadow-refused', withRule(receipt.charges, shadowedBy.policy), shadowedBy.policy, shadowedBy.resetMs)
  if (degradedBy) add('degraded-answer', reportedCharge(call, degradedBy), degradedBy.policy, degradedBy.resetMs)
  // The rule that it waited for may differ from the one that refused it.
  if (waitedFor !== null) add('waited', withRule(receipt.charges, waitedFor), waitedFor, waitedMs)
  return found
}

/** Returns what to report of a plain pass: its first rule. */
export function passOf({ receipt }: DecidedCall): Happening | null {
  const [charge] = receipt.charges
  const policy = charge?.rules[0]?.policy
  return charge && policy !== undefined ? { type: 'passed', charge, policy, ms: 0 } : null
}

/** Returns the charge that a report of the decision is about. Several charges may have the same rule. */
export function reportedCharge({ decision, receipt }: DecidedCall, report: RuleReport): Charge | undefined {
  // One report for each rule that was asked about, in order, except those in shadow mode.
  let next = 0
  for (const { charge } of receipt.lines) {
    if (charge.facts.mode === 'shadow') continue
    for (let rule = 0; rule < charge.rules.length; rule += 1, next += 1)
      if (decision.rules[next] === report) return charge
  }
  return undefined
}

/** Returns the event to log. */
export function toEvent(
  { type, charge, policy, ms }: Happening,
  label: string,
  second: number,
  perSecond: number,
): CallEvent {
  const { key, facts, known } = charge
  const subjectPerSecond = known && keyPerSecond(known, second)
  const of = {
    ...{ label, subject: hashTagOf(key), ruleSet: facts.name, policy, perSecond },
    ...(subjectPerSecond !== undefined && { subjectPerSecond }),
  }
  if (type === 'passed') return { type, ...of }
  return type === 'waited' ? { type, ...of, waitedMs: ms } : { type, ...of, retryAfterMs: ms }
}

/** The milliseconds within which it is reported once. */
export function reportWindow({ charge, policy }: Happening): number {
  return charge.rules.find((rule: CompiledRule) => rule.policy === policy)?.windowMs ?? 0
}

function withRule(charges: readonly Charge[], policy: string): Charge | undefined {
  return charges.find((charge) => hasRule(charge, policy))
}

function hasRule({ rules }: Charge, policy: string): boolean {
  for (const rule of rules) if (rule.policy === policy) return true
  return false
}
