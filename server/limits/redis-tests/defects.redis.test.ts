/** What the scripts that the sliding window log descends from got wrong: what holds here, and behind it their defect. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { charge } from '#testing/limits/charges.ts'
import { redisHarness, type StoreHarness } from '#testing/limits/harness.ts'
import { answersIn } from '#testing/limits/receipts.ts'
import { type RedisServer, startRedisServer } from '#testing/servers/redis-server.ts'
import { createLimiter, type Limiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'
import { loadLimitScript } from '../stores/redis/lua-script.ts'
import { RedisStore } from '../stores/redis/redis-store.ts'

let redis: RedisServer
let client: Redis
beforeAll(async () => {
  redis = await startRedisServer()
  client = new Redis(redis.url)
})
beforeEach(() => client.flushall())
afterAll(async () => {
  client.disconnect()
  await redis[Symbol.asyncDispose]()
})

const START = 1_763_700_000_000
const ann = { address: '192.0.2.1', userId: 'ann', shared: false }
const setsOf = (...rules: [limit: number, window: number][]) =>
  compileRuleSets(
    'view',
    rules.map(([limit, window]) => ({ by: 'user', rules: [{ limit, window }] })),
  )

/** How many of the steps passed. */
async function passed(harness: StoreHarness, steps: Parameters<StoreHarness['play']>[0]): Promise<number> {
  const played = await harness.play(steps)
  return played.filter((answers) => answers.every(({ waitMs }) => waitMs === 0)).length
}

/** How many of as many calls at once passed. */
async function allowed(limiter: Limiter, sets: ReturnType<typeof setsOf>, calls: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: calls }, () => limiter.take(sets, ann)))
  expect(decisions.map(({ decidedBy }) => decidedBy)).not.toContain('local')
  return decisions.filter((decision) => decision.allowed).length
}

function limiterAt(aheadMs: number): Limiter {
  return createLimiter({ redisUrl: redis.url, clock: { now: () => Date.now() + aheadMs }, deadlineMs: 20_000 })
}

describe('a log of several rules', () => {
  test('names nothing but its key among the keys, so that a key prefix does no harm (time and id among the keys)', async () => {
    const prefixed = new Redis(redis.url, { keyPrefix: 'app:' })
    const store = new RedisStore({ client: prefixed, script: loadLimitScript(), deadlineMs: 20_000 })
    const call = [
      charge('{ann}:view', [
        [1, 60_000],
        [9, 3_600_000],
      ]),
    ]
    const waits = async () =>
      answersIn(await store.apply({ type: 'take', charges: call })).map(({ waitMs }) => waitMs > 0)
    expect([await waits(), await waits()]).toEqual([
      [false, false],
      [true, false],
    ])
    expect(await client.keys('*')).toEqual(['app:{ann}:view'])
    await store.close()
  })

  test('refuses no call of a steady 5 a second (inclusive bounds refuse one in six)', async () => {
    await using harness = await redisHarness(redis.url)
    const steps = Array.from({ length: 60 }, (_, i) => ({ at: START + i * 200, charges: [charge('a', [[5, 1_000]])] }))
    expect(await passed(harness, steps)).toBe(60)
  })

  test("counts together whose clocks are 70 seconds apart (by the client's time each has the other's entries trimmed)", async () => {
    const [ahead, right] = [limiterAt(70_000), limiterAt(0)]
    const sets = setsOf([5, 60_000])
    let admitted = 0
    for (const limiter of [right, ahead, right, ahead]) admitted += await allowed(limiter, sets, 5)
    expect(admitted).toBe(5)
    await Promise.all([ahead.close(), right.close()])
  })

  test('frees and removes an entry at the instant at which it is as old as the window (check and trim disagree)', async () => {
    await using harness = await redisHarness(redis.url)
    const at = (after: number) => ({ at: START + after, charges: [charge('a', [[2, 60_000]])] })
    const waits = (await harness.play([at(0), at(1), at(59_999), at(60_000), at(60_000), at(60_001)])).flat()
    expect(waits.map(({ waitMs }) => waitMs)).toEqual([0, 0, 1, 0, 1, 0])
    const [key = ''] = await client.keys('*:a')
    expect(await client.zrange(key, 0, '-1', 'WITHSCORES')).toEqual([
      'a3',
      String(START + 60_000),
      'a4',
      String(START + 60_001),
    ])
  })

  test("of a minute keeps what it holds when a set of a second is charged (trimmed to the call's longest window)", async () => {
    const limiter = limiterAt(0)
    const [minute, second] = [setsOf([10, 60_000]), setsOf([5, 1_000])]
    expect(await allowed(limiter, minute, 12)).toBe(10)
    expect(await allowed(limiter, second, 1)).toBe(1)
    expect(await allowed(limiter, minute, 5)).toBe(0)
    expect(await client.keys('*')).toHaveLength(2)
    await limiter.close()
  })

  test('lets 5 of 50 calls of one instant pass (an id that the caller uses again: all 50)', async () => {
    const limiter = createLimiter({ redisUrl: redis.url, clock: { now: () => 0 }, deadlineMs: 20_000 })
    expect(await allowed(limiter, setsOf([5, 60_000]), 50)).toBe(5)
    await limiter.close()
  })

  test('names the rule that refuses for longest (the first that refuses hides it)', async () => {
    const limiter = limiterAt(0)
    const sets = compileRuleSets('view', [
      {
        by: 'user',
        rules: [
          { limit: 3, window: '1h' },
          { limit: 2, window: '2h' },
        ],
      },
    ])
    await limiter.take(sets, ann)
    await limiter.take(sets, ann)
    const { refusedBy, retryAfterMs, rules } = await limiter.take(sets, ann, 2)
    expect(refusedBy?.policy).toBe('view-2h')
    expect(retryAfterMs).toBeGreaterThan(3_600_000)
    expect(rules.map(({ policy, remaining }) => [policy, remaining])).toEqual([
      ['view-1h', 1],
      ['view-2h', 0],
    ])
    await limiter.close()
  })
})

describe('calls of one millisecond', () => {
  test('are a member each: of 100 at a limit of 5 exactly 5 pass (members that are times: all)', async () => {
    await using harness = await redisHarness(redis.url)
    const steps = Array.from({ length: 100 }, () => ({ at: START, charges: [charge('a', [[5, 60_000]])] }))
    expect(await passed(harness, steps)).toBe(5)
    const [key = ''] = await client.keys('*:a')
    expect(await client.zcard(key)).toBe(5)
  })

  test('on the server’s clock: of 2,000 at once exactly 5 pass (members that are times: up to 274)', async () => {
    const limiter = limiterAt(0)
    expect(await allowed(limiter, setsOf([5, 60_000]), 2_000)).toBe(5)
    await limiter.close()
  })
})
