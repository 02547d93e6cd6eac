import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decide } from '#server/limits/decision.ts'
import { Permit } from '#server/limits/permit.ts'
import type { SetFacts } from '#server/limits/rules/compiled.ts'
import type { Charge, LimitStore } from '#server/limits/store.ts'
import { makeCharge, plainFacts, plainRule } from './charges.ts'

/** A store at a time chosen by the test. */
export interface TimedStore extends AsyncDisposable {
  readonly store: LimitStore
  setTime(ms: number): Promise<void>
}

const START = 1_763_700_000_000
const LIMIT = 10
const MINUTE = plainRule(LIMIT, 60_000)
/** Leaks one permit every 6 seconds. */
const BUCKET = { ...MINUTE, leak: 1, scale: 6_000 }

const charges: readonly ((key: string) => Charge)[] = [
  (key) => makeCharge('sliding-window-log', key, [MINUTE]),
  (key) => makeCharge('fixed-window', key, [{ ...MINUTE, calendar: null, boundaries: [] }]),
  (key) => makeCharge('sliding-window-counter', key, [{ ...MINUTE, samples: 10, isWhole: false }]),
  (key) => makeCharge('leaky-bucket', key, [{ ...BUCKET, maxDelayMs: -1 }]),
  (key) => makeCharge('token-bucket', key, [BUCKET]),
]

/** Refunds of a permit with every algorithm: afterwards exactly the expected permits remain. */
export function describePermits(name: string, open: () => Promise<TimedStore>): void {
  describe.each(charges.map((make) => [make('').algorithm, make] as const))(`${name}, %s`, (_, make) => {
    async function scene(facts: Partial<SetFacts> = {}) {
      const timed = await open()
      await timed.setTime(START)
      const { store } = timed
      const charge = { ...make(randomUUID()), facts: { ...plainFacts, ...facts } }
      const reserve = async (cost: number) => {
        return new Permit(await store.apply({ type: 'take', charges: [{ ...charge, cost }] }), store)
      }
      const peek = async () => decide(await store.apply({ type: 'peek', charges: [charge] }))
      const remaining = async () => (await peek()).rules.map((rule) => rule.remaining)
      return { ...timed, reserve, remaining, [Symbol.asyncDispose]: () => timed[Symbol.asyncDispose]() }
    }
    const bytes = { unit: 'bytes' } as const
    const failures = { count: 'failures' } as const

    test.each<[string, number[], number]>([
      ['fewer gives the rest back', [3], 7],
      ['none gives all back', [0], 10],
      ['as many as were reserved changes nothing', [8], 2],
      ['more charges them', [9], 1],
      ['more than the limit charges them all the same', [14], 0],
      ['the same again changes nothing', [3, 3], 7],
      ['more again charges the difference', [3, 6], 4],
      ['fewer again gives the difference back', [6, 3], 7],
      ['fewer than too many gives them back from what was reserved', [14, 9], 1],
      ['much fewer than too many gives back no more than was reserved', [14, 5], 4],
      ['more again, after that, charges what is more than stayed charged', [14, 5, 7], 3],
    ])('%s', async (_, settled, left) => {
      await using at = await scene(bytes)
      const permit = await at.reserve(8)
      for (const bytes of settled) await permit.settle(bytes)
      expect(await at.remaining()).toEqual([left])
    })

    test('bytes are settled only for sets that count bytes', async () => {
      await using at = await scene()
      const permit = await at.reserve(8)
      await permit.settle(3)
      expect(await at.remaining()).toEqual([2])
    })

    test('bytes beyond the reservation are not refunded', async () => {
      await using at = await scene(bytes)
      const permit = await at.reserve(6)
      await permit.settle(9)
      await permit.refund()
      expect(await at.remaining()).toEqual([7])
    })

    test('a refund returns everything once, whatever others have taken', async () => {
      await using at = await scene()
      const permit = await at.reserve(6)
      await at.reserve(3)
      await permit.refund()
      await permit.refund()
      await permit.end('succeeded')
      expect(await at.remaining()).toEqual([7])
    })

    test('a later refund returns only what still counts', async () => {
      await using at = await scene()
      const permit = await at.reserve(8)
      await at.setTime(START + 12_000)
      await permit.refund()
      expect(await at.remaining()).toEqual([10])
    })

    test('a refund returns nothing if nothing counts any more', async () => {
      await using at = await scene()
      const permit = await at.reserve(8)
      await at.setTime(START + 120_000)
      await at.reserve(4)
      await permit.refund()
      expect(await at.remaining()).toEqual([6])
    })

    test.each<[Partial<SetFacts>, 'succeeded' | 'failed', number]>([
      [{}, 'succeeded', 2],
      [{}, 'failed', 2],
      [failures, 'succeeded', 10],
      [failures, 'failed', 2],
    ])('of %j, a call that %s leaves %d', async (facts, outcome, left) => {
      await using at = await scene(facts)
      const permit = await at.reserve(8)
      await permit.end(outcome)
      await permit.end(outcome === 'failed' ? 'succeeded' : 'failed')
      await permit.refund()
      expect(await at.remaining()).toEqual([left])
    })

    test('a settled call that succeeds is refunded its settled cost where failures count', async () => {
      await using at = await scene({ ...bytes, ...failures })
      const permit = await at.reserve(8)
      await at.reserve(1)
      await permit.settle(3)
      await permit.end('succeeded')
      await permit.settle(8)
      expect(await at.remaining()).toEqual([9])
    })

    test('a refused call has nothing to settle or refund', async () => {
      await using at = await scene(bytes)
      await at.reserve(8)
      const permit = await at.reserve(3)
      expect(permit.decision.allowed).toBe(false)
      await permit.settle(9)
      await permit.refund()
      expect(await at.remaining()).toEqual([2])
    })
  })
}
