import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all, type FaultReport, runFault } from '#testing/limits/fault-load.ts'
import { startRedisCluster } from '#testing/servers/redis-cluster.ts'
import { type RedisSentinel, startRedisSentinel, startSecureSentinel } from '#testing/servers/redis-sentinel.ts'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { RedisFleet } from '../fleet/redis-fleet.ts'
import { createLimiter, type LimiterEvent } from '../limiter.ts'
import { checkRedis } from '../stores/redis/check-redis.ts'

/** The bound of an outage holds: what the master had admitted of the limit, the replica knows. */
function expectBounded(report: FaultReport): void {
  expect(report).toMatchObject({ errors: 0, late: 0, chargedTwice: 0, withoutWait: 0 })
  expect(report.decided.policy).toBe(report.denied)
  const { block, ...decided } = report.decided
  for (const count of Object.values(decided)) expect(count).toBeGreaterThan(0)
  expect(block).toBe(0)
  expect(report.admitted).toBeGreaterThanOrEqual(report.limit)
  expect(report.admitted).toBeLessThanOrEqual(report.bound)
  console.log(
    `${report.admitted} of ${report.limit} (${report.bound}); ${report.uncounted} calls not replicated in time`,
  )
}

test('Sentinels that do not answer delay no decision', async () => {
  const log: LimiterEvent[] = []
  const redisUrl = 'redis+sentinel://127.0.0.1:1,127.0.0.1:2/main'
  const limiter = createLimiter({ redisUrl, deadlineMs: 20_000, log: (event) => log.push(event) })
  expect(await limiter.check()).toBe('degraded')
  expect(log).toMatchObject([{ type: 'degraded', cause: 'There is no connection to Redis' }])
  expect(await limiter.take(all, { subject: 'site' })).toMatchObject({ allowed: true, decidedBy: 'local' })
  await limiter.close()
})

describe('by Sentinels', () => {
  let redis: RedisSentinel
  beforeAll(async () => {
    redis = await startRedisSentinel()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  const sentenceFor = (url: string, patienceMs = 30_000): Promise<string> =>
    checkRedis(url, { patienceMs }).then(
      () => 'it works',
      (error: Error) => error.message.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'),
    )

  test('a start finds the master, or says what cannot work', async () => {
    const changed = (from: RegExp | string, to: string) => sentenceFor(redis.url.replace(from, to))
    expect(await sentenceFor(redis.url)).toBe('it works')
    expect(await changed(/\/main\?/, '/other?')).toBe(
      'the Sentinel at HOST knows no master other. Correct the name after the addresses.',
    )
    expect(await changed(/&sentinel_password=.*/, '')).toBe(
      'the Sentinel at HOST asks for a password. Add it as ?sentinel_password=….',
    )
    expect(await changed(/&sentinel_password=.*/, '&sentinel_password=wrong')).toBe(
      'the Sentinel at HOST refuses the user or the password. Correct sentinel_username and sentinel_password.',
    )
    expect(await changed(/:[^:]*@/, ':wrong@')).toBe(
      'the master main at HOST refuses the user or the password. Correct them.',
    )
    expect(await changed(/:[^:]*@/, '')).toBe(
      'the master main at HOST asks for a password. Write it before the first Sentinel, as redis+sentinel://:password@….',
    )
    expect(await changed('db=2', 'db=99')).toBe(
      'the master main at HOST has no database 99. Remove the number, or correct it.',
    )
    expect(await changed('redis+', 'rediss+')).toBe('the Sentinel at HOST does not support TLS. Use redis+sentinel://.')
    expect(await sentenceFor('redis+sentinel://127.0.0.1:1,127.0.0.1:2/main', 0)).toBe(
      'nothing listens at the Sentinel at HOST. Correct it, or start Redis.',
    )
  })

  test('a killed master under load: no error surfaces, no more pass than in an outage, the next one decides', async () => {
    const fleets = [0, 1].map(() => new RedisFleet(redis.url, 200))
    const [here, there] = fleets
    const heard: string[] = []
    there?.hear('news', (message) => heard.push(message))
    const admin = redis.connect(await redis.master())
    const killed = await redis.master()
    const scene = { url: redis.url, redis: { url: redis.url }, admin }
    const end = () => expect.poll(async () => (await redis.master()).port, { timeout: 120_000 }).not.toBe(killed.port)
    expectBounded(await runFault(scene, { begin: () => redis.killMaster(), end }, 0))
    const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
    expect((await limiter.take(all, { subject: 'site' })).decidedBy).toBe('store')
    await limiter.close()
    await expect.poll(() => fleets.map(({ size }) => size)).toEqual([2, 2])
    here?.tell('news', 'moved')
    await expect.poll(() => heard).toEqual(['moved'])
    for (const fleet of fleets) await fleet.close()
  })
})

test('with TLS to the Sentinels and the master', async () => {
  await using redis = await startSecureSentinel(selfSigned)
  const url = redis.url.replace('rediss', 'redis')
  await expect(checkRedis(url)).rejects.toThrow(/ accepts only TLS\. Use rediss\+sentinel:\/\/\.$/)
  await expect(checkRedis(redis.url)).rejects.toThrow(
    /^the certificate of the Sentinel at localhost:\d+ is not trusted/,
  )
  const usual = getCACertificates('default')
  setDefaultCACertificates([...usual, selfSigned.cert])
  try {
    expect(await checkRedis(redis.url)).toEqual({ isCluster: false })
    const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
    expect((await limiter.take(all, { subject: 'site' })).decidedBy).toBe('store')
    await limiter.close()
  } finally {
    setDefaultCACertificates(usual)
  }
})

test("a Cluster's killed master under load: no error surfaces, no more pass than in an outage, its replica decides", async () => {
  await using cluster = await startRedisCluster()
  const url = cluster.nodes.map((node) => node.url).join(',')
  const admins = cluster.nodes.map((node) => new Redis(node.url))
  for (const admin of admins) admin.on('error', () => {})
  const limiter = createLimiter({ redisUrl: url, deadlineMs: 20_000 })
  await limiter.take(all, { subject: 'site' })
  const sizes = await Promise.all(admins.map((admin) => admin.dbsize()))
  const owner = sizes.findIndex((size) => size > 0)
  await cluster.addReplica(owner)
  const scene = { url, redis: { url }, admin: { flushall: () => Promise.all(admins.map((admin) => admin.flushall())) } }
  const other = admins[(owner + 1) % admins.length]
  const becomes = (state: string) =>
    expect.poll(async () => String(await other?.call('CLUSTER', 'INFO')), { timeout: 120_000 }).toContain(state)
  const end = () => becomes('state:fail').then(() => becomes('state:ok'))
  expectBounded(await runFault(scene, { begin: () => cluster.killMaster(owner), end }, 0))
  // The first call after a quiet time may be what finds the old master dead.
  await expect.poll(async () => (await limiter.take(all, { subject: 'site' })).decidedBy).toBe('store')
  await limiter.close()
  for (const admin of admins) admin.disconnect()
})
