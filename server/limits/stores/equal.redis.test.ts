import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryHarness, operationOf, redisHarness, type Step } from '../../../testing/limits/harness.ts'
import { slidingWindowLogHistories } from '../../../testing/limits/histories/sliding-window-log.ts'
import { type HistoryOptions, historyArbitrary } from '../../../testing/limits/histories.ts'
import { playModel } from '../../../testing/limits/model.ts'
import { type RedisServer, startRedisServer } from '../../../testing/redis-server.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis[Symbol.asyncDispose]())

const kinds: readonly (readonly [string, HistoryOptions])[] = [['sliding-window-log', slidingWindowLogHistories]]

describe('on Redis, in process and in the model', () => {
  test.each(kinds)('10,000 random histories of %s are decided alike', async (_, options) => {
    await using store = await redisHarness(redis.url)
    let batch = 0
    await fc.assert(
      // Histories share nothing but the connection, so that many of them travel together.
      fc.asyncProperty(fc.array(historyArbitrary(options), { minLength: 50, maxLength: 50 }), async (histories) => {
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

function withOwnKeys(step: Step, prefix: string): Step {
  const operation = operationOf(step)
  const charges = operation.charges.map((charge) => ({ ...charge, key: `${prefix}:${charge.key}` }))
  return { at: step.at, operation: { ...operation, charges } }
}
