import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askStore } from '#testing/limits/asked.ts'
import { makeCharge, plainRule } from '#testing/limits/charges.ts'
import { distantStore } from '#testing/limits/distant-store.ts'
import { createFleet } from '#testing/limits/fleet.ts'
import type { Permit } from '../../permit.ts'
import { Returns } from '../../returns.ts'
import type { Charge } from '../../store.ts'
import { CircuitBreaker } from '../failover/circuit-breaker.ts'
import { FailoverStore } from '../failover/failover-store.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { RememberedRefusals } from './remembered-refusals.ts'

const WINDOW_MS = 1_000

/** Charges of five keys, one for each algorithm, under limits that overrides change, but for the bucket's: a level that
 *  would be gone at one rate may be forgotten, or not, when another one holds. The log blocks whom it refuses. */
function charges(limit: number, cost: number): readonly Charge[] {
  const rule = plainRule(limit, WINDOW_MS)
  const bucket = { ...plainRule(4, WINDOW_MS), leak: 4, scale: WINDOW_MS }
  return [
    makeCharge('sliding-window-log', 'log', [rule, plainRule(limit + 2, 3 * WINDOW_MS)], cost),
    makeCharge('fixed-window', 'window', [{ ...rule, calendar: null, boundaries: [0] }], cost),
    makeCharge('sliding-window-counter', 'counter', [{ ...rule, samples: 4, isWhole: false }], cost),
    makeCharge('token-bucket', 'bucket', [bucket], cost),
    makeCharge('sliding-window-log', 'blocking', [{ ...rule, blockMs: 2 * WINDOW_MS }], cost),
  ]
}

const step = fc.record({
  afterMs: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0, 1, 10) },
    { weight: 1, arbitrary: fc.constantFrom(249, 250, 333, WINDOW_MS - 1, WINDOW_MS) },
    { weight: 1, arbitrary: fc.nat({ max: WINDOW_MS }) },
  ),
  process: fc.nat({ max: 1 }),
  type: fc.oneof(
    { weight: 40, arbitrary: fc.constant('take' as const) },
    { weight: 2, arbitrary: fc.constant('refund' as const) },
    { weight: 1, arbitrary: fc.constantFrom('reset' as const, 'override' as const) },
  ),
  // A refusal from memory begins no block of another key: what blocks is called alone.
  keys: fc.oneof(fc.constant<number[]>([4]), fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 })),
  cost: fc.integer({ min: 1, max: 3 }),
  limit: fc.integer({ min: 3, max: 5 }),
  back: fc.nat({ max: 5 }),
})

test('two processes with caches allow, at every instant, what they would allow without', async () => {
  let fromMemory = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), fc.boolean(), async (steps, isOfOneCost) => {
      const clock = { time: 0, now: () => clock.time }
      const plain = askStore(new MemoryStore(clock))
      // The memory is asked before; the store answers in a later turn, as one that is elsewhere does.
      const store = distantStore(new MemoryStore(clock), clock)
      const memories = createFleet(2).map((fleet) => {
        const returns = new Returns(fleet)
        const refusals = new RememberedRefusals(clock, returns)
        const breaker = new CircuitBreaker(store, clock, () => {})
        const failover = new FailoverStore(store, breaker, new MemoryStore(clock), () => 1, refusals)
        return { ...askStore(returns.around(failover)), forgetAll: () => refusals.forgetAll() }
      })
      const taken: { readonly expected: Permit; readonly own: Permit }[] = []
      let limit = 4
      for (const { afterMs, process, type, keys, back, ...next } of steps) {
        clock.time += afterMs
        const all = charges(limit, isOfOneCost ? 1 : next.cost)
        const asked = keys.flatMap((key) => all[key] ?? [])
        const memory = memories[process]
        if (!memory) throw new Error('no process')
        if (type === 'take') {
          const [expected, own] = [await plain.take(asked), await memory.take(asked)]
          expect(own.decision.allowed).toBe(expected.decision.allowed)
          if (own.decision.decidedBy === 'cache') fromMemory += 1
          if (own.decision.decidedBy === 'store') expect(own.decision).toEqual(expected.decision)
          else if (isOfOneCost && asked.length === 1)
            expect(own.decision.retryAfterMs).toBe(expected.decision.retryAfterMs)
          if (own.decision.allowed) taken.push({ expected, own })
        } else if (type === 'refund') {
          const [pair] = taken.splice(-1 - back, 1)
          if (pair) await Promise.all([pair.expected.refund(), pair.own.refund()])
        } else if (type === 'reset') {
          await plain.reset(asked)
          await memory.reset(asked)
        } else {
          limit = next.limit
          for (const each of memories) each.forgetAll()
        }
        await turn()
      }
    }),
    { numRuns: 300 },
  )
  expect(fromMemory).toBeGreaterThan(1_000)
})
