import { expect, test } from 'vitest'
import { startRedisServer } from '../../../testing/servers/redis-server.ts'
import { RedisFleet } from '../fleet/redis-fleet.ts'
import { createLimiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

const BEAT_MS = 100
const ann = { address: '192.0.2.1', userId: 'ann', shared: false }
const sets = compileRuleSets('list', [{ name: 'list', by: 'user', rules: [{ limit: 3, window: '1h' }] }])
const soon = { interval: 20 }

test('statistics cover all live processes', async () => {
  await using redis = await startRedisServer()
  const open = () => {
    const fleet = new RedisFleet(redis.url, BEAT_MS)
    const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 5_000, fleet })
    return Object.assign(limiter, { [Symbol.asyncDispose]: () => limiter.close() })
  }
  await using one = open()
  const two = open()
  for (let i = 0; i < 2; i += 1) for (const limiter of [one, two]) await limiter.take(sets, ann)
  const passedAndRefused = (limiter: typeof one) =>
    limiter.stats().rows.map(({ total }) => [total.passed, total.refused])
  for (const limiter of [one, two]) await expect.poll(() => passedAndRefused(limiter), soon).toEqual([[3, 1]])
  expect(one.stats()).toMatchObject({ processes: 2, mostRefused: [{ subject: 'ann', policy: 'list-1h', refused: 1 }] })
  expect(one.stats().nearest).toMatchObject([{ subject: 'ann', used: 3, limit: 3 }])
  expect(one.ownStats()).toMatchObject({ processes: 1, rows: [{ total: { passed: 2, refused: 0 } }] })
  await two.close()
  await expect.poll(() => passedAndRefused(one), soon).toEqual([[2, 0]])
  expect(one.stats().processes).toBe(1)
})
