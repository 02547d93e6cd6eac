import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryHarness, redisHarness, type Step } from '../../testing/limit-harness.ts'
import { historyArbitrary } from '../../testing/limit-histories.ts'
import { playModel } from '../../testing/limit-model.ts'
import { describeLimitStore } from '../../testing/limit-store-conformance.ts'
import { type RedisServer, startRedisServer } from '../../testing/redis-server.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis[Symbol.asyncDispose]())

describeLimitStore('on Redis', () => redisHarness(redis.url))

describe('on Redis, in process and in the model', () => {
  test('10,000 random histories are decided alike', async () => {
    await using store = await redisHarness(redis.url)
    let batch = 0
    await fc.assert(
      // Histories share nothing but the connection, so that many of them travel together.
      fc.asyncProperty(fc.array(historyArbitrary, { minLength: 50, maxLength: 50 }), async (histories) => {
        await using inProcess = await memoryHarness()
        batch += 1
        const steps = histories.flatMap((history, i) => history.map((step) => withOwnKeys(step, `${batch}:${i}`)))
        const decided = await store.play(steps)
        expect(decided).toEqual(await inProcess.play(steps))
        expect(decided).toEqual(playModel(steps))
      }),
      { numRuns: 200 },
    )
  })
})

function withOwnKeys({ at, charges }: Step, prefix: string): Step {
  return { at, charges: charges.map((charge) => ({ ...charge, key: `${prefix}:${charge.key}` })) }
}
