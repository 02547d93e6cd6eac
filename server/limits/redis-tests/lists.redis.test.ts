import { expect, test } from 'vitest'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { createLimiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
const sets = compileRuleSets('call', [{ by: { input: 'ids' }, rules: [{ limit: 9, window: '1h' }] }])

test('a batch of the longest lists is decided by Redis, in as many trips as a command has words for', async () => {
  await using redis = await startRedisServer()
  const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
  const calls = Array.from({ length: 20 }, (_, call) => {
    const ids = Array.from({ length: 100 }, (_, value) => `${call}-${value}`)
    return limiter.reserve([{ sets, caller, input: { ids } }])
  })
  const permits = await Promise.all(calls)
  expect(permits.map(({ decision }) => [decision.allowed, decision.decidedBy])).toEqual(Array(20).fill([true, 'store']))
  await limiter.close()
})

test('halves of surrogate pairs, which have one digest, are counted once', async () => {
  const limiter = createLimiter({})
  const permit = await limiter.reserve([{ sets, caller, input: { ids: ['\ud800', '\ud801', 'a'] } }])
  expect(permit.decision.rules.map(({ remaining }) => remaining)).toEqual([8, 8])
  await limiter.close()
})
