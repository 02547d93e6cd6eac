import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { runWorkers } from '#testing/limits/workers.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { createLimiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

test('of 1,000 parallel calls of 4 processes at a limit of 10 and three rules, exactly 10 pass', async () => {
  await using redis = await startRedisServer()
  expect(await runWorkers(redis.url, 250, 'alone')).toEqual({ allowed: 10, byStore: 1_000, outages: [] })

  const client = new Redis(redis.url)
  const keys = await client.keys('RATE:LIMIT:{#*')
  expect(keys).toHaveLength(1)
  expect(await client.zcard(keys[0] ?? '')).toBe(10)
  client.disconnect()
})

test('parallel refusals charge nothing: not the wide rule, and not the other set', async () => {
  await using redis = await startRedisServer()
  const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
  const sets = compileRuleSets('call', [
    {
      name: 'narrow',
      by: 'user',
      rules: [
        { limit: 10, window: '1h' },
        { limit: 1_000, window: '1d' },
      ],
    },
    { name: 'wide', by: 'ip', rules: [{ limit: 2_000, window: '1h' }] },
  ])
  const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
  await Promise.all(Array.from({ length: 1_000 }, () => limiter.take(sets, caller)))
  const refused = await limiter.peek([{ sets, caller }])
  expect(refused.rules.map((rule) => [rule.policy, rule.remaining])).toEqual([
    ['narrow-1h', 0],
    ['narrow-1d', 990],
    ['wide-1h', 1_990],
  ])
  expect([refused.allowed, refused.refusedBy?.policy, refused.decidedBy]).toEqual([false, 'narrow-1h', 'store'])
  await limiter.close()
})

test('processes with clocks ten minutes apart share one count, by the clock of Redis', async () => {
  await using redis = await startRedisServer()
  const sets = compileRuleSets('call', [{ by: 'ip', rules: [{ limit: 5, window: '1m' }] }])
  const limiters = [-300_000, 0, 300_000].map((offset) =>
    createLimiter({ redisUrl: redis.url, deadlineMs: 20_000, clock: { now: () => Date.now() + offset } }),
  )
  const allowed: boolean[] = []
  for (let i = 0; i < 4; i += 1) {
    for (const limiter of limiters) {
      const decision = await limiter.take(sets, { address: '192.0.2.1', userId: null, shared: false })
      allowed.push(decision.allowed)
      expect(decision.retryAfterMs).toBeLessThanOrEqual(60_000)
    }
  }
  expect(allowed).toEqual(allowed.map((_, i) => i < 5))
  for (const limiter of limiters) await limiter.close()
})
