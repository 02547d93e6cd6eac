/** What is known to break in limiters of this kind and is tested nowhere else: what holds here, and behind it the pitfall. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { charge } from '#testing/limits/charges.ts'
import { memoryHarness, redisHarness, type Step } from '#testing/limits/harness.ts'
import { type RedisServer, startRedisServer } from '#testing/servers/redis-server.ts'
import { createLimiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis[Symbol.asyncDispose]())

const START = 1_763_700_000_000

describe.each([
  ['on Redis', () => redisHarness(redis.url)],
  ['in process', memoryHarness],
] as const)('a log %s', (_, open) => {
  test('counts totals beyond 10^15 exactly (Lua writes numbers of 16 digits without the last two)', async () => {
    await using store = await open()
    const half = 499_999_999_999
    const at = (i: number, cost: number): Step => {
      return { at: START + i * 30_000, charges: [charge('a', [[1e12, 60_000]], cost)] }
    }
    await store.play(Array.from({ length: 2_001 }, (_, i) => at(i, half)))
    const [answers] = await store.play([at(2_001, 7)])
    expect(answers).toEqual([{ remaining: 1e12 - half - 7, resetMs: 30_000, waitMs: 0, delayMs: 0 }])
  })

  test('refunds the first of 10,000 calls (a list too long to unpack)', async () => {
    await using store = await open()
    const charges = [charge('a', [[20_000, 60_000]])]
    for (let from = 0; from < 10_000; from += 1_000) {
      await store.play(Array.from({ length: 1_000 }, (_, i) => ({ at: START + from + i, charges })))
    }
    const back: Step = { at: START + 10_000, operation: { type: 'refund', charges, at: [START] } }
    const look: Step = { at: START + 10_000, operation: { type: 'peek', charges } }
    const [, answers] = await store.play([back, look])
    expect(answers).toEqual([{ remaining: 10_001, resetMs: 50_001, waitMs: 0, delayMs: 0 }])
  })

  test('has the rest of a raised limit at once, and keeps what was used (raising a limit denies)', async () => {
    await using store = await open()
    const at = (limit: number, cost: number): Step => ({ at: START, charges: [charge('a', [[limit, 60_000]], cost)] })
    const answers = (await store.play([at(5, 5), at(5, 1), at(9, 4), at(9, 1)])).flat()
    expect(answers.map(({ remaining, waitMs }) => [remaining, waitMs])).toEqual([
      [0, 0],
      [0, 60_000],
      [0, 0],
      [0, 60_000],
    ])
  })
})

test('a reset of the subject * resets no other (a reset by a pattern)', async () => {
  const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
  const client = new Redis(redis.url)
  const sets = compileRuleSets('view', [{ by: 'user', rules: [{ limit: 1, window: '1h', blockFor: '2h' }] }])
  const callers = ['*', 'ann', '?', '[a-z]*'].map((userId) => ({ address: '192.0.2.1', userId, shared: false }))
  for (const caller of [...callers, ...callers]) await limiter.take(sets, caller)
  await limiter.reset([{ sets, caller: { address: '192.0.2.1', userId: '*', shared: false } }])
  const decisions = await Promise.all(callers.map((caller) => limiter.peek([{ sets, caller }])))
  expect(decisions.map(({ allowed, decidedBy }) => [allowed, decidedBy])).toEqual([
    [true, 'store'],
    [false, 'store'],
    [false, 'store'],
    [false, 'store'],
  ])
  expect(await client.keys('RATE:LIMIT:{ann}:*')).toHaveLength(2)
  client.disconnect()
  await limiter.close()
})
