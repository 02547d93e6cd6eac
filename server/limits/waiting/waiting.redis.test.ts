import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chargesOfCall } from '../../../testing/limits/waiting.ts'
import { freePort } from '../../../testing/servers/free-port.ts'
import { type RedisServer, startRedisServer } from '../../../testing/servers/redis-server.ts'
import { systemClock } from '../clock.ts'
import { SoloFleet } from '../fleet/fleet.ts'
import { createLimiter } from '../limiter.ts'
import { Returns } from '../returns.ts'
import type { RuleSet } from '../rule-set.ts'
import { compileRuleSets } from '../rules/compile.ts'
import type { LimitStore, Operation } from '../store.ts'
import { loadLimitScript } from '../stores/redis/lua-script.ts'
import { connectRedis } from '../stores/redis/redis-client.ts'
import { RedisStore } from '../stores/redis/redis-store.ts'
import { jitterBetweenProcesses, WaitingRoom } from './waiting-room.ts'

let redis: RedisServer

beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis[Symbol.asyncDispose]())

const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
const compiled = (set: RuleSet) => compileRuleSets('call', [set])

function watchedRedis() {
  const redisStore = new RedisStore({ client: connectRedis(redis.url), script: loadLimitScript(), deadlineMs: 20_000 })
  const calls: Operation['type'][] = []
  let replies = 0
  const second = Promise.withResolvers<void>()
  const store: LimitStore = {
    apply: async (operation) => {
      calls.push(operation.type)
      const receipt = await redisStore.apply(operation)
      replies += 1
      if (replies === 2) second.resolve()
      return receipt
    },
    close: () => redisStore.close(),
  }
  return { store, calls, repliedTwice: second.promise }
}

test('200 calls pass in order, each with one request, and never more than the limit in any window', async () => {
  const { store, calls, repliedTwice } = watchedRedis()
  const jitterMs = jitterBetweenProcesses()
  const returns = new Returns(new SoloFleet())
  const room = new WaitingRoom({ clock: systemClock, store, returns, jitterMs, waitersPerProcess: 500 })
  const set: RuleSet = { name: 'queue', by: 'user', rules: [{ limit: 10, window: '100ms' }], wait: '1m' }
  const instants: number[] = []
  const order: number[] = []
  const take = async (number: number, cost = 1) => {
    const permit = await room.admit(chargesOfCall('', [set], { cost }), [])
    expect(permit.decision.allowed).toBe(true)
    order.push(number)
    instants.push(permit.receipt.lines[0]?.at.store ?? Number.NaN)
  }

  await take(0, 10)
  const first = take(1)
  // It is refused, and from then on there is a queue. In the same turn, however slow the machine, because otherwise its
  // time would come.
  await repliedTwice
  await setImmediate()
  const rest = Array.from({ length: 199 }, (_, index) => take(index + 2))
  await Promise.all([first, ...rest])

  expect(order).toEqual(Array.from({ length: 201 }, (_, index) => index))
  expect(calls).toEqual(Array.from({ length: 1 + 1 + 200 }, () => 'take'))
  const counted = [...Array.from({ length: 10 }, () => instants[0] ?? 0), ...instants.slice(1)]
  const crowded = counted.filter((at, index) => index >= 10 && at - (counted[index - 10] ?? 0) < 100)
  expect(crowded).toEqual([])
  await store.close()
})

test('processes that wait for the same key all get their permits, each in its own order', async () => {
  const limiters = [0, 1, 2].map(() => createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 }))
  const sets = compiled({ name: 'shared', by: 'user', rules: [{ limit: 5, window: '100ms' }], wait: '1m' })
  const orders = limiters.map(async (limiter) => {
    const order: number[] = []
    const calls = Array.from({ length: 10 }, async (_, number) => {
      const { allowed, decidedBy } = await limiter.take(sets, caller)
      expect([allowed, decidedBy]).toEqual([true, 'store'])
      order.push(number)
    })
    await Promise.all(calls)
    return order
  })
  const inOrder = Array.from({ length: 10 }, (_, number) => number)
  expect(await Promise.all(orders)).toEqual([inOrder, inOrder, inOrder])
  for (const limiter of limiters) await limiter.close()
})

test('a call that ends in another process makes room here', async () => {
  const [here, there] = [0, 1].map(() => createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 }))
  const sets = compiled({ name: 'flight', by: 'user', rules: [{ concurrent: 1, lease: '1h' }], wait: '20s' })
  const permit = await there?.reserve([{ sets, caller }])
  const waiting = here?.reserve([{ sets, caller }])
  await permit?.end('succeeded')
  expect((await waiting)?.decision.allowed).toBe(true)
  await Promise.all([here?.close(), there?.close()])
})

test('a cancelled call takes nothing', async () => {
  const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
  const request = {
    sets: compiled({ name: 'given-up', by: 'user', rules: [{ limit: 9, window: '1h' }], wait: '1s' }),
    caller,
  }
  await limiter.check()
  const leaving = new AbortController()
  const left = limiter.reserve([request], { signal: leaving.signal })
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await expect.poll(async () => (await limiter.peek([request])).rules[0]?.remaining).toBe(9)
  await limiter.close()
})

test('while Redis fails, calls wait by the counts of this process', async () => {
  const limiter = createLimiter({ redisUrl: `redis://127.0.0.1:${await freePort()}` })
  const sets = compiled({ name: 'alone', by: 'user', rules: [{ limit: 1, window: '200ms' }], wait: '5s' })
  const [first, second] = await Promise.all([limiter.take(sets, caller), limiter.take(sets, caller)])
  expect([first.allowed, first.decidedBy, second.allowed, second.decidedBy]).toEqual([true, 'local', true, 'local'])
  expect(second.waitedMs).toBeGreaterThanOrEqual(200)
  await limiter.close()
})

test('while Redis fails, no call waits for a set that denies', async () => {
  const limiter = createLimiter({ redisUrl: `redis://127.0.0.1:${await freePort()}` })
  const rules: RuleSet['rules'] = [{ limit: 1, window: '200ms' }]
  const sets = compiled({ name: 'denied', by: 'user', rules, wait: '1h', onStoreFailure: 'deny' })
  const { allowed, decidedBy, waitedMs, retryAfterMs } = await limiter.take(sets, caller)
  expect([allowed, decidedBy, waitedMs, retryAfterMs]).toEqual([false, 'policy', 0, 5_000])
  await limiter.close()
})
