import { beforeEach, describe, expect, test, vi } from 'vitest'
import { charge, makeCharge, plainFacts, plainRule } from '../../testing/limits/charges.ts'
import { describePermits } from '../../testing/limits/permits.ts'
import { decide } from './decision.ts'
import { createLimiter } from './limiter.ts'
import { Permit } from './permit.ts'
import { compileRuleSets } from './rules/compile.ts'
import type { LimitStore, Operation } from './store.ts'
import { CircuitBreaker } from './stores/failover/circuit-breaker.ts'
import { FailoverStore } from './stores/failover/failover-store.ts'
import { MemoryStore } from './stores/memory/memory-store.ts'

function timedStore() {
  const clock = { time: 0, now: () => clock.time }
  const store = new MemoryStore(clock)
  return { clock, store }
}

describePermits('in process', async () => {
  const { clock, store } = timedStore()
  const setTime = async (ms: number) => {
    clock.time = ms
  }
  return { store, setTime, [Symbol.asyncDispose]: () => store.close() }
})

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d bytes cannot be settled', async (bytes) => {
  const { store } = timedStore()
  const permit = new Permit(store.apply({ type: 'take', charges: [charge('a', [[5, 1_000]])] }), store)
  await expect(permit.settle(bytes)).rejects.toThrow(RangeError)
})

describe('a penalty', () => {
  const minute = (limit: number) => [{ limit, window: '1m' }] as const
  const sets = compileRuleSets('read', [
    { name: 'read', by: 'subject', penalty: 9, rules: minute(20) },
    { name: 'narrow', by: 'ip', penalty: 9, rules: minute(5) },
    { name: 'plain', by: 'user', rules: minute(20) },
    { name: 'flight', by: 'ip', penalty: 9, rules: [{ concurrent: 3 }] },
  ])
  const caller = { address: '192.0.2.1', userId: 'ann', shared: false }

  test('is charged once, beyond what is left but never more than a limit, and is in the figures', async () => {
    const limiter = createLimiter({})
    const left = async () => (await limiter.peek([{ sets, caller }])).rules.map(({ remaining }) => remaining)
    const permit = await limiter.reserve([{ sets, caller }], { label: 'image' })
    expect(await left()).toEqual([19, 4, 19, 2])
    await limiter.penalize(permit, 'image')
    await limiter.penalize(permit, 'image')
    expect(await left()).toEqual([10, 0, 19, 2])
    await permit.refund()
    expect(await left()).toEqual([11, 0, 20, 3])
    expect(limiter.stats().rows.map(({ label, policy, total }) => [label, policy, total.penaltyPoints])).toEqual([
      ['image', 'flight-concurrent', 0],
      ['image', 'narrow-1m', 5],
      ['image', 'plain-1m', 0],
      ['image', 'read-1m', 9],
    ])
    await limiter.close()
  })

  test('is not charged for a refused call, nor to what others share', async () => {
    const limiter = createLimiter({})
    const shared = { ...caller, shared: true }
    const [one, other] = [
      { sets, caller: shared },
      { sets, caller: { ...shared, address: '198.51.100.1' } },
    ]
    await limiter.penalize(await limiter.reserve([one]))
    const refused = await limiter.reserve([one])
    expect(refused.decision.refusedBy?.policy).toBe('narrow-1m')
    await limiter.penalize(refused)
    const policies = async (request: typeof one) =>
      (await limiter.peek([request])).rules.map(({ policy, remaining }) => `${policy} ${remaining}`)
    expect(await policies(one)).toEqual(expect.arrayContaining(['read-1m 10', 'read-total-1m 399', 'plain-1m 19']))
    expect(await policies(other)).toContain('read-1m 20')
    await limiter.close()
  })

  test.each([0, 1.5, -1])('cannot be %d', (penalty) => {
    const declare = () => compileRuleSets('read', [{ by: 'ip', penalty, rules: minute(5) }])
    expect(declare).toThrow('read: rule set 1, penalty: must be a whole number of at least 1')
  })

  test('cannot be paid by all callers together', () => {
    const declare = () => compileRuleSets('read', [{ by: 'site', networks: 20, penalty: 1, rules: minute(5) }])
    expect(declare).toThrow('penalty: must not be said by a set that counts all callers together')
  })
})

describe('while the store fails', () => {
  beforeEach(() => void vi.useFakeTimers())

  test('does not throw when the store cannot refund: refunds in process, where counting continues', async () => {
    const { clock, store } = timedStore()
    const shared = new MemoryStore(clock)
    let isBroken = false
    const asked: Operation['type'][] = []
    const flaky: LimitStore = {
      apply: async (operation) => {
        asked.push(operation.type)
        if (isBroken) throw new Error('gone')
        return shared.apply(operation)
      },
      close: () => shared.close(),
    }
    const log = vi.fn()
    const breaker = new CircuitBreaker(flaky, clock, log)
    const failover = new FailoverStore(flaky, breaker, store, () => 1)
    const failures = { ...plainFacts, count: 'failures', unit: 'bytes' } as const
    const reserve = async (cost: number) => {
      const charges = [{ ...charge('a', [[10, 60_000]], cost), facts: failures }]
      return new Permit(await failover.apply({ type: 'take', charges }), failover)
    }
    const permits = [await reserve(2), await reserve(2), await reserve(2)]

    isBroken = true
    await permits[0]?.refund()
    await permits[1]?.end('succeeded')
    await permits[2]?.settle(1)
    expect(asked).toEqual(['take', 'take', 'take', 'refund'])
    expect(log.mock.calls).toEqual([[{ type: 'degraded', cause: 'gone' }]])
    const local = await reserve(9)
    expect(local.decision).toMatchObject({ allowed: true, decidedBy: 'local', rules: [{ remaining: 0 }] })

    isBroken = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await reserve(1)).decision).toMatchObject({ decidedBy: 'store', rules: [{ remaining: 3 }] })
    await breaker.close()
  })
})

describe('a call under way', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))

  const LEASE_MS = 30_000
  const callOf = (lease: string) => makeCharge('concurrency', 'a', [{ ...plainRule(1, LEASE_MS), lease }])

  function scene() {
    const { clock, store } = timedStore()
    const asked: Operation[] = []
    const watched: LimitStore = {
      apply: (operation) => {
        asked.push(operation)
        return store.apply(operation)
      },
      close: () => store.close(),
    }
    const begin = async (lease: string) => {
      const charges = [callOf(lease), charge('b', [[9, 1_000]])]
      return new Permit(await watched.apply({ type: 'take', charges }), watched)
    }
    const wait = async () => decide(await watched.apply({ type: 'peek', charges: [callOf('other')] })).retryAfterMs
    const pass = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 1_000) {
        clock.time += 1_000
        vi.advanceTimersByTime(1_000)
      }
    }
    const forced = () => asked.filter(({ type }) => type === 'force')
    return { begin, wait, pass, forced }
  }

  test('keeps its place for as long as it lasts, renewed each third of its lease, and of nothing else', async () => {
    const { begin, wait, pass, forced } = scene()
    const permit = (await begin('one')).keep()
    pass(95_000)
    expect(forced()).toEqual(Array(9).fill({ type: 'force', charges: [callOf('one')], of: permit.receipt }))
    expect(await wait()).toBe(25_000)
    await permit.end('failed')
    expect(await wait()).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    pass(30_000)
    expect(forced()).toHaveLength(9)
  })

  test('is renewed once, however often that is asked, and not after its end', async () => {
    const { begin, pass, forced } = scene()
    const permit = await begin('one')
    permit.keep().keep()
    pass(10_000)
    expect(forced()).toHaveLength(1)
    await permit.refund()
    permit.keep()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('of a process that died holds its place for one lease at most', async () => {
    const { begin, wait, pass } = scene()
    const permit = (await begin('one')).keep()
    pass(29_000)
    expect(permit.decision.allowed).toBe(true)
    vi.clearAllTimers()
    expect(await wait()).toBe(21_000)
    pass(20_000)
    expect(await wait()).toBe(1_000)
    pass(1_000)
    expect(await wait()).toBe(0)
  })

  test('that was refused, or has no lease, is not renewed', async () => {
    const { begin } = scene()
    await begin('one')
    ;(await begin('two')).keep()
    const { store } = timedStore()
    new Permit(store.apply({ type: 'take', charges: [charge('b', [[9, 1_000]])] }), store).keep()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('with a lease longer than timers keep is renewed all the same', async () => {
    const { store } = timedStore()
    const long = makeCharge('concurrency', 'a', [{ ...plainRule(1, 366 * 86_400_000), lease: 'one' }])
    const permit = new Permit(store.apply({ type: 'take', charges: [long] }), store)
    const apply = vi.spyOn(store, 'apply')
    permit.keep()
    vi.advanceTimersByTime(2 ** 31 - 2)
    expect(apply).toHaveBeenCalledTimes(0)
    vi.advanceTimersByTime(1)
    expect(apply).toHaveBeenCalledTimes(1)
  })

  test('is renewed for who has its permit, and not for who only asks for a decision', async () => {
    const sets = compileRuleSets('upload', [{ by: 'ip', rules: [{ concurrent: 2 }] }])
    const caller = { address: '192.0.2.1', userId: null, shared: false }
    const limiter = createLimiter({})
    await limiter.take(sets, caller)
    expect(vi.getTimerCount()).toBe(0)
    const permit = await limiter.reserve([{ sets, caller }])
    expect(vi.getTimerCount()).toBe(1)
    expect((await limiter.take(sets, caller)).refusedBy?.policy).toBe('upload-concurrent')
    await permit.end('succeeded')
    expect((await limiter.take(sets, caller)).allowed).toBe(true)
    await limiter.close()
  })
})
