import { describe, expect, test } from 'vitest'
import type { Operation } from '#server/limits/store.ts'
import { makeCharge, plainRule } from '../charges.ts'
import type { StoreHarness } from '../harness.ts'

const START = 1_763_700_000_000
const LEASE_MS = 30_000

/** Tests the concurrency limit of every store. */
export function describeConcurrency(name: string, open: () => Promise<StoreHarness>): void {
  const step = (type: Exclude<Operation['type'], 'refund'>) => (after: number, lease: string, limit: number) => {
    const charges = [makeCharge('concurrency', 'a', [{ ...plainRule(limit, LEASE_MS), lease }])]
    return { at: START + after, operation: { type, charges } }
  }
  const [begin, peek, renew] = [step('take'), step('peek'), step('force')]
  const end = (after: number, lease: string) => {
    const { at, operation } = begin(after, lease, 1)
    return { at, operation: { ...operation, type: 'refund' as const, at: [START] } }
  }
  const play = async (...steps: Parameters<StoreHarness['play']>[0]) => {
    await using store = await open()
    return (await store.play(steps)).map((answers) =>
      answers.map(({ remaining, resetMs, waitMs }) => [remaining, resetMs, waitMs]),
    )
  }

  describe(name, () => {
    test('allows the limit, and gives the exact wait until enough leases end', async () => {
      expect(
        await play(
          begin(0, 'a', 2),
          begin(10_000, 'b', 2),
          begin(15_000, 'c', 2),
          begin(29_999, 'c', 2),
          begin(30_000, 'c', 2),
        ),
      ).toEqual([[[1, 30_000, 0]], [[0, 20_000, 0]], [[0, 15_000, 15_000]], [[0, 1, 1]], [[0, 10_000, 0]]])
    })

    test('a call that ends frees its place at once', async () => {
      expect(
        await play(begin(0, 'a', 1), begin(1, 'b', 1), end(2, 'a'), begin(2, 'b', 1), end(3, 'b'), peek(3, 'c', 1)),
      ).toEqual([[[0, 30_000, 0]], [[0, 29_999, 29_999]], [], [[0, 30_000, 0]], [], [[1, 0, 0]]])
    })

    test('ending twice, or ending an unknown call, frees no other place', async () => {
      expect(
        await play(begin(0, 'a', 2), begin(0, 'b', 2), end(1, 'a'), end(1, 'a'), end(1, 'x'), peek(1, 'c', 2)),
      ).toEqual([[[1, 30_000, 0]], [[0, 30_000, 0]], [], [], [], [[1, 29_999, 0]]])
    })

    test('a renewal keeps the place at the limit, with a new lease', async () => {
      expect(
        await play(
          begin(0, 'a', 1),
          renew(10_000, 'a', 1),
          begin(20_000, 'a', 1),
          begin(49_999, 'b', 1),
          begin(50_000, 'b', 1),
        ),
      ).toEqual([[[0, 30_000, 0]], [[0, 30_000, 0]], [[0, 30_000, 0]], [[0, 1, 1]], [[0, 30_000, 0]]])
    })

    test('a late renewal takes a place again, beyond the limit', async () => {
      expect(await play(begin(0, 'a', 1), begin(30_000, 'b', 1), renew(30_001, 'a', 1), begin(30_002, 'c', 1))).toEqual(
        [[[0, 30_000, 0]], [[0, 30_000, 0]], [[0, 29_999, 0]], [[0, 29_998, 29_999]]],
      )
    })

    test('a call repeated at the end of its lease counts as a new one', async () => {
      expect(await play(begin(0, 'a', 2), begin(10_000, 'b', 2), begin(29_999, 'a', 1))).toEqual([
        [[1, 30_000, 0]],
        [[0, 20_000, 0]],
        [[0, 10_001, 0]],
      ])
      expect(await play(begin(0, 'a', 2), begin(10_000, 'b', 2), begin(30_000, 'a', 1))).toEqual([
        [[1, 30_000, 0]],
        [[0, 20_000, 0]],
        [[0, 10_000, 10_000]],
      ])
    })

    test('a lowered limit counts calls in progress, and waits until enough of them end', async () => {
      expect(
        await play(
          begin(0, 'a', 3),
          begin(1_000, 'b', 3),
          begin(2_000, 'c', 3),
          begin(3_000, 'd', 1),
          peek(3_000, 'd', 2),
          peek(3_000, 'd', 4),
        ),
      ).toEqual([
        [[2, 30_000, 0]],
        [[1, 29_000, 0]],
        [[0, 28_000, 0]],
        [[0, 27_000, 29_000]],
        [[0, 27_000, 28_000]],
        [[1, 27_000, 0]],
      ])
    })

    test('a clock that steps back ends no lease early after it is corrected, and allows no call', async () => {
      expect(
        await play(
          begin(0, 'a', 2),
          begin(-60_000, 'b', 2),
          begin(-60_000, 'c', 2),
          begin(29_999, 'c', 2),
          begin(30_000, 'c', 2),
        ),
      ).toEqual([[[1, 30_000, 0]], [[0, 90_000, 0]], [[0, 90_000, 90_000]], [[0, 1, 1]], [[1, 30_000, 0]]])
    })
  })
}
