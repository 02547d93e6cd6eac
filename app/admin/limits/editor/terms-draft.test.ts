import { expect, test } from 'vitest'
import type { DeclaredTerms } from '../types.ts'
import { alignedWith, blankRule, ruleProblems } from './rule-draft.ts'
import {
  differenceFrom,
  isValidWait,
  parseCharging,
  parseTermsDraft,
  presetsOf,
  type TermsDraft,
  toTermsDraft,
  withPreset,
  withRule,
} from './terms-draft.ts'

const everyKind: DeclaredTerms['rules'] = [
  { limit: 20, window: '1s' },
  { limit: 100, window: '1m', blockFor: '10m' },
  { limit: 5000, window: '1d', algorithm: 'sliding-window-counter', samples: 24, oldest: 'whole' },
  { limit: 60, window: '1m', algorithm: 'token-bucket', burst: 10 },
  { limit: 60, window: '1h', algorithm: 'leaky-bucket', capacity: 5 },
  { limit: 9, window: '1d', algorithm: 'fixed-window', align: 'day', timeZone: 'Europe/Berlin' },
  { concurrent: 8, lease: '1m' },
  { concurrent: 2 },
]
const declared: DeclaredTerms = { rules: everyKind, mode: 'enforce', wait: '30s', onStoreFailure: 'local' }

test('an unchanged draft yields the same terms for every algorithm', () => {
  expect(parseTermsDraft(toTermsDraft(declared), 'calls')).toEqual(declared)
})

test('keeps sizes as sizes', () => {
  const bytes: DeclaredTerms = { ...declared, rules: [{ limit: '20GB', window: '1d', algorithm: 'fixed-window' }] }
  expect(parseTermsDraft(toTermsDraft(bytes), 'bytes')).toEqual(bytes)
})

test('a draft has the terms of the override and the declared ones', () => {
  const draft = toTermsDraft(declared, { rules: [{ limit: 3, window: 60_000 }], wait: null })
  expect(draft).toEqual({
    rules: [{ ...blankRule, limit: '3', window: '1m' }],
    mode: 'enforce',
    wait: '',
    onStoreFailure: 'local',
    cost: '',
    count: '',
  })
})

test('what a draft says of how calls are charged', () => {
  const read = (cost: string, count: TermsDraft['count']) => parseCharging({ ...toTermsDraft(declared), cost, count })
  expect([read('', ''), read('3', ''), read('', 'failures'), read('2', 'all')]).toEqual([
    {},
    { cost: 3 },
    { count: 'failures' },
    { cost: 2, count: 'all' },
  ])
  expect([read('0', ''), read('1.5', ''), read('many', '')]).toEqual([null, null, null])
  expect(toTermsDraft(declared, { cost: 4, count: 'all' })).toMatchObject({ cost: '4', count: 'all' })
})

test('a new rule is blank and has its own id', () => {
  const draft = withRule(toTermsDraft({ ...declared, rules: [{ limit: 1, window: '1s' }] }))
  expect(draft.rules.map(({ id, limit }) => [id, limit])).toEqual([
    [0, '1'],
    [1, ''],
  ])
})

test('an override has only the terms that differ', () => {
  expect(differenceFrom(declared, declared)).toEqual({})
  const respelled = toTermsDraft(declared, {
    wait: 30_000,
    rules: [{ limit: 20, window: 1000 }, ...declared.rules.slice(1)],
  })
  const terms = parseTermsDraft(respelled, 'calls')
  expect(terms && differenceFrom(declared, terms)).toEqual({})
  expect(differenceFrom(declared, { ...declared, mode: 'shadow', wait: null })).toEqual({ mode: 'shadow', wait: null })
  const rules: DeclaredTerms['rules'] = [{ limit: 1, window: '1s' }]
  expect(differenceFrom(declared, { ...declared, rules, onStoreFailure: 'deny' })).toEqual({
    rules,
    onStoreFailure: 'deny',
  })
})

test('leaves out the options of another algorithm', () => {
  const rule = { ...blankRule, limit: '5', capacity: 'many', samples: '9', align: 'day', timeZone: 'UTC' } as const
  const draft: TermsDraft = { ...toTermsDraft(declared), rules: [rule] }
  expect(parseTermsDraft(draft, 'calls')?.rules).toEqual([{ limit: 5, window: '1m' }])
  const aligned = { ...draft, rules: [{ ...rule, algorithm: 'fixed-window', align: 'window' } as const] }
  expect(parseTermsDraft(aligned, 'calls')?.rules).toEqual([
    { limit: 5, window: '1m', algorithm: 'fixed-window', align: 'window' },
  ])
})

test('finds the invalid fields', () => {
  expect(ruleProblems({ ...blankRule, window: 'soon', blockFor: '1.5' }, 'calls')).toEqual({
    limit: 'count',
    window: 'duration',
    blockFor: 'duration',
  })
  expect(ruleProblems({ ...blankRule, limit: 'x', capacity: 'y', algorithm: 'token-bucket' }, 'bytes')).toEqual({
    limit: 'size',
    capacity: 'size',
  })
  expect(ruleProblems({ ...blankRule, algorithm: 'concurrency', limit: '8', window: '' }, 'calls')).toEqual({})
  expect(['', '5s', 'soon'].map(isValidWait)).toEqual([true, true, false])
})

test('a draft with an invalid field has no terms', () => {
  expect(parseTermsDraft({ ...toTermsDraft(declared), rules: [blankRule] }, 'calls')).toBeNull()
  expect(parseTermsDraft({ ...toTermsDraft(declared), rules: [] }, 'calls')).toBeNull()
  expect(parseTermsDraft({ ...toTermsDraft(declared), wait: 'x' }, 'calls')).toBeNull()
})

test('allows as many samples as the server', () => {
  const counter = { ...blankRule, algorithm: 'sliding-window-counter', limit: '5' } as const
  const findProblem = (samples: string) => ruleProblems({ ...counter, samples }, 'calls').samples
  expect(['', '2', '100'].map(findProblem)).toEqual([undefined, undefined, undefined])
  for (const samples of ['1', '101', '2.5', 'ten']) expect(findProblem(samples)).toBe('samples')
})

test('a calendar window has the length of its period', () => {
  expect([alignedWith('day'), alignedWith('week'), alignedWith('month')]).toEqual([
    { align: 'day', window: '1d' },
    { align: 'week', window: '7d' },
    { align: 'month', window: '31d' },
  ])
  expect([alignedWith(''), alignedWith('window')]).toEqual([{ align: '' }, { align: 'window' }])
})

test('every preset is rules without a problem, in rows of their own', () => {
  for (const unit of ['calls', 'bytes'] as const) {
    const draft = toTermsDraft({ ...declared, rules: [{ limit: 1, window: '1m' }] })
    for (const preset of presetsOf(unit)) {
      const { rules } = withPreset(draft, preset)
      expect(rules.map((rule) => [rule.id > 0, ruleProblems(rule, unit)])).toEqual(rules.map(() => [true, {}]))
      expect(parseTermsDraft({ ...draft, rules }, unit)?.rules).toHaveLength(rules.length)
    }
  }
})
