import type { RuleReport } from '../decision.ts'
import type { CallResult } from '../permit.ts'
import type { CompiledRule } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'

/** An exceptional outcome of a call: a refusal, a refusal that shadow mode suppressed, a degraded answer, or a wait.
 *  Reported once per subject and policy in a window of the rule. */
export type CallEvent = {
  /** The procedure or route; the rule set where the call has no label. */
  readonly label: string
  /** The text in the key's braces. */
  readonly subject: string
  readonly ruleSet: string
  readonly policy: string
} & (
  | { readonly type: 'refused' | 'shadow-refused' | 'degraded-answer'; readonly retryAfterMs: number }
  | { readonly type: 'waited'; readonly waitedMs: number }
)

/** How many events were not reported in the last minute, because the table of reported subjects was full. */
export interface EventsDropped {
  readonly type: 'events-dropped'
  readonly count: number
}

/** What happened to a call at a rule, other than a plain pass. */
export interface Met {
  readonly type: CallEvent['type']
  readonly charge: Charge
  readonly policy: string
  readonly ms: number
}

/** Returns all of them: at most one of each type. */
export function metBy({ decision, receipt, waitedFor }: CallResult): Met[] {
  const { refusedBy, retryAfterMs, shadowedBy, degradedBy, waitedMs, rules } = decision
  const asked = receipt.lines.map(({ charge }) => charge)
  const met: Met[] = []
  const meet = (type: Met['type'], policy: string, ms: number, report: RuleReport | null) => {
    // The rule that it waited for may differ from the one that refused it.
    const charge = chargeOf(type === 'waited' ? receipt.charges : asked, rules, policy, report)
    if (charge) met.push({ type, charge, policy, ms })
  }
  if (refusedBy) meet('refused', refusedBy.policy, retryAfterMs, refusedBy)
  if (shadowedBy) meet('shadow-refused', shadowedBy.policy, shadowedBy.resetMs, null)
  if (degradedBy) meet('degraded-answer', degradedBy.policy, degradedBy.resetMs, degradedBy)
  if (waitedFor !== null) meet('waited', waitedFor, waitedMs, null)
  return met
}

/** Builds the event that is logged for it. */
export function eventOf({ type, charge, policy, ms }: Met, label: string | undefined): CallEvent {
  const { name } = charge.facts
  const of = { label: label ?? name, subject: hashTagOf(charge.key), ruleSet: name, policy }
  return type === 'waited' ? { type, ...of, waitedMs: ms } : { type, ...of, retryAfterMs: ms }
}

/** The milliseconds within which it is reported once. */
export function windowOf({ charge, policy }: Met): number {
  return charge.rules.find((rule: CompiledRule) => rule.policy === policy)?.windowMs ?? 0
}

/** The charge that a report belongs to; when several have the rule and the report does not tell them apart, the first. */
function chargeOf(
  charges: readonly Charge[],
  reports: readonly RuleReport[],
  policy: string,
  report: RuleReport | null,
): Charge | undefined {
  const [only] = charges
  if (only && charges.length === 1) return hasRule(only, policy) ? only : undefined
  const having = charges.filter((charge) => hasRule(charge, policy))
  const index = report && having.length > 1 ? reports.filter((one) => one.policy === policy).indexOf(report) : 0
  return having[Math.max(index, 0)]
}

function hasRule({ rules }: Charge, policy: string): boolean {
  for (const rule of rules) if (rule.policy === policy) return true
  return false
}
