import { expect, it } from 'vitest'
import { chargesOf } from '#server/limits/charges.ts'
import type { AnyRuleSet, CountBy } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { parseKey } from './counted-key.ts'

const caller = { address: '192.0.2.7', userId: 'ann', shared: false }
const rules = [{ limit: 400, window: '1m' }] as const

function subjects(set: Pick<AnyRuleSet, 'by' | 'networks'>, from: { readonly address: string } = caller) {
  const sets = compileRuleSets('call', [{ name: 'set', rules, ...set }])
  const request = { sets, caller: { ...caller, ...from }, input: { id: 'dune' } }
  const charges = chargesOf([request], { now: 0, aheadMs: 0, lease: () => '' })
  return charges.map(({ key }) => [parseKey(key)?.name, parseKey(key)?.subject, parseKey(key)?.digest])
}

it.each([
  ['subject', 'ann'],
  ['ip', '192.0.2.7'],
  ['network', '192.0.2.0/24'],
] satisfies readonly (readonly [CountBy, string])[])('a set by %s counts %s', (by, subject) => {
  expect(subjects({ by })).toEqual([['set', subject, null]])
})

it('what all callers share is theirs, and its part for one network is that network’s', () => {
  expect(subjects({ by: 'site', networks: 20 })).toEqual([
    ['set', 'site', null],
    ['set-network', '192.0.2.0/24', null],
  ])
  expect(subjects({ by: 'site', networks: 20 }, { address: '2001:db8:1:2::/64' })[1]).toEqual([
    'set-network',
    '2001:db8:1::/48',
    null,
  ])
})

it('so is a count of an argument, which each of them has the digest of', () => {
  const digest = expect.stringMatching(/^#[\w-]{22}$/)
  expect(subjects({ by: { input: 'id' }, networks: 20 })).toEqual([
    ['set', expect.stringMatching(/^id=#[\w-]{22}$/), digest],
    ['set-network', '192.0.2.0/24', digest],
  ])
  expect(subjects({ by: { input: 'id', per: 'subject' } })).toEqual([['set', 'ann', digest]])
})
