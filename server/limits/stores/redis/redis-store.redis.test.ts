import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { charge } from '../../../../testing/limits/charges.ts'
import { type RedisServer, startRedisServer } from '../../../../testing/servers/redis-server.ts'
import type { Charge } from '../../store.ts'
import { loadLimitScript } from './lua-script.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'

let redis: RedisServer
let admin: Redis
let store: RedisStore

beforeEach(async () => {
  redis = await startRedisServer()
  admin = new Redis(redis.url)
  store = new RedisStore({ client: connectRedis(redis.url), script: loadLimitScript(), deadlineMs: 20_000 })
  await take('first')
  await admin.config('RESETSTAT')
})
afterEach(async () => {
  admin.disconnect()
  await store.close()
  await redis[Symbol.asyncDispose]()
})

function take(key: string, limit = 1): Promise<boolean> {
  return takeOf(charge(key, [[limit, 3_600_000]]))
}

async function takeOf(own: Charge): Promise<boolean> {
  const answers = answersIn(await store.apply({ type: 'take', charges: [own] }))
  return answers.every(({ waitMs }) => waitMs === 0)
}

async function callsOf(command: string): Promise<number> {
  const stats = await admin.info('commandstats')
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
}

test('the operations of one turn are one script call, decided in order', async () => {
  expect(await Promise.all([take('a'), take('b'), take('a'), take('c'), take('b')])).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
  expect(await callsOf('evalsha')).toBe(1)
})

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve))

test('who is alone leaves with what the same microtasks ask for', async () => {
  const second = Promise.resolve().then(() => take('b'))
  expect(await Promise.all([take('a'), second])).toEqual([true, true])
  expect(await callsOf('evalsha')).toBe(1)
})

test('while a trip is under way, the operations of a whole turn are one script call', async () => {
  const first = take('a')
  await nextTick()
  const second = take('b')
  await nextTick()
  expect(await Promise.all([first, second, take('c')])).toEqual([true, true, true])
  expect(await callsOf('evalsha')).toBe(2)
})

test.each([
  [32, 1],
  [33, 2],
  [64, 2],
  [128, 2],
  [129, 3],
])('%d operations of one turn are %d trips', async (operations, trips) => {
  await Promise.all(Array.from({ length: operations }, (_, i) => take(`a-${i}`)))
  expect(await callsOf('evalsha')).toBe(trips)
})

test('an operation that fails harms no other of its trip', async () => {
  // Longer than Redis keeps anything: an error in the middle of the operation.
  const broken = charge('broken', [[1, 9e18]])
  const results = await Promise.allSettled([take('a'), takeOf(broken), take('a'), take('b')])
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    true,
    'failed',
    false,
    true,
  ])
  expect(await callsOf('evalsha')).toBe(1)
})

test('where memory is full, what writes fails, and what only looks does not', async () => {
  await admin.config('SET', 'maxmemory', '1')
  const peek = store.apply({ type: 'peek', charges: [charge('first', [[1, 3_600_000]])] })
  const [full, looked] = await Promise.allSettled([take('a'), peek])
  expect([full.status, looked.status]).toEqual(['rejected', 'fulfilled'])
  await admin.config('SET', 'maxmemory', '0')
  expect(await take('a')).toBe(true)
})

test('the deadline ends every operation of a trip, which is reported once', async () => {
  const trips: boolean[] = []
  const hasty = new RedisStore({
    ...{ client: connectRedis(redis.url), script: loadLimitScript(), deadlineMs: 50 },
    onTrip: (_ms, hasFailed) => trips.push(hasFailed),
  })
  const peek = () => hasty.apply({ type: 'peek', charges: [charge('a', [[1, 1_000]])] })
  // A busy machine connects later than that.
  await expect
    .poll(() =>
      peek().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  expect(trips.at(-1)).toBe(false)
  const before = trips.length
  redis.freeze()
  const all = ['a', 'b', 'c'].map((key) => hasty.apply({ type: 'take', charges: [charge(key, [[1, 1_000]])] }))
  const results = await Promise.allSettled(all)
  redis.thaw()
  await admin.ping()
  expect(trips.slice(before)).toEqual([true])
  expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual(
    all.map(() => 'Redis gave no answer within 50 ms'),
  )
  await hasty.close()
})

test('a trip that Redis has forgotten the script of counts each of its operations once', async () => {
  await admin.script('FLUSH')
  expect(await Promise.all([take('a', 9), take('a', 9), take('b', 9)])).toEqual([true, true, true])
  expect([await callsOf('evalsha'), await callsOf('eval')]).toEqual([1, 1])
  expect([await admin.zcard('a'), await admin.zcard('b')]).toEqual([2, 1])
})
