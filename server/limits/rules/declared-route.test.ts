import { expect, test } from 'vitest'
import type { RuleSet } from '../rule-set.ts'
import { InvalidRuleSet } from './compile.ts'
import { declareRoute, setsOf } from './declared-route.ts'

const calls: RuleSet = { name: 'calls', by: 'ip', rules: [{ limit: 1, window: '1m' }] }
const bytes: RuleSet = { name: 'bytes', by: 'ip', unit: 'bytes', rules: [{ limit: '1MB', window: '1m' }] }
const route = declareRoute({ label: 'a route', declared: [calls, bytes], isAnonymous: true })

test('compiles the declared sets, and returns any part of them', () => {
  expect(route.sets.map(({ facts }) => facts.name)).toEqual(['calls', 'bytes'])
  expect(setsOf(route, [bytes])).toEqual([route.sets[1]])
  expect(() => setsOf(route, [{ ...calls, name: 'other' }])).toThrow('a route does not declare the rule set other')
})

test('names the route whose rules cannot work', () => {
  const impossible = { ...calls, rules: [{ limit: 0, window: '1m' }] } as const
  expect(() => declareRoute({ label: 'a route', declared: [impossible], isAnonymous: true })).toThrow(InvalidRuleSet)
})
