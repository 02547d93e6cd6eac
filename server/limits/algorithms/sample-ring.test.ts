import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestPart, SampleRing, weigh } from './sample-ring.ts'

const LONGEST_SAMPLE = (366 * 86_400_000) / 2
const sampleMs = fc.oneof(fc.integer({ min: 1, max: LONGEST_SAMPLE }), fc.integer({ min: 1, max: 100 }))
const count = fc.oneof(fc.integer({ min: 1, max: 1e13 }), fc.integer({ min: 1, max: 100 }))

test('a weight is exact, to the largest numbers that a rule can have', () => {
  fc.assert(
    fc.property(sampleMs, count, fc.double({ min: 0, max: 1, noNaN: true }), (sample, count, share) => {
      const part = Math.floor(sample * share)
      const product = BigInt(count) * BigInt(part)
      const roundedUp = (product + BigInt(sample) - 1n) / BigInt(sample)
      expect(weigh(count, part, sample, false)).toBe(Number(roundedUp))
    }),
    { numRuns: 20_000 },
  )
})

test('the longest part that has room is found: one millisecond more weighs too much', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(sampleMs, count, share, share, fc.boolean(), (sample, count, roomShare, mostShare, isWhole) => {
      const room = Math.floor(count * roomShare)
      const most = Math.floor(sample * mostShare)
      const part = longestPart(count, room, most, sample, isWhole)
      expect(part).toBeGreaterThanOrEqual(0)
      expect(part).toBeLessThanOrEqual(most)
      expect(weigh(count, part, sample, isWhole)).toBeLessThanOrEqual(room)
      if (part < most) expect(weigh(count, part + 1, sample, isWhole)).toBeGreaterThan(room)
    }),
    { numRuns: 20_000 },
  )
})

test('without takes, usage only falls, and ends at 0', () => {
  const charge = fc.record({ at: fc.nat({ max: 90 }), cost: fc.integer({ min: 1, max: 9 }) })
  fc.assert(
    fc.property(fc.array(charge, { minLength: 1, maxLength: 12 }), fc.boolean(), (charges, isWhole) => {
      const rule = { windowMs: 60, samples: 6, isWhole }
      const ring = new SampleRing(rule)
      for (const { at, cost } of charges) ring.add(at, cost)
      const used = Array.from({ length: ring.emptyAt + 1 }, (_, at) => ring.usedAt(at, rule))
      expect(used).toEqual(used.toSorted((a, b) => b - a))
      expect(used.at(-1)).toBe(0)
      expect(ring.usedAt(ring.emptyAt - 1, rule)).toBeGreaterThan(0)
    }),
  )
})

test('the first instant at which so few are used is the first of all that one could look at', () => {
  const charge = fc.record({ at: fc.nat({ max: 90 }), cost: fc.integer({ min: 1, max: 9 }), isReturned: fc.boolean() })
  fc.assert(
    fc.property(fc.array(charge, { minLength: 1, maxLength: 12 }), fc.boolean(), (charges, isWhole) => {
      const rule = { windowMs: 60, samples: 6, isWhole }
      const ring = new SampleRing(rule)
      for (const { at, cost } of charges) ring.add(at, cost)
      for (const { at, cost, isReturned } of charges) if (isReturned) ring.takeOff(at, cost)
      const now = 90
      const used = Array.from({ length: 120 }, (_, later) => ring.usedAt(now + later, rule))
      for (let target = 0; target < (used[0] ?? 0); target += 1)
        expect(ring.firstInstant(now, target, rule)).toBe(now + used.findIndex((count) => count <= target))
    }),
  )
})
