import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCharge, plainRule } from '#testing/limits/charges.ts'
import { expectDecidedAlike } from '#testing/limits/decided-alike.ts'
import { slidingWindowCounterHistories } from '#testing/limits/histories/sliding-window-counter.ts'
import { answersIn } from '#testing/limits/receipts.ts'
import { sample } from '#testing/sampled.ts'
import { redisUnderTest } from '#testing/servers/redis-under-test.ts'
import type { Operation } from '../../store.ts'
import { loadLimitScript } from './lua-script.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'

const MINUTE = { ...plainRule(5, 60_000), samples: 6, isWhole: false }
const HOUR = { ...plainRule(50, 3_600_000), samples: 2, isWhole: true }

describe.each(redisUnderTest())('the sliding window counter on $name', ({ open }) => {
  let server: Awaited<ReturnType<typeof open>>
  let client: Redis
  let store: RedisStore
  const clock = randomUUID()
  let key: string

  beforeAll(async () => {
    server = await open()
    client = new Redis(server.url)
    const script = loadLimitScript(`return tonumber(redis.call('GET', '${clock}'))`)
    store = new RedisStore({ client: connectRedis(server.url), script, deadlineMs: 30_000 })
  })
  beforeEach(() => {
    key = randomUUID()
  })
  afterAll(async () => {
    client.disconnect()
    await store.close()
    await server[Symbol.asyncDispose]()
  })

  const charges = (cost = 1) => [makeCharge('sliding-window-counter', key, [MINUTE, HOUR], cost)]
  const applyAt = async (now: number, operation: Operation) => {
    await client.set(clock, now)
    return store.apply(operation)
  }
  /** As they are named where a key has two rules. */
  const field = (rule: 1 | 2, subWindow: number) => String(subWindow * 2 + rule)
  const fieldsOfKey = async () => Object.entries(await client.hgetall(key)).toSorted()

  test('random histories are decided alike here, in process and in the model', async () => {
    await expectDecidedAlike(server.url, slidingWindowCounterHistories, sample(2_000, 200))
  })

  test('a field for each rule and sub-window that has permits, and none of a stale one while traffic lasts', async () => {
    await applyAt(5_000_000, { type: 'take', charges: charges(2) })
    await applyAt(5_009_999, { type: 'take', charges: charges() })
    await applyAt(5_010_000, { type: 'take', charges: charges() })
    expect(await fieldsOfKey()).toEqual([
      [field(1, 500), '3'],
      [field(1, 501), '1'],
      [field(2, 2), '4'],
    ])
    await applyAt(5_000_000 + 3_600_000, { type: 'take', charges: charges() })
    expect(await fieldsOfKey()).toEqual([
      [field(2, 4), '1'],
      [field(1, 860), '1'],
      [field(2, 2), '4'],
    ])
  })

  test('the key lives for milliseconds, not seconds taken for them: until its newest sub-window is out of the longest window', async () => {
    const now = 5_000_000
    await applyAt(now, { type: 'take', charges: charges() })
    const whole = 3 * 1_800_000 + 3_600_000 - now
    const left = await client.pttl(key)
    expect(left).toBeGreaterThan(whole - 10_000)
    expect(left).toBeLessThanOrEqual(whole)
    await applyAt(now, { type: 'refund', charges: charges(), at: [now] })
    expect(await client.exists(key)).toBe(0)
    await applyAt(now, { type: 'refund', charges: charges(), at: [now] })
    expect(await client.exists(key)).toBe(0)
  })

  test('a take renews the expiry of the key only where a sub-window begins, with which it changes', async () => {
    await applyAt(5_000_000, { type: 'take', charges: charges() })
    await client.pexpire(key, 100_000)
    await applyAt(5_000_001, { type: 'take', charges: charges() })
    expect(await client.pttl(key)).toBeLessThanOrEqual(100_000)
    await applyAt(5_010_000, { type: 'take', charges: charges() })
    expect(await client.pttl(key)).toBeGreaterThan(100_000)
  })

  test('giving back takes off the fields of that instant, and keeps the expiry of the key', async () => {
    await applyAt(5_000_000, { type: 'take', charges: charges(3) })
    await client.pexpire(key, 100_000)
    await applyAt(5_000_001, { type: 'refund', charges: charges(), at: [5_000_000] })
    expect(await fieldsOfKey()).toEqual([
      [field(1, 500), '2'],
      [field(2, 2), '2'],
    ])
    expect(await client.pttl(key)).toBeLessThanOrEqual(100_000)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a string', () => client.set(key, '5')],
    ['a list', () => client.rpush(key, 5)],
    ['a set', () => client.sadd(key, 5)],
    ['a ZSET', () => client.zadd(key, 1, 'a1')],
    [
      'a hash of something else',
      () => client.hset(key, { count: '5', [field(1, 500)]: 'abc', [field(2, 2)]: '-7', '1e3': '3' }),
    ],
    ['counts too large to add to', () => client.hset(key, { [field(1, 500)]: '9'.repeat(19), '0': '1', '1:2': '1' })],
  ])('%s under a key is no history and is replaced', async (_, plant) => {
    await plant()
    const answers = answersIn(await applyAt(5_000_000, { type: 'take', charges: charges() }))
    expect(answers.map(({ remaining, waitMs }) => [remaining, waitMs])).toEqual([
      [4, 0],
      [49, 0],
    ])
    expect(await fieldsOfKey()).toEqual([
      [field(1, 500), '1'],
      [field(2, 2), '1'],
    ])
    expect(await client.pttl(key)).toBeGreaterThan(0)
  })

  test('a refund of a key of another type changes nothing', async () => {
    await client.set(key, '5')
    await applyAt(5_000_000, { type: 'refund', charges: charges(), at: [5_000_000] })
    expect(await client.get(key)).toBe('5')
  })

  test('a refusal writes nothing, and mends a key that has lost its expiry', async () => {
    await applyAt(5_000_000, { type: 'take', charges: charges(5) })
    const before = await fieldsOfKey()
    await client.persist(key)
    const answers = answersIn(await applyAt(5_000_001, { type: 'take', charges: charges() }))
    expect(answers.map(({ waitMs }) => waitMs > 0)).toEqual([true, false])
    expect(await fieldsOfKey()).toEqual(before)
    expect(await client.pttl(key)).toBeGreaterThan(0)
  })
})
