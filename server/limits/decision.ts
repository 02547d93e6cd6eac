import type { RuleParts } from '#format/rules.ts'
import type { CompiledRule, SetFacts } from './rules/compiled.ts'
import type { Charge, Receipt, RuleAnswer } from './store.ts'

/** The state of one rule after a decision. */
export interface RuleReport {
  readonly ruleSet: string
  /** Rule set and window, the name that clients see: 'download-1m', or 'download-total-1m'. */
  readonly policy: string
  /** What the rule allows, to be put into words by `formatRule`. */
  readonly parts: RuleParts
  /** The unit of its permits: calls, bytes, or places of concurrent calls. */
  readonly unit: SetFacts['unit'] | 'calls under way'
  /** Permits available when none is taken; all of them return within `windowMs`. */
  readonly limit: number
  readonly windowMs: number
  /** Permits left. */
  readonly remaining: number
  /** Milliseconds until the next permits return; 0 when all are available. */
  readonly resetMs: number
}

/** Whether a call is allowed. A refusal has charged nothing anywhere. */
export interface Decision {
  readonly allowed: boolean
  /** The rule with the longest wait, null when allowed. */
  readonly refusedBy: RuleReport | null
  /** Milliseconds after which the same call would pass, and not one earlier, unless others take permits first; 0
   *  when allowed. */
  readonly retryAfterMs: number
  /** The state of every rule in enforce or degrade mode. */
  readonly rules: readonly RuleReport[]
  /** The rule in degrade mode that lacked permits with the longest wait: the call is allowed, and should get a cheaper
   *  answer. Null when none lacked any. */
  readonly degradedBy: RuleReport | null
  /** The rule in shadow mode that would have refused with the longest wait; null for none. */
  readonly shadowedBy: RuleReport | null
  /** For an allowed call: milliseconds until its turn in a bucket that paces; 0 once the limiter has already held it
   *  that long. */
  readonly delayMs: number
  /** Milliseconds that the call waited before it was decided. */
  readonly waitedMs: number
  /** Milliseconds that a call with a deadline of its own could wait, which its sets may bound. Absent for other calls, and
   *  where no set waits. */
  readonly ownWaitMs?: number
  readonly decidedBy: Receipt['answeredBy']
}

/** The decision for a call without rule sets. */
export const UNLIMITED: Decision = {
  allowed: true,
  refusedBy: null,
  retryAfterMs: 0,
  rules: [],
  degradedBy: null,
  shadowedBy: null,
  delayMs: 0,
  waitedMs: 0,
  decidedBy: 'policy',
}

/** The largest integer of a structured field (RFC 9651): beyond what any client could use. */
const BOUNDLESS = 999_999_999_999_999

/** The decision for a call of an exempt caller: its only rule says so. */
export const EXEMPT: Decision = {
  ...UNLIMITED,
  rules: [
    {
      ruleSet: 'exempt',
      policy: 'exempt',
      parts: { limit: BOUNDLESS, unit: 'calls', window: 1_000 },
      unit: 'calls',
      limit: BOUNDLESS,
      windowMs: 1_000,
      remaining: BOUNDLESS,
      resetMs: 0,
    },
  ],
}

/** Reads a receipt as a decision. Throws Error when a charge that was asked about has fewer answers than rules. */
export function decide({ lines, answeredBy }: Receipt): Decision {
  const rules = new Array<RuleReport>(answersIn(lines))
  let reported = 0
  // Variables, not an object for each mode: refusals come in floods, and these allocate nothing.
  let refusedBy: RuleReport | null = null
  let retryAfterMs = 0
  let degradedBy: RuleReport | null = null
  let degradedMs = 0
  let shadowedBy: RuleReport | null = null
  let shadowedMs = 0
  let delayMs = 0
  for (const { charge, answers } of lines) {
    const { mode } = charge.facts
    let next = 0
    for (const rule of charge.rules) {
      const answer = answers[next]
      if (!answer) throw new Error(`${answers.length} answers to ${charge.rules.length} rules`)
      next += 1
      const report = reportOf(charge, rule, answer)
      if (mode !== 'shadow') {
        rules[reported] = report
        reported += 1
      }
      const { waitMs } = answer
      if (mode === 'enforce') {
        if (answer.delayMs > delayMs) delayMs = answer.delayMs
        if (waitMs > retryAfterMs) {
          refusedBy = report
          retryAfterMs = waitMs
        }
      } else if (mode === 'degrade') {
        if (waitMs > degradedMs) {
          degradedBy = report
          degradedMs = waitMs
        }
      } else if (waitMs > shadowedMs) {
        shadowedBy = report
        shadowedMs = waitMs
      }
    }
  }
  if (reported < rules.length) rules.length = reported
  const allowed = refusedBy === null
  return {
    allowed,
    refusedBy,
    retryAfterMs,
    rules,
    degradedBy: allowed ? degradedBy : null,
    shadowedBy: allowed ? shadowedBy : null,
    delayMs: allowed ? delayMs : 0,
    waitedMs: 0,
    decidedBy: answeredBy,
  }
}

function answersIn(lines: Receipt['lines']): number {
  let answers = 0
  for (const line of lines) answers += line.answers.length
  return answers
}

function reportOf({ facts, algorithm }: Charge, rule: CompiledRule, { remaining, resetMs }: RuleAnswer): RuleReport {
  const { policy, parts, limit, windowMs } = rule
  const unit = algorithm === 'concurrency' ? 'calls under way' : facts.unit
  return { ruleSet: facts.name, policy, parts, unit, limit, windowMs, remaining, resetMs }
}
