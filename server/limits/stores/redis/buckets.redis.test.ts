import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answersIn, instantsIn } from '#testing/limits/receipts.ts'
import { leakyBucketRule, tokenBucketRule } from '../../../../testing/limits/buckets.ts'
import { makeCharge } from '../../../../testing/limits/charges.ts'
import { redisHarness } from '../../../../testing/limits/harness.ts'
import { leakyBucketHistories, tokenBucketHistories } from '../../../../testing/limits/histories/buckets.ts'
import { historyArbitrary } from '../../../../testing/limits/histories.ts'
import { redisScene } from '../../../../testing/limits/redis-scene.ts'
import type { Charge, Operation } from '../../store.ts'

const scene = redisScene()

const MINUTE = 60_000

function leaky(cost = 1, limit = 60): Charge {
  return makeCharge('leaky-bucket', 'a', [leakyBucketRule({ limit, window: 60 * MINUTE })], cost)
}

function token(cost = 1): Charge {
  const rules = [10, 60].map((minutes) => tokenBucketRule({ limit: 60, window: minutes * MINUTE }))
  return makeCharge('token-bucket', 'a', rules, cost)
}

async function apply(type: Exclude<Operation['type'], 'refund'>, charge: Charge) {
  return await scene.store.apply({ type, charges: [charge] })
}

/** What is left of the key's expiry is at most so much, and no test takes the seconds that it may be less. */
async function expectExpiry(milliseconds: number): Promise<void> {
  const left = await scene.client.pttl('a')
  expect(left).toBeLessThanOrEqual(milliseconds)
  expect(left).toBeGreaterThan(milliseconds - 30_000)
}

describe('under its key', () => {
  test('a bucket is one string that does not grow, and expires (two keys without expiry, and random members)', async () => {
    for (let i = 0; i < 50; i += 1) await apply('take', leaky())
    expect(await scene.client.keys('*')).toEqual(['a'])
    expect(await scene.client.strlen('a')).toBe(32)
    await expectExpiry(50 * MINUTE)
  })

  test('after any history every key has an expiry', async () => {
    await using harness = await redisHarness(scene.redis.url)
    for (const options of [leakyBucketHistories, tokenBucketHistories]) {
      await fc.assert(
        fc.asyncProperty(historyArbitrary(options), async (history) => {
          await scene.client.flushall()
          await harness.play(history)
          const keys = await scene.client.keys('*')
          expect((await Promise.all(keys.map((key) => scene.client.pttl(key)))).filter((left) => left === -1)).toEqual(
            [],
          )
        }),
        { numRuns: 200 },
      )
    }
  })

  test('the expiry is when the slowest rule has all its tokens', async () => {
    await apply('take', token(3))
    expect(await scene.client.strlen('a')).toBe(48)
    await expectExpiry(3 * MINUTE)
  })

  test('whatever is forced, a key lives for two bucketfuls at most (an expiry of 115 days)', async () => {
    await apply('force', leaky(10 ** 7))
    await expectExpiry(120 * MINUTE)
  })

  test('a refund leaves the expiry, and mends one that was lost or is too long', async () => {
    const at = instantsIn(await apply('take', leaky(10)))
    const refund = async (cost: number) => await scene.store.apply({ type: 'refund', charges: [leaky(cost)], at })
    await refund(4)
    await expectExpiry(10 * MINUTE)
    await scene.client.persist('a')
    await refund(1)
    await expectExpiry(120 * MINUTE)
    await scene.client.pexpire('a', 10 ** 9)
    await refund(1)
    await expectExpiry(120 * MINUTE)
  })

  test('a refund that empties the bucket removes the key', async () => {
    await using harness = await redisHarness(scene.redis.url)
    const at = 1_763_700_000_000
    await harness.play([{ at, charges: [leaky()] }])
    expect(await scene.client.dbsize()).toBe(1)
    await harness.play([{ at, operation: { type: 'refund', charges: [leaky()], at: [at] } }])
    expect(await scene.client.dbsize()).toBe(0)
  })

  test('a refusal mends an expiry that was lost', async () => {
    await apply('take', leaky(60))
    await scene.client.persist('a')
    await apply('take', leaky())
    await expectExpiry(120 * MINUTE)
  })

  test.each([
    ['a string', () => scene.client.set('a', '5')],
    ['a string of the same length', () => scene.client.set('a', 'x'.repeat(32))],
    ['no numbers', () => scene.client.set('a', Buffer.alloc(32, 0xff))],
    ['a hash', () => scene.client.hset('a', 'count', 5)],
    ['a list', () => scene.client.rpush('a', 5)],
    ['a set', () => scene.client.sadd('a', 5)],
    ['a ZSET', () => scene.client.zadd('a', 1, 'drop')],
    ['a stream', () => scene.client.xadd('a', '*', 'count', 5)],
  ])('%s is no history and is replaced', async (_, plant) => {
    await plant()
    await scene.store.apply({ type: 'refund', charges: [leaky()], at: [0] })
    const answers = answersIn(await apply('take', leaky()))
    expect(answers).toEqual([{ remaining: 59, resetMs: MINUTE, waitMs: 0, delayMs: 0 }])
    expect(await scene.client.strlen('a')).toBe(32)
  })
})
