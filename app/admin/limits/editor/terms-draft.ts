import type { Duration } from '#format/durations.ts'
import { parseDuration, spellDuration } from '#format/durations.ts'
import type { Mode, OnStoreFailure, Rule, Unit } from '#server/limits/rule-set.ts'
import type { DeclaredTerms, OverrideTerms } from '../types.ts'
import { blankRule, parseAmount, parseRuleDraft, type RuleDraft, toRuleDraft } from './rule-draft.ts'

/** All terms as form values. */
export interface TermsDraft {
  readonly rules: readonly RuleDraft[]
  readonly mode: Mode
  /** Empty for none. */
  readonly wait: string
  readonly onStoreFailure: OnStoreFailure
  /** Permits of a call; empty for what each procedure declares. */
  readonly cost: string
  /** Empty for what each procedure declares. */
  readonly count: '' | 'all' | 'failures'
}

/** The initial form values: the declared terms with those of an override. */
export function toTermsDraft(declared: DeclaredTerms, terms: OverrideTerms = {}): TermsDraft {
  const { rules, mode, wait, onStoreFailure } = { ...declared, ...terms }
  const { cost, count } = terms
  return {
    rules: rules.map(toRuleDraft),
    mode,
    wait: wait === null ? '' : String(spellDuration(wait)),
    onStoreFailure,
    cost: cost === undefined ? '' : String(cost),
    count: count ?? '',
  }
}

const nextId = ({ rules }: TermsDraft): number => Math.max(...rules.map(({ id }) => id)) + 1

/** Adds a blank rule. */
export const withRule = (draft: TermsDraft): TermsDraft => ({
  ...draft,
  rules: [...draft.rules, { ...blankRule, id: nextId(draft) }],
})

const presets = {
  person: [
    { limit: 10, window: '1s' },
    { limit: 120, window: '1m' },
  ],
  program: [{ algorithm: 'token-bucket', limit: 60, window: '1m', burst: 20 }],
  guesses: [
    { limit: 5, window: '1m' },
    { limit: 20, window: '1h', blockFor: '4h' },
  ],
  day: [{ algorithm: 'fixed-window', limit: 1_000, window: '1d', align: 'day' }],
  together: [{ concurrent: 4 }],
  dayOfBytes: [{ algorithm: 'fixed-window', limit: '1GB', window: '1d', align: 'day' }],
  steadyBytes: [{ algorithm: 'token-bucket', limit: '200MB', window: '1m', burst: '1GB' }],
} as const satisfies Record<string, readonly Rule[]>

/** Rules for a common purpose, to start from. */
export type Preset = keyof typeof presets

export const presetsOf = (unit: Unit): readonly Preset[] =>
  unit === 'bytes' ? ['dayOfBytes', 'steadyBytes'] : ['person', 'program', 'guesses', 'day', 'together']

/** Puts a preset's rules in place of those of a draft. */
export const withPreset = (draft: TermsDraft, preset: Preset): TermsDraft => ({
  ...draft,
  rules: presets[preset].map((rule: Rule, index) => toRuleDraft(rule, nextId(draft) + index)),
})

export const isValidWait = (wait: string): boolean => wait === '' || parseDuration(wait) !== null

/** What a draft says of how calls are charged; null while it is invalid. */
export function parseCharging({ cost, count }: TermsDraft): Pick<OverrideTerms, 'cost' | 'count'> | null {
  const amount = cost === '' ? undefined : parseAmount(cost, 'calls')
  if (amount === null || typeof amount === 'string') return null
  return { ...(amount !== undefined && { cost: amount }), ...(count !== '' && { count }) }
}

/** All terms of a draft; null while a field is invalid. */
export function parseTermsDraft(draft: TermsDraft, unit: Unit): DeclaredTerms | null {
  const [first, ...more] = draft.rules.flatMap((rule) => parseRuleDraft(rule, unit) ?? [])
  const wait = draft.wait === '' ? null : parseDuration(draft.wait)
  if (!first || more.length + 1 < draft.rules.length || !isValidWait(draft.wait)) return null
  return {
    rules: [first, ...more],
    mode: draft.mode,
    wait: wait === null ? null : spellDuration(wait),
    onStoreFailure: draft.onStoreFailure,
  }
}

/** The terms that differ from the declared ones, which is all an override needs. */
export function differenceFrom(declared: DeclaredTerms, terms: DeclaredTerms): OverrideTerms {
  return {
    ...(!sameRules(declared.rules, terms.rules) && { rules: terms.rules }),
    ...(declared.mode !== terms.mode && { mode: terms.mode }),
    ...(!sameWait(declared.wait, terms.wait) && { wait: terms.wait }),
    ...(declared.onStoreFailure !== terms.onStoreFailure && { onStoreFailure: terms.onStoreFailure }),
  }
}

const canonical = (rules: readonly Rule[]): string => JSON.stringify(rules.map(toRuleDraft))

/** Whether two lists of rules are equal, whatever the spelling of their amounts and durations. */
const sameRules = (a: readonly Rule[], b: readonly Rule[]): boolean => canonical(a) === canonical(b)

const sameWait = (a: Duration | null, b: Duration | null): boolean =>
  (a === null ? null : spellDuration(a)) === (b === null ? null : spellDuration(b))
