import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectDecidedAlike } from '../../../testing/limits/decided-alike.ts'
import { leakyBucketHistories, tokenBucketHistories } from '../../../testing/limits/histories/buckets.ts'
import { concurrencyHistories } from '../../../testing/limits/histories/concurrency.ts'
import { fixedWindowHistories } from '../../../testing/limits/histories/fixed-window.ts'
import { slidingWindowCounterHistories } from '../../../testing/limits/histories/sliding-window-counter.ts'
import { slidingWindowLogHistories } from '../../../testing/limits/histories/sliding-window-log.ts'
import type { HistoryOptions } from '../../../testing/limits/histories.ts'
import { type RedisServer, startRedisServer } from '../../../testing/redis-server.ts'
import { redisUnderTest } from '../../../testing/redis-under-test.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis[Symbol.asyncDispose]())

const kinds: readonly (readonly [string, HistoryOptions])[] = [
  ['sliding-window-log', slidingWindowLogHistories],
  ['fixed-window', fixedWindowHistories],
  ['sliding-window-counter', slidingWindowCounterHistories],
  ['leaky-bucket', leakyBucketHistories],
  ['token-bucket', tokenBucketHistories],
  ['concurrency', concurrencyHistories],
]

/** A key of each algorithm and more: a call is charged to any of them together. */
const mixed: HistoryOptions = {
  charges: kinds.flatMap(([, { charges }]) => charges.slice(0, 2)),
  stepsMs: [...new Set(kinds.flatMap(([, { stepsMs }]) => stepsMs))],
}

describe('on Redis, in process and in the model', () => {
  test.each(kinds)('10,000 random histories of %s are decided alike', { timeout: 120_000 }, async (_, options) => {
    await expectDecidedAlike(redis.url, options, 10_000)
  })

  test('10,000 random histories of all algorithms together are decided alike', { timeout: 240_000 }, async () => {
    await expectDecidedAlike(redis.url, mixed, 10_000)
  })

  test.each(redisUnderTest())('and 2,000 on $name', { timeout: 120_000 }, async ({ open }) => {
    await using other = await open()
    await expectDecidedAlike(other.url, mixed, 2_000)
  })
})
