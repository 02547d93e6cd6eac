import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectDecidedAlike } from '../../../testing/limits/decided-alike.ts'
import { leakyBucketHistories, tokenBucketHistories } from '../../../testing/limits/histories/buckets.ts'
import { concurrencyHistories } from '../../../testing/limits/histories/concurrency.ts'
import { fixedWindowHistories } from '../../../testing/limits/histories/fixed-window.ts'
import { slidingWindowCounterHistories } from '../../../testing/limits/histories/sliding-window-counter.ts'
import { slidingWindowLogHistories } from '../../../testing/limits/histories/sliding-window-log.ts'
import type { HistoryOptions } from '../../../testing/limits/histories.ts'
import { type RedisServer, startRedisServer } from '../../../testing/redis-server.ts'

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

describe('on Redis, in process and in the model', () => {
  test.each(kinds)('10,000 random histories of %s are decided alike', { timeout: 120_000 }, async (_, options) => {
    await expectDecidedAlike(redis.url, options, 10_000)
  })
})
