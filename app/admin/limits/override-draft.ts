import type { Mode, OnStoreFailure, Rule, Unit } from '#server/limits/rule-set.ts'
import type { Duration } from '#server/limits/rules/duration.ts'
import { parseAmount, parseDuration, spellDuration } from './spelling.ts'
import type { DeclaredTerms, OverrideTerms } from './types.ts'

/** Every algorithm by its field's name; `concurrency` is a rule of its own kind. */
export const algorithms = [
  'sliding-window-log',
  'sliding-window-counter',
  'fixed-window',
  'token-bucket',
  'leaky-bucket',
  'concurrency',
] as const
export type Algorithm = (typeof algorithms)[number]

export const aligns = ['', 'window', 'day', 'week', 'month'] as const
export const oldests = ['weighted', 'whole'] as const

/** A rule as it is typed. What its algorithm does not have is kept, so that trying another loses nothing. */
export interface RuleDraft {
  /** Tells it from its neighbours while it is moved about. */
  readonly id: number
  readonly algorithm: Algorithm
  /** Permits of a window; of concurrency, calls at the same time. */
  readonly limit: string
  /** A length of time; of concurrency, the lease. */
  readonly window: string
  readonly blockFor: string
  readonly align: (typeof aligns)[number]
  readonly timeZone: string
  readonly samples: string
  readonly oldest: (typeof oldests)[number]
  /** What a bucket holds. */
  readonly capacity: string
}

/** All terms as they are typed. */
export interface TermsDraft {
  readonly rules: readonly RuleDraft[]
  readonly mode: Mode
  /** Empty for none. */
  readonly wait: string
  readonly onStoreFailure: OnStoreFailure
}

/** A rule to begin with. */
export const blankRule: RuleDraft = {
  id: 0,
  algorithm: 'sliding-window-log',
  limit: '',
  window: '1m',
  blockFor: '',
  align: '',
  timeZone: '',
  samples: '',
  oldest: 'weighted',
  capacity: '',
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

/** What of a typed rule is missing or is no such thing, by field. */
export type RuleProblems = Partial<Record<'limit' | 'window' | 'blockFor' | 'samples' | 'capacity', string>>

/** What is wrong with a rule before it is sent. Whether the rules can work together, the server says. */
export function ruleProblems(draft: RuleDraft, unit: Unit): RuleProblems {
  const { algorithm, limit, window, blockFor, samples, capacity } = draft
  const isConcurrency = algorithm === 'concurrency'
  const size = unit === 'bytes' ? 'A size such as 20 MB.' : 'A whole number.'
  const time = 'Such as 30s, 5m, 1h or 1d.'
  const isBucket = algorithm === 'token-bucket' || algorithm === 'leaky-bucket'
  return {
    ...(parseAmount(limit, isConcurrency ? 'calls' : unit) === null && {
      limit: isConcurrency ? 'A whole number.' : size,
    }),
    ...(parseDuration(window) === null && !(isConcurrency && window === '') && { window: time }),
    ...(!isConcurrency && blockFor !== '' && parseDuration(blockFor) === null && { blockFor: time }),
    ...(algorithm === 'sliding-window-counter' &&
      samples !== '' &&
      parseAmount(samples, 'calls') === null && { samples: 'A whole number from 2 to 100.' }),
    ...(isBucket && capacity !== '' && parseAmount(capacity, unit) === null && { capacity: size }),
  }
}

/** What is wrong with a typed wait; null where nothing is. */
export const waitProblem = (wait: string): string | null =>
  wait === '' || parseDuration(wait) !== null ? null : 'Such as 500ms, 5s or 1m; empty for none.'

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

function ruleDraftOf(rule: Rule, id: number): RuleDraft {
  if ('concurrent' in rule) {
    const window = rule.lease === undefined ? '' : String(spellDuration(rule.lease))
    return { ...blankRule, id, algorithm: 'concurrency', limit: String(rule.concurrent), window }
  }
  const draft: RuleDraft = {
    ...blankRule,
    id,
    algorithm: rule.algorithm ?? 'sliding-window-log',
    limit: String(rule.limit),
    window: String(spellDuration(rule.window)),
    blockFor: rule.blockFor === undefined ? '' : String(spellDuration(rule.blockFor)),
  }
  if (rule.algorithm === 'fixed-window') return { ...draft, align: rule.align ?? '', timeZone: rule.timeZone ?? '' }
  if (rule.algorithm === 'sliding-window-counter')
    return { ...draft, samples: String(rule.samples ?? ''), oldest: rule.oldest ?? 'weighted' }
  if (rule.algorithm === 'token-bucket') return { ...draft, capacity: String(rule.burst ?? '') }
  return rule.algorithm === 'leaky-bucket' ? { ...draft, capacity: String(rule.capacity ?? '') } : draft
}

/** The rule that a draft comes to, with nothing said that holds anyway; null while something in it is none. */
function ruleOf(draft: RuleDraft, unit: Unit): Rule | null {
  if (Object.keys(ruleProblems(draft, unit)).length > 0) return null
  const { algorithm, align, timeZone, oldest } = draft
  const amount = parseAmount(draft.limit, algorithm === 'concurrency' ? 'calls' : unit)
  const window = parseDuration(draft.window)
  if (algorithm === 'concurrency')
    return typeof amount === 'number' ? { concurrent: amount, ...(window !== null && { lease: window }) } : null
  if (amount === null || window === null) return null
  const blockFor = parseDuration(draft.blockFor)
  const base = { limit: amount, window, ...(blockFor !== null && { blockFor }) }
  if (algorithm === 'fixed-window')
    return { ...base, algorithm, ...(align && { align }), ...(timeZone && { timeZone }) }
  if (algorithm === 'sliding-window-counter') {
    const samples = draft.samples === '' ? {} : { samples: Number(draft.samples) }
    return { ...base, algorithm, ...samples, ...(oldest === 'whole' && { oldest }) }
  }
  const capacity = draft.capacity === '' ? null : parseAmount(draft.capacity, unit)
  if (algorithm === 'token-bucket') return { ...base, algorithm, ...(capacity !== null && { burst: capacity }) }
  if (algorithm === 'leaky-bucket') return { ...base, algorithm, ...(capacity !== null && { capacity }) }
  return base
}

const spelled = (rules: readonly Rule[]): string => JSON.stringify(rules.map(ruleDraftOf))

/** Whether two lists of rules say the same, however they spell it. */
export const sameRules = (a: readonly Rule[], b: readonly Rule[]): boolean => spelled(a) === spelled(b)

const sameWait = (a: Duration | null, b: Duration | null): boolean =>
  (a === null ? null : spellDuration(a)) === (b === null ? null : spellDuration(b))
