import type { Charge, RuleAnswer } from './store.ts'

/** How one rule stands after a decision. */
export interface RuleReport {
  readonly ruleSet: string
  /** Rule set and window, the name that clients see: 'download-1m', or 'download-total-1m'. */
  readonly policy: string
  readonly limit: number
  readonly windowMs: number
  /** Permits left. */
  readonly remaining: number
  /** Milliseconds until the next permits come back; 0 when all are there. */
  readonly resetMs: number
}

/** Whether a call may go on. A refusal has charged nothing anywhere. */
export interface Decision {
  readonly allowed: boolean
  /** The rule with the longest wait, null when allowed. */
  readonly refusedBy: RuleReport | null
  /** Waiting this long lets the same call pass, one millisecond less does not, unless others take in between. */
  readonly retryAfterMs: number
  readonly rules: readonly RuleReport[]
  /** 'store' is the configured one (Redis, or in process without it), 'local' the in-process one while Redis fails,
   *  'policy' a rule set's `onStoreFailure` of 'deny' or 'allow'. */
  readonly decidedBy: 'store' | 'local' | 'policy'
}

/** The decision of a call that no rule set holds. */
export const UNLIMITED: Decision = { allowed: true, refusedBy: null, retryAfterMs: 0, rules: [], decidedBy: 'policy' }

/** Reads a store's answers, one for each rule of each charge, as a decision. */
export function decide(
  charges: readonly Charge[],
  answers: readonly RuleAnswer[],
  decidedBy: Decision['decidedBy'],
): Decision {
  const rules = charges.flatMap(({ ruleSet, rules }) => rules.map((rule) => ({ ruleSet, ...rule })))
  const reports: RuleReport[] = []
  let retryAfterMs = 0
  let refusedBy: RuleReport | null = null
  for (const [index, rule] of rules.entries()) {
    const answer = answers[index]
    if (!answer) throw new Error(`${answers.length} answers to ${rules.length} rules`)
    const report = { ...rule, remaining: answer.remaining, resetMs: answer.resetMs }
    reports.push(report)
    if (answer.waitMs <= retryAfterMs) continue
    retryAfterMs = answer.waitMs
    refusedBy = report
  }
  return { allowed: refusedBy === null, refusedBy, retryAfterMs, rules: reports, decidedBy }
}

/** The refusal of a rule set that says 'deny' while its store fails. */
export function denied(charge: Charge, retryAfterMs: number): Decision {
  const rules = charge.rules.map((rule) => ({ ruleSet: charge.ruleSet, ...rule, remaining: 0, resetMs: retryAfterMs }))
  return { allowed: false, refusedBy: rules[0] ?? null, retryAfterMs, rules, decidedBy: 'policy' }
}
