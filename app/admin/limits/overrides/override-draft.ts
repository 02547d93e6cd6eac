import type { Duration } from '#format/durations.ts'
import { parseDuration, spellDuration } from '#format/durations.ts'
import type { Mode, OnStoreFailure, Rule, Unit } from '#server/limits/rule-set.ts'
import type { DeclaredTerms, OverrideTerms } from '../types.ts'
import { blankRule, type RuleDraft, ruleDraftOf, ruleOf } from './rule-draft.ts'

/** All terms as they are typed. */
export interface TermsDraft {
  readonly rules: readonly RuleDraft[]
  readonly mode: Mode
  /** Empty for none. */
  readonly wait: string
  readonly onStoreFailure: OnStoreFailure
}

/** What to type over: the declared terms, and over them what an override says. */
export function draftOf(declared: DeclaredTerms, terms: OverrideTerms = {}): TermsDraft {
  const { rules, mode, wait, onStoreFailure } = { ...declared, ...terms }
  return { rules: rules.map(ruleDraftOf), mode, wait: wait === null ? '' : String(spellDuration(wait)), onStoreFailure }
}

/** With one more rule, to be typed. */
export function withRule(draft: TermsDraft): TermsDraft {
  const id = Math.max(...draft.rules.map((rule) => rule.id)) + 1
  return { ...draft, rules: [...draft.rules, { ...blankRule, id }] }
}

/** What is wrong with a typed wait; null where nothing is. */
export const waitProblem = (wait: string): string | null =>
  wait === '' || parseDuration(wait) !== null
    ? null
    : 'Such as 500ms, 5s or 1m; a number is milliseconds; empty is none.'

/** All terms that the draft comes to; null while something in it is none. */
export function allTermsOf(draft: TermsDraft, unit: Unit): DeclaredTerms | null {
  const [first, ...more] = draft.rules.flatMap((rule) => ruleOf(rule, unit) ?? [])
  const wait = draft.wait === '' ? null : parseDuration(draft.wait)
  if (!first || more.length + 1 < draft.rules.length || waitProblem(draft.wait) !== null) return null
  return {
    rules: [first, ...more],
    mode: draft.mode,
    wait: wait === null ? null : spellDuration(wait),
    onStoreFailure: draft.onStoreFailure,
  }
}

/** What of `terms` is not what is declared: all that an override need say. */
export function differenceFrom(declared: DeclaredTerms, terms: DeclaredTerms): OverrideTerms {
  return {
    ...(!sameRules(declared.rules, terms.rules) && { rules: terms.rules }),
    ...(declared.mode !== terms.mode && { mode: terms.mode }),
    ...(!sameWait(declared.wait, terms.wait) && { wait: terms.wait }),
    ...(declared.onStoreFailure !== terms.onStoreFailure && { onStoreFailure: terms.onStoreFailure }),
  }
}

const spelled = (rules: readonly Rule[]): string => JSON.stringify(rules.map(ruleDraftOf))

/** Whether two lists of rules say the same, however they spell it. */
export const sameRules = (a: readonly Rule[], b: readonly Rule[]): boolean => spelled(a) === spelled(b)

const sameWait = (a: Duration | null, b: Duration | null): boolean =>
  (a === null ? null : spellDuration(a)) === (b === null ? null : spellDuration(b))
