import { expect, it } from 'vitest'
import { createLimiter } from '#server/limits/limiter.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { FleetRefusals } from './fleet-refusals.ts'
import { RefusalLog } from './refusal-log.ts'

const sets = compileRuleSets('image.list', [{ name: 'view', by: 'ip', rules: [{ limit: 1, window: '1h' }] }])

it('a refusal by one process is found by another that shares its Redis', async () => {
  await using redis = await startRedisServer()
  const start = () => {
    const log = new RefusalLog()
    // Tests wait for Redis however busy the machine is.
    const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 60_000, onRefused: log.note })
    return { limiter, refusals: new FleetRefusals(log, limiter.fleet) }
  }
  const [asking, refusing] = [start(), start()]
  const request = { sets, caller: { address: '192.0.2.7', userId: null, shared: false } }
  const call = () => refusing.limiter.reserve([request], { label: 'image.list', requestId: 'theirs' })
  await expect.poll(() => [asking.limiter.fleet.size, refusing.limiter.fleet.size]).toEqual([2, 2])
  for (let i = 0; i < 3; i += 1) await call()
  // The second refusal was remembered, so that Redis was not asked.
  await expect
    .poll(async () => (await asking.refusals.find('theirs')).map(({ decidedBy }) => decidedBy))
    .toEqual(['store', 'cache'])
  await Promise.all([asking, refusing].map(({ limiter }) => limiter.close()))
})
