import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { chargesOfCall, clock, perSecond, settle, stopTime, until, watchedRoom } from '#testing/limits/waiting.ts'

const LIMIT = 3

const arrivals = fc.array(
  fc.record({
    gapMs: fc.integer({ min: 0, max: 400 }),
    cost: fc.integer({ min: 1, max: LIMIT }),
    waitMs: fc.integer({ min: 1, max: 4_000 }),
    leavesAfterMs: fc.option(fc.integer({ min: 0, max: 3_000 }), { freq: 4 }),
    givesBackAfterMs: fc.option(fc.integer({ min: 0, max: 1_500 }), { freq: 4 }),
  }),
  { minLength: 1, maxLength: 30 },
)

type Arrival = typeof arrivals extends fc.Arbitrary<readonly (infer A)[]> ? A : never

interface Ending {
  readonly number: number
  readonly at: number
  readonly since: number
  readonly fate: 'passed' | 'refused' | 'left'
}

afterEach(() => {
  vi.useRealTimers()
})

/** The outcomes of the calls, in the order in which they ended; whether the first waited although its permits were
 *  available; and what was left at the end. */
async function play(calls: readonly Arrival[], latencyMs: number) {
  stopTime()
  const { room, memory, work, calls: asked } = watchedRoom()
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  if (latencyMs > 0) work.before = () => sleep(latencyMs)
  const endings: Ending[] = []
  const idle: number[] = []
  const peek = (cost = 1) =>
    answersIn(memory.apply({ type: 'peek', charges: chargesOfCall('', perSecond(LIMIT), { cost }) }))[0]
  const run = async ({ cost, waitMs, leavesAfterMs, givesBackAfterMs }: Arrival, number: number) => {
    const since = clock.now()
    const leaving = new AbortController()
    if (leavesAfterMs !== null) setTimeout(() => leaving.abort(), leavesAfterMs)
    const end = (fate: Ending['fate']) => endings.push({ number, at: clock.now(), since, fate })
    try {
      const charges = chargesOfCall('', perSecond(LIMIT, { wait: waitMs }), { cost })
      const permit = await room.admit(charges, [], { signal: leaving.signal })
      end(permit.decision.allowed ? 'passed' : 'refused')
      if (givesBackAfterMs === null || !permit.decision.allowed) return
      await sleep(givesBackAfterMs)
      await permit.refund()
    } catch {
      end('left')
    }
  }
  for (const [number, call] of calls.entries()) {
    await until(clock.now() + call.gapMs)
    void run(call, number)
    await settle()
    const first = calls.findIndex((_, other) => other <= number && endings.every((ending) => ending.number !== other))
    if (first >= 0 && (peek(calls[first]?.cost)?.waitMs ?? 0) === 0) idle.push(number)
  }
  await until(clock.now() + 20_000)
  return { endings, idle, asked, remaining: peek()?.remaining, timers: vi.getTimerCount() }
}

test('every call ends by its deadline, none is overtaken or waits for nothing, and nothing is left behind', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async (calls) => {
      const { endings, idle, asked, remaining, timers } = await play(calls, 0)
      expect(endings).toHaveLength(calls.length)
      expect(endings.filter(({ number, at, since }) => at > since + (calls[number]?.waitMs ?? 0))).toEqual([])
      const passed = endings.filter(({ fate }) => fate === 'passed').map(({ number }) => number)
      expect(passed).toEqual(passed.toSorted((a, b) => a - b))
      expect(idle).toEqual([])
      expect([remaining, timers]).toEqual([LIMIT, 0])
      expect(asked.length).toBeLessThanOrEqual(4 * calls.length)
    }),
    { numRuns: 150 },
  )
})

test('the same holds with a slow store, apart from its latency', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 90 }), async (calls, latencyMs) => {
      const { endings, remaining, timers } = await play(calls, latencyMs)
      expect(endings).toHaveLength(calls.length)
      // What is known too late: the last answer, one more peek, and the grace period.
      const lateMs = 100 + 3 * latencyMs
      expect(endings.filter(({ number, at, since }) => at > since + (calls[number]?.waitMs ?? 0) + lateMs)).toEqual([])
      expect([remaining, timers]).toEqual([LIMIT, 0])
    }),
    { numRuns: 150 },
  )
})
