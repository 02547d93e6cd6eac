import { expect, test } from 'vitest'
import { flight } from '#testing/limits/lease-scene.ts'
import { startFaultProxy } from '#testing/servers/fault-proxy.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { createLimiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

test('calls that began in an outage and last longer hold their places in Redis, until they end', async () => {
  await using redis = await startRedisServer()
  await using proxy = await startFaultProxy(redis)
  const here = createLimiter({ redisUrl: `redis://${proxy.host}:${proxy.port}`, deadlineMs: 20_000 })
  const there = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
  const left = async () => (await there.peek([flight])).rules.map(({ remaining }) => remaining)
  await proxy.set('refuse')
  const permits = await Promise.all([0, 1, 2].map(() => here.reserve([flight])))
  expect(permits.map(({ decision }) => [decision.allowed, decision.decidedBy])).toEqual(Array(3).fill([true, 'local']))
  await proxy.set('pass')
  await expect.poll(() => here.check()).toBe('ready')
  await expect.poll(left).toEqual([1])
  for (const permit of permits) await permit.end('succeeded')
  expect(await left()).toEqual([4])
  await Promise.all([here.close(), there.close()])
})

test.each(['refuse', 'reset', 'blackhole', 5_000] as const)(
  'what counts in the process alone is charged once, though Redis fails beside it: %s',
  async (fault) => {
    await using redis = await startRedisServer()
    await using proxy = await startFaultProxy(redis)
    const limiter = createLimiter({ redisUrl: `redis://${proxy.host}:${proxy.port}` })
    const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
    const sets = compileRuleSets('mixed', [
      { name: 'here', by: 'user', scope: 'instance', rules: [{ limit: 1, window: '1h' }] },
      { name: 'flight', by: 'user', scope: 'instance', rules: [{ concurrent: 1 }] },
      { name: 'all', by: 'user', rules: [{ limit: 9, window: '1h' }] },
    ])
    await expect.poll(() => limiter.check()).toBe('ready')
    await proxy.set(fault)
    const first = await limiter.reserve([{ sets, caller }])
    expect([first.decision.allowed, first.decision.decidedBy]).toEqual([true, 'local'])
    const { rules } = await limiter.peek([{ sets, caller }])
    expect(rules.map(({ policy, remaining }) => [policy, remaining])).toEqual([
      ['here-1h', 0],
      ['flight-concurrent', 0],
      ['all-1h', 8],
    ])
    await first.refund()
    await limiter.close()
  },
)
