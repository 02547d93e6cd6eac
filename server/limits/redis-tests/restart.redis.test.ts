import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { type RedisServer, startRedisServer } from '#testing/servers/redis-server.ts'
import type { Decision } from '../decision.ts'
import { createLimiter, type Limiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

const LIMIT = 50
const sets = compileRuleSets('busy', [{ by: 'ip', rules: [{ limit: LIMIT, window: '1h' }] }])

const wide = compileRuleSets('wide', [{ by: 'site', rules: [{ limit: 1_000_000, window: '1h' }] }])

/** Eight callers who call as fast as they are answered, from one address each, until they are told to stop; and one who is
 *  never refused, so that Redis is asked all the time. */
function startLoad(limiter: Limiter) {
  const decisions: Decision[] = []
  const unrefused: Decision[] = []
  let stopped = false
  const callers = Array.from({ length: 8 }, async (_, i) => {
    while (!stopped) {
      decisions.push(await limiter.take(sets, { address: `192.0.2.${i}`, userId: null, shared: false }))
      unrefused.push(await limiter.take(wide, { subject: 'site' }))
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  return {
    decisions,
    unrefused,
    stop: async () => {
      stopped = true
      await Promise.all(callers)
    },
  }
}

const allowed = (decisions: readonly Decision[]) => decisions.filter((decision) => decision.allowed)

/** Waits until so many more decisions were made. */
async function more(decisions: readonly Decision[], count: number): Promise<void> {
  const enough = decisions.length + count
  while (decisions.length < enough) await new Promise((resolve) => setTimeout(resolve, 1))
}

async function readyLimiter(redis: RedisServer): Promise<Limiter> {
  const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
  expect(await limiter.check()).toBe('ready')
  return limiter
}

test('SCRIPT FLUSH in full load: no error, no decision without the store, and no permit too many', async () => {
  await using redis = await startRedisServer()
  const limiter = await readyLimiter(redis)
  const admin = new Redis(redis.url)
  const load = startLoad(limiter)
  for (let i = 0; i < 20; i += 1) {
    await more(load.decisions, 50)
    await admin.script('FLUSH')
  }
  await more(load.decisions, 50)
  await load.stop()
  expect(new Set(load.unrefused.map((decision) => decision.decidedBy))).toEqual(new Set(['store']))
  expect(new Set(load.decisions.map((decision) => decision.decidedBy))).toEqual(new Set(['store', 'cache']))
  expect(allowed(load.decisions)).toHaveLength(8 * LIMIT)
  admin.disconnect()
  await limiter.close()
})

test('a restart that loses all counts, in full load: no error, and at most one limit too many', async () => {
  await using redis = await startRedisServer()
  const limiter = await readyLimiter(redis)
  const load = startLoad(limiter)
  while (allowed(load.decisions).length < 8 * LIMIT) await more(load.decisions, 1)
  await redis.restart()
  while (allowed(load.decisions).length < 2 * 8 * LIMIT) await more(load.decisions, 1)
  await more(load.decisions, 400)
  await load.stop()
  expect(allowed(load.decisions)).toHaveLength(2 * 8 * LIMIT)
  expect(new Set(allowed(load.decisions).map((decision) => decision.decidedBy))).toEqual(new Set(['store']))
  await limiter.close()
})
