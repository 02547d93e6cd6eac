import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { makeCharge, plainRule } from '../../../../testing/limits/charges.ts'
import { compileRuleSets } from '../../rules/compile.ts'
import type { Charge } from '../../store.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { shareOf } from './share.ts'

const log = (limit: number, cost = 1): Charge =>
  makeCharge('sliding-window-log', 'a', [plainRule(limit, 60_000), plainRule(1_000_000, 3_600_000)], cost)

const limitsOf = ({ rules }: Charge) => rules.map(({ limit }: { limit: number }) => limit)

function bucket(limit: number, window: `${number}${'s' | 'd'}`, cost = 1): Charge {
  const [set] = compileRuleSets('set', [{ by: 'site', rules: [{ limit, window, algorithm: 'token-bucket' }] }])
  if (set?.algorithm !== 'token-bucket') throw new Error('no bucket')
  return { ...set, key: 'a', cost }
}

/** What passes at the instants, in order. */
function admitted(charge: Charge, instants: readonly number[]): number {
  const clock = { time: 0, now: () => clock.time }
  const store = new MemoryStore(clock)
  return instants.filter((instant) => {
    clock.time = instant
    return answersIn(store.apply({ type: 'take', charges: [charge] })).every(({ waitMs }) => waitMs === 0)
  }).length
}

test('one process alone has the whole', () => {
  const charge = log(5)
  expect(shareOf(charge, 1)).toBe(charge)
})

test.each([
  [10, 1, 4, 2],
  [3, 1, 4, 1],
  [10, 6, 4, 6],
  [10, 2, 5, 2],
  [3, 6, 4, 3],
])('of a limit of %i a charge of %i has, among %i processes, %i', (limit, cost, processes, share) => {
  expect(limitsOf(shareOf(log(limit, cost), processes))).toEqual([share, Math.floor(1_000_000 / processes)])
})

describe('a bucket', () => {
  test('is divided without rounding its rate: 5 a minute among 3 are 5 in three minutes for each', () => {
    const share = shareOf(bucket(5, '60s'), 3)
    // One at once, and then one each 36 s: at its instant, and not a millisecond before.
    const instants = Array.from({ length: 11 }, (_, i) => i * 36_000)
    expect(admitted(share, instants)).toBe(11)
    expect(admitted(share, [0, 35_999, 36_000, 71_999, 72_000])).toBe(3)
  })

  test('of numbers too odd to be counted exactly leaks a little less than its share, and never more', () => {
    fc.assert(
      fc.property(
        fc.record({
          limit: fc.integer({ min: 1, max: 1e12 }),
          windowMs: fc.integer({ min: 1, max: 366 * 86_400_000 }),
          processes: fc.integer({ min: 2, max: 1_000 }),
          cost: fc.integer({ min: 1, max: 1e12 }),
        }),
        ({ limit, windowMs, processes, cost }) => {
          const divisor = gcd(limit, windowMs)
          const [leak, scale] = [limit / divisor, windowMs / divisor]
          fc.pre(2 * limit * scale <= Number.MAX_SAFE_INTEGER && cost <= limit && leak > 1_000)
          const whole = makeCharge('token-bucket', 'a', [{ ...plainRule(limit, windowMs), leak, scale }], cost)
          const share = shareOf(whole, processes)
          const [rule] = share.algorithm === 'token-bucket' ? share.rules : []
          if (!rule) throw new Error('no rule')
          expect([rule.leak, rule.scale, rule.limit].every((n) => Number.isSafeInteger(n) && n > 0)).toBe(true)
          expect(2 * rule.limit * rule.scale).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
          expect(rule.scale).toBeLessThan(2 ** 35)
          const [most, own] = [BigInt(leak) * BigInt(rule.scale), BigInt(rule.leak) * BigInt(scale * processes)]
          expect(own).toBeLessThanOrEqual(most)
        },
      ),
    )
  })
})

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}
