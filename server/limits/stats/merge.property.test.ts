import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeReceipt } from '#testing/limits/receipts.ts'
import { chargesOf } from '../charges.ts'
import { type Decision, decide } from '../decision.ts'
import { compileRuleSets } from '../rules/compile.ts'
import { CallStats } from './call-stats.ts'
import { merged } from './merge.ts'
import { readSnapshot } from './snapshot.ts'

const LIMIT = 4
const SETS = ['narrow', 'wide'].map((name) =>
  compileRuleSets('call', [{ name, by: 'user', rules: [{ limit: LIMIT, window: '1h' }] }]),
)

const call = fc.record({
  process: fc.nat(3),
  label: fc.constantFrom('images.list', 'images.upload', undefined),
  sets: fc.constantFrom(...SETS),
  userId: fc.constantFrom('ann', 'bob', 'cleo'),
  decidedBy: fc.constantFrom<Decision['decidedBy']>('store', 'local', 'cache'),
  waitedMs: fc.constantFrom(0, 0, 250),
  afterMs: fc.constantFrom(0, 1, 400, 1_000, 7_000),
})

test('the merged statistics of several processes equal those of one that saw all calls', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
      const clock = { time: 1_700_000_000_000, now: () => clock.time }
      const open = () => new CallStats(clock, clock, () => {})
      const all = open()
      const each = Array.from({ length: 4 }, open)
      // Counts as a store that they share would.
      const used = new Map<string, number>()
      for (const { process, label, sets, userId, decidedBy, waitedMs, afterMs } of calls) {
        clock.time += afterMs
        const caller = { address: '192.0.2.1', userId, shared: false }
        const charges = chargesOf([{ sets, caller }], { now: 0, aheadMs: 0, lease: () => '' })
        const key = charges[0]?.key ?? ''
        const before = used.get(key) ?? 0
        const isFull = before === LIMIT
        used.set(key, isFull ? LIMIT : before + 1)
        const answer = { remaining: LIMIT - (used.get(key) ?? 0), resetMs: 1, waitMs: isFull ? 1 : 0, delayMs: 0 }
        const receipt = makeReceipt(charges, [answer], decidedBy)
        const decision = { ...decide(receipt), waitedMs }
        const waitedFor = waitedMs > 0 ? (charges[0]?.rules[0]?.policy ?? null) : null
        for (const stats of [all, each[process]]) stats?.count(label, { decision, receipt, waitedFor })
      }
      const told = each.flatMap((stats) => readSnapshot(JSON.stringify(stats.snapshot())) ?? [])
      expect(told).toHaveLength(4)
      expect(merged(told, clock.time)).toEqual({ ...merged([all.snapshot()], clock.time), processes: 4 })
    }),
  )
})
