import { describe, expect, test } from 'vitest'
import { makeReceipt } from '#testing/limits/receipts.ts'
import { chargesOf } from '../charges.ts'
import { decide } from '../decision.ts'
import type { Rule } from '../rule-set.ts'
import { compileRuleSets } from '../rules/compile.ts'
import { MostRefused } from './most-refused.ts'
import { NearestToLimit } from './nearest-to-limit.ts'

const NOW = 1_700_000_000
const rules = (...all: [Rule, ...Rule[]]) => compileRuleSets('list', [{ name: 'list', by: 'user', rules: all }])
const perMinute = rules({ limit: 100, window: '1m' })

function charged(userId: string, sets = perMinute) {
  const moment = { now: 0, aheadMs: 0, lease: () => '' }
  return chargesOf([{ sets, caller: { address: '192.0.2.1', userId, shared: false } }], moment)
}

describe('the subjects nearest to a limit', () => {
  function nearest() {
    const near = new NearestToLimit()
    const note = (userId: string, remaining: readonly number[], second = NOW, sets = perMinute) => {
      const charges = charged(userId, sets)
      const answers = remaining.map((left) => ({ remaining: left, resetMs: 1, waitMs: 0, delayMs: 0 }))
      const receipt = makeReceipt(charges, answers)
      near.note({ receipt, decision: decide(receipt), waitedFor: null }, second)
    }
    const list = (second = NOW) => near.list(second).map(({ subject, policy, used }) => [subject, policy, used])
    return { near, note, list }
  }

  test('are those with at most half of a limit left, the fullest first, as of their last call', () => {
    const { near, note, list } = nearest()
    note('far', [51])
    note('half', [50])
    note('full', [10])
    note('full', [0])
    note('less', [5])
    note('less', [20])
    expect(list()).toEqual([
      ['full', 'list-1m', 100],
      ['less', 'list-1m', 80],
      ['half', 'list-1m', 50],
    ])
    expect(near.list(NOW)[0]).toMatchObject({
      ...{ subject: 'full', ruleSet: 'list', policy: 'list-1m', used: 100, limit: 100, at: NOW * 1_000 },
    })
  })

  test('have one line for each key, with its fullest rule', () => {
    const { note, list } = nearest()
    const both = rules({ limit: 100, window: '1m' }, { limit: 1_000, window: '1h' })
    note('ann', [40, 100], NOW, both)
    expect(list()).toEqual([['ann', 'list-1h', 900]])
  })

  test('are forgotten after a minute', () => {
    const { note, list } = nearest()
    note('early', [0], NOW - 60)
    note('late', [0], NOW - 59)
    expect(list()).toEqual([['late', 'list-1m', 100]])
  })

  test('are the twenty fullest of a hundred thousand', () => {
    const { note, list } = nearest()
    for (let i = 0; i < 100_000; i += 1) note(`user${i}`, [i % 5_000 === 7 ? 1 : 10 + (i % 40)])
    expect(list().map(([subject, , used]) => [subject, used])).toEqual(
      Array.from({ length: 20 }, (_, i) => [`user${i * 5_000 + 7}`, 99]),
    )
  })

  test('have room again after a flood', () => {
    const { note, list } = nearest()
    for (let i = 0; i < 10_000; i += 1) note(`user${i}`, [0])
    note('half', [50], NOW + 60)
    expect(list(NOW + 60)).toEqual([['half', 'list-1m', 50]])
  })
})

describe('the subjects that were refused most', () => {
  function mostRefused() {
    const most = new MostRefused()
    const add = (userId: string, times: number, second = NOW, policy = 'list-1m') => {
      const [charge] = charged(userId)
      for (let i = 0; i < times; i += 1) if (charge) most.add(charge, policy, second)
    }
    const list = (second = NOW) => most.list(second).map(({ subject, policy, refused }) => [subject, policy, refused])
    return { most, add, list }
  }

  test('are counted by rule, the highest count first', () => {
    const { most, add, list } = mostRefused()
    add('ann', 2)
    add('bob', 3)
    add('ann', 4, NOW + 1, 'list-1h')
    expect(list()).toEqual([
      ['ann', 'list-1h', 4],
      ['bob', 'list-1m', 3],
      ['ann', 'list-1m', 2],
    ])
    expect(most.list(NOW)[0]).toMatchObject({
      ...{ subject: 'ann', ruleSet: 'list', policy: 'list-1h', refused: 4, lastAt: (NOW + 1) * 1_000 },
    })
  })

  test('cover the last half hour to hour', () => {
    const { add, list } = mostRefused()
    add('ann', 1, NOW)
    add('ann', 2, NOW + 1_800)
    expect(list(NOW + 1_800)).toEqual([['ann', 'list-1m', 3]])
    expect(list(NOW + 3_600)).toEqual([['ann', 'list-1m', 2]])
    expect(list(NOW + 9_000)).toEqual([])
  })

  test('are found, and counted exactly, among a hundred thousand', () => {
    const { add, list } = mostRefused()
    for (let i = 0; i < 100_000; i += 1) {
      add(`user${i}`, 1)
      if (i % 10 < 2) add(`often${i % 10}`, 1)
    }
    expect(list().slice(0, 2)).toEqual([
      ['often0', 'list-1m', 10_000],
      ['often1', 'list-1m', 10_000],
    ])
    expect(list()).toHaveLength(20)
    // A dropped subject that returns is never counted too high.
    expect(
      list()
        .slice(2)
        .every(([, , refused]) => refused === 1),
    ).toBe(true)
  })
})
