import { describe, expect, test } from 'vitest'
import type { RuleSet } from '../rule-set.ts'
import { compileRuleSets, InvalidRuleSet } from './compile.ts'

const perMinute: RuleSet = { by: 'subject', rules: [{ limit: 100, window: '1m' }] }

describe('compileRuleSets', () => {
  test('names policies by set and window, and sorts rules by their windows', () => {
    const rules = [
      { limit: 100, window: '60s' },
      { limit: 5, window: 1_000 },
    ] as const
    const [set] = compileRuleSets('image.download', [{ name: 'download', by: 'subject', rules }])
    expect(set).toMatchObject({
      algorithm: 'sliding-window-log',
      rules: [
        {
          policy: 'download-1s',
          parts: { limit: 5, unit: 'calls', window: 1_000 },
          limit: 5,
          windowMs: 1_000,
          blockMs: 0,
        },
        {
          policy: 'download-1m',
          parts: { limit: 100, unit: 'calls', window: 60_000 },
          limit: 100,
          windowMs: 60_000,
          blockMs: 0,
        },
      ],
      shape: expect.stringMatching(/^[A-Za-z0-9_-]{8}$/),
      facts: {
        name: 'download',
        by: 'subject',
        unit: 'calls',
        cost: null,
        count: 'all',
        mode: 'enforce',
        waitMs: 0,
        scope: 'cluster',
        onStoreFailure: 'local',
      },
    })
    expect(set?.total?.rules.map(({ policy, limit }) => [policy, limit])).toEqual([
      ['download-total-1s', 100],
      ['download-total-1m', 2_000],
    ])
  })

  test('gives a set without a name that of the procedure', () => {
    expect(compileRuleSets('image.delete', [perMinute])[0]?.rules[0]?.policy).toBe('image.delete-1m')
  })

  test('keeps the shape when a limit or the order of rules changes, and not when a window changes', () => {
    const shape = (...rules: RuleSet['rules']) => compileRuleSets('a', [{ by: 'ip', rules }])[0]?.shape
    const before = shape({ limit: 5, window: '1s' }, { limit: 100, window: '1m' })
    expect(shape({ limit: 50, window: '60s' }, { limit: 4, window: '1s' })).toBe(before)
    expect(shape({ limit: 5, window: '1s' }, { limit: 100, window: '2m' })).not.toBe(before)
    expect(shape({ limit: 5, window: '1s' })).not.toBe(before)
  })

  const rule = (limit: unknown, window: unknown) => [{ by: 'ip', rules: [{ limit, window }] }]
  const noLimit = 'image.list: rule set 1, rule 1, limit: must be a whole number from 1 to 1000000000000'
  const noWindow =
    "image.list: rule set 1, rule 1, window: must be from 1ms to 366d, such as '500ms', '1s', '5m', '1h' or '1d', or whole milliseconds"
  const noCost = 'image.list: rule set 1, cost: must be a whole number of at least 1, or a function of the input'
  const noBy =
    'image.list: rule set 1, by: must be subject, ip, user, site or { input: a path such as id or filter.owner }, with per: subject or without'
  test.each<[string, unknown, string]>([
    ['a zero limit', rule(0, '1s'), noLimit],
    ['a negative limit', rule(-1, '1s'), noLimit],
    ['a broken limit', rule(1.5, '1s'), noLimit],
    ['a NaN limit', rule(Number.NaN, '1s'), noLimit],
    ['an endless limit', rule(Number.POSITIVE_INFINITY, '1s'), noLimit],
    ['a limit beyond exact integers', rule(2 ** 60, '1s'), noLimit],
    ['a limit in words', rule('5', '1s'), `${noLimit}; a size such as 20MB needs unit: 'bytes'`],
    ['a zero window', rule(5, '0s'), noWindow],
    ['a negative window', rule(5, -1_000), noWindow],
    ['a window of part of a millisecond', rule(5, '0.5ms'), noWindow],
    ['a NaN window', rule(5, Number.NaN), noWindow],
    ['a window that is no duration', rule(5, 'minute'), noWindow],
    ['a window that overflows', rule(5, '99999999999999d'), noWindow],
    ['a missing window', [{ by: 'ip', rules: [{ limit: 5 }] }], noWindow],
    ['no rules', [perMinute, { name: 'b', by: 'ip', rules: [] }], 'image.list: rule set b, rules: must not be empty'],
    ['an unknown field', [{ ...perMinute, burst: 5 }], 'image.list: rule set 1: Unrecognized key: "burst"'],
    [
      'equal windows',
      [{ by: 'ip', rules: [...perMinute.rules, { limit: 5, window: '60s' }] }],
      'image.list: two rules are named image.list-1m: drop one, or name its rule set otherwise',
    ],
    [
      'equal windows in two sets of one name',
      [perMinute, { ...perMinute, by: 'ip' }],
      'image.list: two rules are named image.list-1m: drop one, or name its rule set otherwise',
    ],
    [
      'a fixed cost that no rule lets pass',
      [{ ...perMinute, cost: 101 }],
      'image.list: rule set 1, rule 1: a cost of 101 can never pass the limit of 100',
    ],
    ['a cost of nothing', [{ ...perMinute, cost: 0 }], noCost],
    ['a broken cost', [{ ...perMinute, cost: 1.5 }], noCost],
    ['a cost in words', [{ ...perMinute, cost: '1' }], noCost],
    ['an unknown subject', [{ ...perMinute, by: 'session' }], noBy],
    ['no argument', [{ ...perMinute, by: { input: '' } }], noBy],
    ['an argument with an empty name', [{ ...perMinute, by: { input: 'filter..id' } }], noBy],
    ['an argument that breaks keys', [{ ...perMinute, by: { input: 'a}:{b' } }], noBy],
    ['an argument of each address', [{ ...perMinute, by: { input: 'id', per: 'ip' } }], noBy],
    [
      'a wait of nothing',
      [{ ...perMinute, wait: 0 }],
      "image.list: rule set 1, wait: must be from 1ms to 366d, such as '500ms', '1s', '5m', '1h' or '1d', or whole milliseconds",
    ],
    ['a wait of days', [{ ...perMinute, wait: '1d' }], 'image.list: rule set 1, wait: must be at most 1h'],
    ...(['shadow', 'degrade'] as const).map((mode): [string, unknown, string] => [
      `${mode} that denies in an outage, where it refuses nothing else`,
      [{ ...perMinute, mode, onStoreFailure: 'deny' }],
      'image.list: rule set 1, onStoreFailure: must not be deny in a set that refuses nothing while its store works: that needs mode: enforce',
    ]),
    [
      'a wait of a set that refuses nothing',
      [{ ...perMinute, mode: 'shadow', wait: '1s' }],
      'image.list: rule set 1, wait: must not be said by a set that refuses nothing: that needs mode: enforce',
    ],
    [
      'a name that breaks keys',
      [{ ...perMinute, name: 'a}:{b' }],
      'image.list: rule set a}:{b, name: must be letters, digits and . _ -, at most 64, and not end in -total or -network',
    ],
    [
      'a name kept for totals',
      [{ ...perMinute, name: 'a-total' }],
      'image.list: rule set a-total, name: must be letters, digits and . _ -, at most 64, and not end in -total or -network',
    ],
  ])('%s is refused by name', (_, sets, message) => {
    const error = captureError(() => compileRuleSets('image.list', sets as readonly RuleSet[]))
    expect(error).toBeInstanceOf(InvalidRuleSet)
    expect(error).toMatchObject({ message, procedure: 'image.list' })
  })
})

function captureError(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
