import { expect, test } from 'vitest'
import type { AnyRuleSet } from '../rule-set.ts'
import { compileRuleSets, InvalidRuleSet } from './compile.ts'
import { checkNames } from './names.ts'

const minute = { limit: 60, window: '1m', algorithm: 'token-bucket' } as const
const view: AnyRuleSet = { name: 'view', by: { input: 'id' }, rules: [{ limit: 5, window: '1s' }, minute] }
const sets = (label: string, ...declared: AnyRuleSet[]) => ({
  label,
  sets: compileRuleSets(label, declared),
})

test('declarations of one name may differ in wording, and in what their calls cost', () => {
  const own: AnyRuleSet = { by: 'ip', rules: [{ limit: 1, window: '1d' }] }
  const all = [
    sets('image.list', view, own),
    sets('image.get', own, {
      ...view,
      rules: [
        { ...minute, window: '60s' },
        { limit: 5, window: 1_000 },
      ],
    }),
    sets('image bytes', { ...view, cost: 3, count: 'failures' }),
    sets('image.search', { ...view, cost: () => 2 }),
  ]
  expect(() => checkNames(all)).not.toThrow()
})

test.each<[string, Partial<AnyRuleSet>]>([
  ['limit', { rules: [{ limit: 6, window: '1s' }, minute] }],
  ['window', { rules: [{ limit: 5, window: '2s' }] }],
  ['algorithm', { rules: [{ limit: 5, window: '1s', algorithm: 'fixed-window' }] }],
  ['argument', { by: { input: 'ids' } }],
  ['subject', { by: { input: 'id', per: 'subject' } }],
  ['unit', { unit: 'bytes' }],
  ['mode', { mode: 'shadow' }],
  ['wait', { wait: '1s' }],
  ['scope', { scope: 'instance' }],
  ['answer to a failing store', { onStoreFailure: 'deny' }],
])('another %s under the same name is an error that names both', (_, other) => {
  const check = () => checkNames([sets('image.list', view), sets('image.get', { ...view, ...other })])
  expect(check).toThrow(InvalidRuleSet)
  expect(check).toThrow('image.get: rule set view: means something else in image.list')
})
