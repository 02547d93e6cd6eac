import type { Rule, Unit } from '#server/limits/rule-set.ts'
import { type RuleDraft, toRuleDraft } from './rule-draft.ts'

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

/** Puts a preset's rules in place of those of a draft, as new rows. */
export function withPreset<T extends { readonly rules: readonly RuleDraft[] }>(draft: T, preset: Preset): T {
  const next = Math.max(...draft.rules.map(({ id }) => id)) + 1
  return { ...draft, rules: presets[preset].map((rule: Rule, index) => toRuleDraft(rule, next + index)) }
}
