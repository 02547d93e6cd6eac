import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { instantsIn } from '#testing/limits/receipts.ts'
import { makeCharge, plainRule } from '../../../../testing/limits/charges.ts'
import { findNewerRedis, newerRedis } from '../../../../testing/servers/redis-programs.ts'
import { type RedisServer, startRedisServer } from '../../../../testing/servers/redis-server.ts'
import { loadLimitScript } from './lua-script.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'

const MINUTE = { ...plainRule(5, 60_000), samples: 6, isWhole: false }
const HOUR = { ...plainRule(50, 3_600_000), samples: 2, isWhole: true }
const charges = (cost = 1) => [makeCharge('sliding-window-counter', 'a', [MINUTE, HOUR], cost)]

describe.each(newerRedis.map(findNewerRedis))('the fields of a sliding window counter on $name', (program) => {
  let server: RedisServer
  let client: Redis
  let store: RedisStore
  beforeAll(async () => {
    server = await startRedisServer([], program)
    client = new Redis(server.url)
    store = new RedisStore({ client: connectRedis(server.url), script: loadLimitScript(), deadlineMs: 30_000 })
  })
  beforeEach(() => client.flushall())
  afterAll(async () => {
    client.disconnect()
    await store.close()
    await server[Symbol.asyncDispose]()
  })

  const take = async (cost?: number) => {
    const at = instantsIn(await store.apply({ type: 'take', charges: charges(cost) }))
    return at[0] ?? 0
  }
  const fieldsAt = (now: number) =>
    [`${Math.floor(now / 10_000) * 2 + 1}`, `${Math.floor(now / 1_800_000) * 2 + 2}`] as const
  /** When each expires, in milliseconds since 1970; -1 for never. */
  const expiriesAt = (now: number) => client.call('HPEXPIRETIME', 'a', 'FIELDS', 2, ...fieldsAt(now))

  test('each expires separately, at the end of its sub-window plus its window', async () => {
    const now = await take()
    expect(await expiriesAt(now)).toEqual([
      Math.floor(now / 10_000) * 10_000 + 10_000 + 60_000,
      Math.floor(now / 1_800_000) * 1_800_000 + 1_800_000 + 3_600_000,
    ])
  })

  test('giving back keeps their expiry', async () => {
    const now = await take(3)
    const before = await expiriesAt(now)
    await store.apply({ type: 'refund', charges: charges(), at: [now] })
    expect(await client.hmget('a', ...fieldsAt(now))).toEqual(['2', '2'])
    expect(await expiriesAt(now)).toEqual(before)
  })

  test('their expiry is set once, when they are made', async () => {
    const first = await take()
    await client.call('HPERSIST', 'a', 'FIELDS', 2, ...fieldsAt(first))
    const [minute, hour] = fieldsAt(await take())
    const expiries = await client.call('HPEXPIRETIME', 'a', 'FIELDS', 2, minute, hour)
    // Between the two a new sub-window may have begun, whose field is new.
    const kept = fieldsAt(first).map((field, i) => (field === [minute, hour][i] ? -1 : expect.any(Number)))
    expect(expiries).toEqual(kept)
  })

  test('an expired field is gone, and the others stay', async () => {
    const [minute, hour] = fieldsAt(await take())
    await client.call('HPEXPIRE', 'a', 1, 'FIELDS', 1, minute)
    while ((await client.hexists('a', minute)) === 1);
    expect(await client.hgetall('a')).toEqual({ [hour]: '1' })
  })
})
