import { describe, expect, test } from 'vitest'
import type { AnyRuleSet, Rule } from '../rule-set.ts'
import { compileRuleSets } from './compile.ts'
import type { CompiledRule } from './compiled.ts'

const compile = (rule: unknown, set: Partial<AnyRuleSet> = {}) => {
  const declared: unknown = { name: 'a', by: 'ip', ...set, rules: [rule] }
  return compileRuleSets('list', [declared as AnyRuleSet])
}

describe('a rule as its algorithm reads it', () => {
  const minute = { windowMs: 60_000, blockMs: 0 }
  test.each<[string, Rule, Partial<CompiledRule> & Record<string, unknown>]>([
    [
      'a log',
      { limit: 5, window: '1m' },
      { ...minute, policy: 'a-1m', parts: { limit: 5, unit: 'calls', window: 60_000 }, limit: 5 },
    ],
    [
      'a log by its name, that blocks',
      { algorithm: 'sliding-window-log', limit: 5, window: '90s', blockFor: '2m' },
      {
        policy: 'a-90s',
        parts: { limit: 5, unit: 'calls', window: 90_000 },
        limit: 5,
        windowMs: 90_000,
        blockMs: 120_000,
      },
    ],
    [
      'windows from the first hit',
      { algorithm: 'fixed-window', limit: 5, window: '1m' },
      {
        ...minute,
        policy: 'a-1m',
        parts: { limit: 5, unit: 'calls', window: 60_000 },
        limit: 5,
        calendar: null,
        boundaries: [],
      },
    ],
    [
      'windows by the clock',
      { algorithm: 'fixed-window', limit: 5, window: '1m', align: 'window' },
      {
        ...minute,
        policy: 'a-1m',
        parts: { limit: 5, unit: 'calls', window: 60_000 },
        limit: 5,
        calendar: null,
        boundaries: [0],
      },
    ],
    [
      'days of UTC',
      { algorithm: 'fixed-window', limit: 5, window: '24h', align: 'day' },
      {
        policy: 'a-day',
        parts: { limit: 5, unit: 'calls', window: 86_400_000, calendar: 'day' },
        limit: 5,
        windowMs: 86_400_000,
        blockMs: 0,
        calendar: { align: 'day', timeZone: 'UTC' },
        boundaries: [],
      },
    ],
    [
      'months of a place',
      { algorithm: 'fixed-window', limit: 5, window: '31d', align: 'month', timeZone: 'Europe/Berlin' },
      {
        policy: 'a-month',
        parts: { limit: 5, unit: 'calls', window: 2_678_400_000, calendar: 'month' },
        limit: 5,
        windowMs: 31 * 86_400_000,
        blockMs: 0,
        calendar: { align: 'month', timeZone: 'Europe/Berlin' },
        boundaries: [],
      },
    ],
    [
      'a counter',
      { algorithm: 'sliding-window-counter', limit: 5, window: '1m' },
      {
        ...minute,
        policy: 'a-1m',
        parts: { limit: 5, unit: 'calls', window: 60_000 },
        limit: 5,
        samples: 10,
        isWhole: false,
      },
    ],
    [
      'a counter of other samples',
      { algorithm: 'sliding-window-counter', limit: 5, window: '1m', samples: 60, oldest: 'whole' },
      {
        ...minute,
        policy: 'a-1m',
        parts: { limit: 5, unit: 'calls', window: 60_000 },
        limit: 5,
        samples: 60,
        isWhole: true,
      },
    ],
    [
      'a counter of the largest numbers',
      { algorithm: 'sliding-window-counter', limit: 1e12, window: '366d', samples: 2 },
      {
        policy: 'a-366d',
        parts: { limit: 1_000_000_000_000, unit: 'calls', window: 31_622_400_000 },
        limit: 1e12,
        windowMs: 366 * 86_400_000,
        blockMs: 0,
        samples: 2,
        isWhole: false,
      },
    ],
    [
      'a bucket that leaks',
      { algorithm: 'leaky-bucket', limit: 90, window: '1m' },
      {
        ...minute,
        policy: 'a-1m',
        parts: { limit: 90, unit: 'calls', window: 60_000, atOnce: 90 },
        limit: 90,
        leak: 3,
        scale: 2_000,
        maxDelayMs: -1,
      },
    ],
    [
      'a bucket that holds less',
      { algorithm: 'leaky-bucket', limit: 7, window: '1s', capacity: 3 },
      {
        policy: 'a-1s',
        parts: { limit: 7, unit: 'calls', window: 1_000, atOnce: 3 },
        limit: 3,
        windowMs: 429,
        blockMs: 0,
        leak: 7,
        scale: 1_000,
        maxDelayMs: -1,
      },
    ],
    [
      'a bucket of tokens',
      { algorithm: 'token-bucket', limit: 1, window: '1s', burst: 60 },
      {
        ...minute,
        policy: 'a-1s',
        parts: { limit: 1, unit: 'calls', window: 1_000, atOnce: 60 },
        limit: 60,
        leak: 1,
        scale: 1_000,
      },
    ],
    [
      'calls under way',
      { concurrent: 4 },
      { policy: 'a-concurrent', parts: { concurrent: 4 }, limit: 4, windowMs: 30_000, blockMs: 0, lease: '' },
    ],
    [
      'calls under way, with a lease',
      { concurrent: 4, lease: '1m' },
      { ...minute, policy: 'a-concurrent', parts: { concurrent: 4 }, limit: 4, lease: '' },
    ],
  ])('%s', (_, rule, compiled) => {
    expect(compile(rule)).toMatchObject([{ algorithm: algorithmOf(rule), rules: [compiled] }])
    expect(Object.keys(compile(rule)[0]?.rules[0] ?? {}).toSorted()).toEqual(Object.keys(compiled).toSorted())
  })

  test('bytes may be given as a size, and are worded as one', () => {
    const bytes = (rule: Rule) => compile(rule, { unit: 'bytes' })[0]?.rules[0]
    expect(bytes({ limit: '20MB', window: '1d' })).toMatchObject({
      limit: 20_971_520,
      parts: { limit: 20_971_520, unit: 'bytes', window: 86_400_000 },
    })
    expect(bytes({ limit: 1_000, window: '1d' })).toMatchObject({
      limit: 1_000,
      parts: { limit: 1_000, unit: 'bytes', window: 86_400_000 },
    })
    expect(bytes({ algorithm: 'token-bucket', limit: '1MB', window: '1s', burst: '8MB' })).toMatchObject({
      limit: 8_388_608,
      parts: { limit: 1_048_576, unit: 'bytes', window: 1_000, atOnce: 8_388_608 },
      leak: 131_072,
      scale: 125,
    })
  })

  test('a bucket whose set waits queues its calls for that long', () => {
    const bucket: Rule = { algorithm: 'leaky-bucket', limit: 5, window: '1s' }
    expect(compile(bucket, { wait: '2s' })).toMatchObject([
      { rules: [{ maxDelayMs: 2_000 }], facts: { waitMs: 2_000 } },
    ])
  })

  test("a set's facts are those declared", () => {
    const cost = () => 3
    const said = { by: { input: 'filter.owner' }, unit: 'bytes', cost, count: 'failures', mode: 'degrade' } as const
    const [set] = compile({ limit: 5, window: '1s' }, { ...said, scope: 'instance', onStoreFailure: 'allow' })
    expect(set?.facts).toEqual({
      ...said,
      name: 'a',
      declaredBy: 'list',
      by: { input: 'filter.owner', per: null },
      waitMs: 0,
      scope: 'instance',
      penalty: null,
      onStoreFailure: 'allow',
      override: null,
    })
  })

  test.each<[AnyRuleSet['by'], boolean]>([
    ['subject', true],
    [{ input: 'id', per: 'subject' }, true],
    [{ input: 'id' }, false],
    ['ip', false],
    ['user', false],
    ['site', false],
  ])('a set by %j has a total of shared accounts: %j', (by, hasTotal) => {
    const [set] = compile({ algorithm: 'token-bucket', limit: 1, window: '1s', burst: 60 }, { by })
    const total = {
      policy: 'a-total-1s',
      parts: { limit: 20, unit: 'calls', window: 1_000, atOnce: 1_200 },
      limit: 1_200,
      windowMs: 60_000,
    }
    if (hasTotal) expect(set?.total).toMatchObject({ rules: [total], facts: { name: 'a-total', by: set?.facts.by } })
    else expect(set?.total).toBeNull()
  })

  test('the rules of each algorithm are a set of their own', () => {
    const rules: AnyRuleSet['rules'] = [
      { concurrent: 4 },
      { limit: 9, window: '3s', algorithm: 'token-bucket' },
      { limit: 9, window: '2s' },
      { limit: 5, window: '1s' },
    ]
    const sets = compileRuleSets('list', [{ name: 'a', by: 'ip', rules }])
    expect(sets.map(({ algorithm, rules }) => [algorithm, ...rules.map(({ policy }: CompiledRule) => policy)])).toEqual(
      [
        ['sliding-window-log', 'a-1s', 'a-2s'],
        ['token-bucket', 'a-3s'],
        ['concurrency', 'a-concurrent'],
      ],
    )
  })

  test('rules of one window that divide it differently have one order, however declared', () => {
    const day: Rule = { algorithm: 'fixed-window', limit: 9, window: '1d' }
    const calendar: Rule = { ...day, align: 'day' }
    const [one, other] = [
      [day, calendar],
      [calendar, day],
    ].map(
      ([first, second]) =>
        first && second && compileRuleSets('list', [{ name: 'a', by: 'ip', rules: [first, second] }])[0],
    )
    expect(one).toEqual(other)
  })

  function algorithmOf(rule: Rule): string {
    if ('concurrent' in rule) return 'concurrency'
    return rule.algorithm ?? 'sliding-window-log'
  }
})

describe('the shape', () => {
  const shape = (rule: Rule, set: Partial<AnyRuleSet> = {}) => compile(rule, set)[0]?.shape
  const counter = { limit: 5, window: '1m', algorithm: 'sliding-window-counter' } as const

  test('stays the same when an amount, a block or the oldest sub-window changes', () => {
    expect(shape({ ...counter, limit: 9, blockFor: '1h', oldest: 'whole' })).toBe(shape(counter))
    expect(shape({ concurrent: 4 })).toBe(shape({ concurrent: 9, lease: '30s' }))
  })

  test('depends on the algorithm, the unit and the division of time', () => {
    const shapes = [
      shape(counter),
      shape({ ...counter, samples: 5 }),
      shape(counter, { unit: 'bytes' }),
      shape({ limit: 5, window: '1m' }),
      shape({ limit: 5, window: '1m', algorithm: 'fixed-window' }),
      shape({ limit: 5, window: '1m', algorithm: 'fixed-window', align: 'window' }),
      shape({ limit: 5, window: '1d', algorithm: 'fixed-window' }),
      shape({ limit: 5, window: '1d', algorithm: 'fixed-window', align: 'day' }),
      shape({ limit: 5, window: '1d', algorithm: 'fixed-window', align: 'day', timeZone: 'Asia/Tokyo' }),
      shape({ limit: 5, window: '1m', algorithm: 'token-bucket' }),
      shape({ limit: 5, window: '1m', algorithm: 'leaky-bucket' }),
      shape({ concurrent: 4 }),
      shape({ concurrent: 4, lease: '1m' }),
    ]
    expect(new Set(shapes).size).toBe(shapes.length)
  })
})

describe('a rule that cannot work is refused by name', () => {
  const number = 'must be a whole number from 1 to 1000000000000'
  const size = `${number}, or a size such as 20MB`
  const window = "must be from 1ms to 366d, such as '500ms', '1s', '5m', '1h' or '1d', or whole milliseconds"
  const samples = 'must be a whole number from 2 to 100'
  const day = { algorithm: 'fixed-window', limit: 5, window: '1d' }
  const counter = { algorithm: 'sliding-window-counter', limit: 5, window: '1m' }
  const leaky = { algorithm: 'leaky-bucket', limit: 5, window: '1m' }
  const token = { algorithm: 'token-bucket', limit: 5, window: '1m' }

  test.each<[string, unknown, string]>([
    ['no object', 'fast', ': Invalid input: expected object, received string'],
    [
      'an unknown algorithm',
      { ...day, algorithm: 'gcra' },
      ', algorithm: must be sliding-window-log, fixed-window, sliding-window-counter, leaky-bucket, token-bucket',
    ],
    ['a size in a set that counts calls', { limit: '20MB', window: '1d' }, `, limit: ${number}`],
    [
      'a block as long as the window',
      { limit: 5, window: '1m', blockFor: '60s' },
      ', blockFor: must be longer than the window',
    ],
    ['a block of no duration', { limit: 5, window: '1m', blockFor: 'long' }, `, blockFor: ${window}`],
    ['a window of a zero', { ...day, window: 0 }, `, window: ${window}`],
    ['a day of the calendar in a week', { ...day, window: '7d', align: 'day' }, ', window: must be 1d with align: day'],
    ['a week of the calendar in a day', { ...day, align: 'week' }, ', window: must be 7d with align: week'],
    [
      'a month of the calendar in 30 days',
      { ...day, window: '30d', align: 'month' },
      ', window: must be 31d with align: month',
    ],
    [
      'an unknown time zone',
      { ...day, align: 'day', timeZone: 'Mars/Olympus' },
      ', timeZone: must be a time zone such as Europe/Berlin',
    ],
    ['a time zone of no calendar', { ...day, timeZone: 'UTC' }, ', timeZone: needs align: day, week or month'],
    [
      'samples that do not divide',
      { ...counter, window: '1s', samples: 7 },
      ', window: must divide evenly into 7 samples',
    ],
    ['one sample', { ...counter, samples: 1 }, `, samples: ${samples}`],
    ['too many samples', { ...counter, samples: 101 }, `, samples: ${samples}`],
    ['broken samples', { ...counter, samples: 2.5 }, `, samples: ${samples}`],
    ['an empty bucket', { ...leaky, capacity: 0 }, `, capacity: ${number}`],
    ['a negative bucket', { ...leaky, capacity: -1 }, `, capacity: ${number}`],
    ['a bucket of NaN', { ...leaky, capacity: Number.NaN }, `, capacity: ${number}`],
    ['a burst in words', { ...token, burst: '5' }, `, burst: ${number}`],
    ['an endless burst', { ...token, burst: Number.POSITIVE_INFINITY }, `, burst: ${number}`],
    ['the capacity of another bucket', { ...token, capacity: 5 }, ': Unrecognized key: "capacity"'],
    [
      'a bucket whose level overflows',
      { ...token, limit: 999_999_999_989, window: '365d' },
      ', limit: in this window it is too odd to count exactly; say a rounder one',
    ],
    ['no place', { concurrent: 0 }, `, concurrent: ${number}`],
    ['part of a place', { concurrent: 0.5 }, `, concurrent: ${number}`],
    ['a lease of nothing', { concurrent: 1, lease: 0 }, `, lease: ${window}`],
    ['a lease too short to renew', { concurrent: 1, lease: '999ms' }, ', lease: must be at least 1s'],
    ['places in a window', { concurrent: 1, window: '1s' }, ': Unrecognized key: "window"'],
    ['places that block', { concurrent: 1, blockFor: '1h' }, ': Unrecognized key: "blockFor"'],
  ])('%s', (_, rule, problem) => {
    expect(() => compile(rule)).toThrow(`list: rule set a, rule 1${problem}`)
  })

  test.each<[string, unknown, string]>([
    ['an unknown size', { limit: '20XB', window: '1d' }, `, limit: ${size}`],
    ['a size of nothing', { limit: '0MB', window: '1d' }, `, limit: ${size}`],
    ['a size that overflows', { limit: '2TB', window: '1d' }, `, limit: ${size}`],
    ['a broken size', { limit: 1.5, window: '1d' }, `, limit: ${size}`],
    ['places', { concurrent: 4 }, ', concurrent: counts calls, so it needs a set of its own'],
  ])('%s, of bytes', (_, rule, problem) => {
    expect(() => compile(rule, { unit: 'bytes' })).toThrow(`list: rule set a, rule 1${problem}`)
  })

  test('the total of shared accounts must be exactly countable, too', () => {
    const bucket = { algorithm: 'token-bucket', limit: 1, window: 3 ** 22, burst: 100_000 }
    expect(() => compile(bucket, { by: 'ip' })).not.toThrow()
    expect(() => compile(bucket, { by: 'subject' })).toThrow('too odd to count exactly')
  })
})
