import { afterAll, beforeAll, describe, test } from 'vitest'
import { type RedisServer, startRedisServer } from '../servers/redis-server.ts'
import { redisUnderTest } from '../servers/redis-under-test.ts'
import { expectDecidedAlike } from './decided-alike.ts'
import { leakyBucketHistories, tokenBucketHistories } from './histories/buckets.ts'
import { concurrencyHistories } from './histories/concurrency.ts'
import { fixedWindowHistories } from './histories/fixed-window.ts'
import { slidingWindowCounterHistories } from './histories/sliding-window-counter.ts'
import { slidingWindowLogHistories } from './histories/sliding-window-log.ts'
import type { HistoryOptions } from './histories.ts'

const kinds: readonly (readonly [string, HistoryOptions])[] = [
  ['sliding-window-log', slidingWindowLogHistories],
  ['fixed-window', fixedWindowHistories],
  ['sliding-window-counter', slidingWindowCounterHistories],
  ['leaky-bucket', leakyBucketHistories],
  ['token-bucket', tokenBucketHistories],
  ['concurrency', concurrencyHistories],
]

/** One or more keys of each algorithm; a call is charged to any combination of them. */
const mixed: HistoryOptions = {
  charges: kinds.flatMap(([, { charges }]) => charges.slice(0, 2)),
  stepsMs: [...new Set(kinds.flatMap(([, { stepsMs }]) => stepsMs))],
}

/** Plays this many histories of each kind on a Redis, in process and in the model, and a fifth on each other Redis under test. */
export function describeEqual(histories: number): void {
  describe('on Redis, in process and in the model', () => {
    let redis: RedisServer
    beforeAll(async () => {
      redis = await startRedisServer()
    })
    afterAll(() => redis[Symbol.asyncDispose]())

    test.each(kinds)('random histories of %s are decided alike', { timeout: 120_000 }, async (_, options) => {
      await expectDecidedAlike(redis.url, options, histories)
    })

    test('random histories of all algorithms together are decided alike', { timeout: 240_000 }, async () => {
      await expectDecidedAlike(redis.url, mixed, histories)
    })

    test.each(redisUnderTest())('and on $name', { timeout: 120_000 }, async ({ open }) => {
      await using other = await open()
      await expectDecidedAlike(other.url, mixed, histories / 5)
    })
  })
}
