import { expect, test } from 'vitest'
import { arrangeSets, type OwnRule } from './sets.ts'

const rule = (ruleSet: string, remaining: number): OwnRule => ({
  ...{ ruleSet, policy: `${ruleSet}-1m`, words: '', parts: { limit: 10, window: 60_000 } },
  ...{ unit: 'calls', limit: 10, windowMs: 60_000, remaining, resetMs: 0 },
})

test('the usual sets come first in their order, then the others, the fullest first', () => {
  const rules = [rule('edit', 10), rule('download', 10), rule('bulk', 3), rule('upload', 0), rule('view-large', 9)]
  const { usual, others } = arrangeSets([...rules, { ...rule('bulk', 10), policy: 'bulk-1h' }])
  expect(usual.map(({ name }) => name)).toEqual(['upload', 'download'])
  expect(others.map(({ name, rules }) => [name, rules.length])).toEqual([
    ['bulk', 2],
    ['view-large', 1],
    ['edit', 1],
  ])
})
