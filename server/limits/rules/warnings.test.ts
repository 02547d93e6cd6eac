import { describe, expect, test } from 'vitest'
import type { AnyRuleSet, Rule } from '../rule-set.ts'
import { compileRuleSets } from './compile.ts'
import { describeWarning, ruleSetWarnings } from './warnings.ts'

const warnings = (...sets: AnyRuleSet[]) => ruleSetWarnings(compileRuleSets('list', sets)).map(describeWarning)

describe('a rule that another makes unreachable', () => {
  const ofRules = (first: Rule, second: Rule) => warnings({ name: 'a', by: 'ip', rules: [first, second] })

  test.each<[string, Rule, Rule, string, string]>([
    [
      'a short log under a stricter long one',
      { limit: 100, window: '1s' },
      { limit: 50, window: '1m' },
      'a-1s (100 per second)',
      'a-1m (50 per minute)',
    ],
    [
      'a long log that the short one cannot reach',
      { limit: 300, window: '1m' },
      { limit: 5, window: '1s' },
      'a-1m (300 per minute)',
      'a-1s (5 per second)',
    ],
    [
      'a log above twice a fixed window, of another algorithm',
      { limit: 10, window: '30s' },
      { limit: 5, window: '1m', algorithm: 'fixed-window' },
      'a-30s (10 per 30 seconds)',
      'a-1m (5 per minute)',
    ],
    [
      'a log above two of the shortest days',
      { limit: 20, window: '23h' },
      { limit: 10, window: '1d', algorithm: 'fixed-window', align: 'day', timeZone: 'Europe/Berlin' },
      'a-23h (20 per 23 hours)',
      'a-day (10 per calendar day)',
    ],
    [
      'a counter above a whole one',
      { limit: 40, window: '10m', algorithm: 'sliding-window-counter' },
      { limit: 2, window: '1m', algorithm: 'sliding-window-counter', oldest: 'whole' },
      'a-10m (40 per 10 minutes)',
      'a-1m (2 per minute)',
    ],
    [
      'a log above what a bucket holds and gains',
      { limit: 70, window: '1m' },
      { limit: 1, window: '1s', algorithm: 'token-bucket', burst: 10 },
      'a-1m (70 per minute)',
      'a-1s (1 per second, 10 at once)',
    ],
    [
      'a bucket above a log',
      { limit: 60, window: '1m', algorithm: 'leaky-bucket' },
      { limit: 30, window: '2m' },
      'a-1m (60 per minute)',
      'a-2m (30 per 2 minutes)',
    ],
  ])('%s', (_, idle, active, idleWords, activeWords) => {
    const sentence = `${idleWords} never refuses, for ${activeWords} always does so first`
    expect(ofRules(idle, active)).toEqual([sentence])
    expect(ofRules(active, idle)).toEqual([sentence])
  })

  test.each<[string, Rule, Rule]>([
    ['two logs', { limit: 5, window: '1s' }, { limit: 299, window: '1m' }],
    [
      'a log below twice a fixed window',
      { limit: 9, window: '30s' },
      { limit: 5, window: '1m', algorithm: 'fixed-window' },
    ],
    [
      'a log of the longest span that touches three of the shortest days',
      { limit: 29, window: '24h' },
      { limit: 10, window: '1d', algorithm: 'fixed-window', align: 'day' },
    ],
    [
      'a weighted counter, which may let twice as many pass',
      { limit: 3, window: '1m' },
      { limit: 2, window: '2m', algorithm: 'sliding-window-counter' },
    ],
    [
      'a log below what a bucket holds and gains',
      { limit: 69, window: '1m' },
      { limit: 1, window: '1s', algorithm: 'token-bucket', burst: 10 },
    ],
    ['calls under way, however few begin', { concurrent: 100 }, { limit: 1, window: '1h' }],
    ['calls under way, however short', { limit: 100, window: '1h' }, { concurrent: 1 }],
  ])('none: %s', (_, first, second) => {
    expect(ofRules(first, second)).toEqual([])
  })

  test('rules of two sets are judged separately', () => {
    const [wide, narrow]: Rule[] = [
      { limit: 100, window: '1s' },
      { limit: 50, window: '1m' },
    ]
    if (wide && narrow)
      expect(warnings({ name: 'a', by: 'ip', rules: [wide] }, { name: 'b', by: 'user', rules: [narrow] })).toEqual([])
  })
})

describe('a common limit that one subject can exhaust', () => {
  const site: AnyRuleSet = { name: 'all', by: 'site', rules: [{ limit: 1_000, window: '1h' }] }
  const own: AnyRuleSet = { name: 'own', by: 'user', rules: [{ limit: 100, window: '1h' }] }
  const none =
    'one subject can use more than a tenth of all-1h (1,000 per hour): no rule that enforces holds it to less'

  test.each<[string, AnyRuleSet[]]>([
    ['a tenth of it', [site, own]],
    ['a tenth within its window by a short rule', [site, { ...own, rules: [{ limit: 1, window: '36s' }] }]],
    [
      'a tenth by a bucket',
      [site, { ...own, rules: [{ limit: 1, window: '1m', algorithm: 'token-bucket', burst: 40 }] }],
    ],
    [
      'a cost that is a tenth',
      [
        { ...site, cost: 2 },
        { ...own, cost: 4, rules: [{ limit: 200, window: '1h' }] },
      ],
    ],
    [
      'places',
      [
        { ...site, rules: [{ concurrent: 40 }] },
        { ...own, rules: [{ concurrent: 4 }] },
      ],
    ],
    [
      'an argument of its own',
      [
        { ...site, by: { input: 'id' } },
        { ...own, by: { input: 'id', per: 'subject' } },
      ],
    ],
    ['nothing that refuses', [{ ...site, mode: 'shadow' }]],
  ])('none: %s', (_, sets) => {
    expect(warnings(...sets)).toEqual([])
  })

  test.each<[string, AnyRuleSet[]]>([
    ['no other set', [site]],
    ['a set in shadow', [site, { ...own, mode: 'shadow' }]],
    ['a set of each process', [site, { ...own, scope: 'instance' }]],
    ['a set that counts only failures', [site, { ...own, count: 'failures' }]],
    ['a set that counts bytes', [site, { ...own, unit: 'bytes', rules: [{ limit: '1KB', window: '1h' }] }]],
    ['places alone', [site, { ...own, rules: [{ concurrent: 1 }] }]],
    [
      'another argument',
      [
        { ...site, by: { input: 'id' } },
        { ...own, by: { input: 'owner', per: 'subject' } },
      ],
    ],
    ['each argument of a subject, whatever it is', [site, { ...own, by: { input: 'id', per: 'subject' } }]],
    ['a cost that nobody knows', [{ ...site, cost: () => 5 }, own]],
  ])('%s', (_, sets) => {
    expect(warnings(...sets)).toEqual([none])
  })

  test('names the rule that comes closest, and how much it allows', () => {
    const bytes: AnyRuleSet = {
      name: 'all',
      by: { input: 'id' },
      unit: 'bytes',
      rules: [{ limit: '1GB', window: '1d', algorithm: 'fixed-window', align: 'day' }],
    }
    const perHour: AnyRuleSet = {
      name: 'own',
      by: 'subject',
      unit: 'bytes',
      rules: [
        { limit: '10MB', window: '1h' },
        { limit: '15MB', window: '2h' },
      ],
    }
    expect(warnings(bytes, perHour)).toEqual([
      'one subject can use more than a tenth of all-day (1 GiB per calendar day): own-2h (15 MiB per 2 hours) lets it take 180 MiB',
    ])
  })
})
