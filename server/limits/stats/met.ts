import type { Decision, RuleReport } from '../decision.ts'
import type { CompiledRule } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import type { CallEvent } from './call-event.ts'

/** What a call met at a rule but a plain pass. */
export interface Met {
  readonly type: CallEvent['type']
  readonly charge: Charge
  readonly rule: CompiledRule
  readonly ms: number
}

/** All of it: at most one of each type. */
export function metBy(charges: readonly Charge[], decision: Decision, waitedFor: string | null): Met[] {
  const { refusedBy, retryAfterMs, shadowedBy, degradedBy, waitedMs } = decision
  const met: Met[] = []
  const meet = (type: Met['type'], policy: string, ms: number, report?: RuleReport) => {
    const at = ruleOf(charges, decision, policy, report)
    if (at) met.push({ type, ...at, ms })
  }
  if (refusedBy) meet('refused', refusedBy.policy, retryAfterMs, refusedBy)
  if (shadowedBy) meet('shadow-refused', shadowedBy.policy, shadowedBy.resetMs)
  if (degradedBy) meet('degraded-answer', degradedBy.policy, degradedBy.resetMs, degradedBy)
  if (waitedFor !== null) meet('waited', waitedFor, waitedMs)
  return met
}

/** What is logged of it. */
export function eventOf({ type, charge, rule, ms }: Met, label: string | undefined): CallEvent {
  const { name } = charge.facts
  const of = { label: label ?? name, subject: hashTagOf(charge.key), ruleSet: name, policy: rule.policy }
  return type === 'waited' ? { type, ...of, waitedMs: ms } : { type, ...of, retryAfterMs: ms }
}

/** The charge and rule of a report; of several charges by one rule, the first where it is not told which. */
function ruleOf(charges: readonly Charge[], { rules: reports }: Decision, policy: string, report?: RuleReport) {
  let first: { charge: Charge; rule: CompiledRule } | undefined
  // Reports are in the order of the rules, but for those in shadow mode.
  let next = 0
  for (const charge of charges) {
    for (const rule of charge.rules) {
      const own = charge.facts.mode === 'shadow' ? undefined : reports[next++]
      if (rule.policy !== policy) continue
      if (report && own === report) return { charge, rule }
      first ??= { charge, rule }
    }
  }
  return first
}
