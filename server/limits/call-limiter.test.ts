import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { distantStore } from '#testing/limits/distant-store.ts'
import { CallLimiter } from './call-limiter.ts'
import { HeldClock, wallClock } from './clock.ts'
import { SoloFleet } from './fleet/fleet.ts'
import { Returns } from './returns.ts'
import { compileRuleSets } from './rules/compile.ts'
import { CallStats } from './stats/call-stats.ts'
import { CircuitBreaker } from './stores/failover/circuit-breaker.ts'
import { FailoverStore } from './stores/failover/failover-store.ts'
import { MemoryStore } from './stores/memory/memory-store.ts'
import { WaitingRoom } from './waiting/waiting-room.ts'

const ann = { address: '192.0.2.1', userId: 'ann', shared: false }
const sets = compileRuleSets('list', [{ name: 'list', by: 'user', rules: [{ limit: 2, window: '1h' }] }])

/** A limiter over a store that answers in a later turn, and the snapshot that it publishes. */
function scene() {
  const clock = new HeldClock(wallClock)
  const local = new MemoryStore(clock)
  const shared = new MemoryStore(clock)
  const remote = distantStore(shared, clock)
  const breaker = new CircuitBreaker(remote, clock, () => {})
  const shown: (() => string)[] = []
  const fleet = Object.assign(new SoloFleet(), { show: (snapshot: () => string) => void shown.push(snapshot) })
  const returns = new Returns(fleet)
  const store = returns.around(new FailoverStore(remote, breaker, local, () => 1))
  const limiter = new CallLimiter({
    blocks: async () => ({ blocked: [], isWhole: true }),
    clock,
    breaker,
    fleet,
    store,
    room: new WaitingRoom({ clock, store, returns }),
    moment: { now: 0, aheadMs: 0, lease: () => 'one' },
    stats: new CallStats(clock, clock, () => {}),
  })
  onTestFinished(() => limiter.close())
  return { limiter, shown }
}

test('over a store, too, statistics include every call once it is decided', async () => {
  const { limiter, shown } = scene()
  const totals = () => limiter.ownStats().rows.map(({ total }) => [total.passed, total.refused])
  await limiter.take(sets, ann)
  expect(totals()).toEqual([[1, 0]])
  await limiter.take(sets, ann)
  expect(limiter.stats().rows.map(({ total }) => total.passed)).toEqual([2])
  await limiter.take(sets, ann)
  expect(totals()).toEqual([[2, 1]])
  const permit = await limiter.reserve([{ sets, caller: { ...ann, userId: 'bob' } }], { label: 'show' })
  expect(permit.decision.allowed).toBe(true)
  expect(shown.map((show) => z.looseObject({}).parse(JSON.parse(show())))).toMatchObject([
    { labels: [{ label: 'list' }, { label: 'show' }] },
  ])
})

test('a call that is cancelled while the store is asked is counted as abandoned, and as nothing else', async () => {
  const { limiter } = scene()
  const leaving = new AbortController()
  const reserving = limiter.reserve([{ sets, caller: ann }], { signal: leaving.signal })
  leaving.abort(new Error('left'))
  await expect(reserving).rejects.toThrow('left')
  expect(limiter.ownStats().rows.map(({ total }) => [total.passed, total.abandoned])).toEqual([[0, 1]])
  expect((await limiter.peek([{ sets, caller: ann }])).rules.map(({ remaining }) => remaining)).toEqual([2])
})
