import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chargeOf, plainRule } from '../../../testing/limits/charges.ts'
import { type RedisServer, startRedisServer } from '../../../testing/redis-server.ts'
import type { Operation } from '../store.ts'
import { loadLimitScript } from './lua-script.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'

let redis: RedisServer
let client: Redis
let store: RedisStore
beforeAll(async () => {
  redis = await startRedisServer()
  client = new Redis(redis.url)
  store = new RedisStore({ client: connectRedis(redis.url), script: loadLimitScript(), deadlineMs: 30_000 })
})
beforeEach(() => client.flushall())
afterAll(async () => {
  client.disconnect()
  await store.close()
  await redis[Symbol.asyncDispose]()
})

function operation(type: 'take' | 'force', lease: string, limit = 2, windowMs = 60_000) {
  return { type, charges: [chargeOf('concurrency', 'a', [{ ...plainRule(limit, windowMs), lease }])] }
}

async function wait(asked: Operation): Promise<readonly number[]> {
  const { answers } = await store.apply(asked)
  return answers.map(({ waitMs }) => waitMs)
}

test('a key holds the names of those under way, and expires one lease after the last was taken', async () => {
  for (const lease of ['one', 'two']) expect(await wait(operation('take', lease))).toEqual([0])
  const [at] = (await store.apply(operation('force', 'one'))).at
  expect((await client.zrange('a', 0, '-1')).toSorted()).toEqual(['one', 'two'])
  expect(await client.zscore('a', 'one')).toBe(String(Number(at) + 60_000))
  expect(await client.pttl('a')).toBeGreaterThan(0)
  expect(await client.pttl('a')).toBeLessThanOrEqual(60_000)
})

test('the last to end takes the key with it', async () => {
  const asked = operation('take', 'one')
  const { at } = await store.apply(asked)
  await store.apply({ ...asked, type: 'refund', at })
  expect(await client.exists('a')).toBe(0)
})

test('leases of the dead go when one is taken', async () => {
  await client.zadd('a', 1, 'long dead', 2, 'dead')
  await store.apply(operation('take', 'one'))
  expect(await client.zrange('a', 0, '-1')).toEqual(['one'])
})

test('a key without expiry, and one that holds something else, are mended', async () => {
  await store.apply(operation('take', 'one', 1))
  await client.persist('a')
  expect(await wait(operation('take', 'two', 1))).not.toEqual([0])
  expect(await client.pttl('a')).toBeGreaterThan(0)
  await client.set('a', 'text')
  expect(await wait(operation('take', 'two', 1))).toEqual([0])
  expect(await client.zrange('a', 0, '-1')).toEqual(['two'])
  await client.set('a', 'text')
  await store.apply({ ...operation('take', 'two'), type: 'refund', at: [0] })
})

test('a place whose process died is free after its lease', async () => {
  expect(await wait(operation('take', 'dead', 1, 1))).toEqual([0])
  await expect.poll(() => wait(operation('take', 'next', 1, 1)), { interval: 2 }).toEqual([0])
})
