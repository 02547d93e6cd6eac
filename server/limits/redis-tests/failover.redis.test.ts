import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { startFaultProxy } from '#testing/servers/fault-proxy.ts'
import { type RedisServer, startRedisServer } from '#testing/servers/redis-server.ts'
import { RedisFleet } from '../fleet/redis-fleet.ts'
import { createLimiter, type Limiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

const DECIDE_WITHIN_MS = 150
const RECOVER_WITHIN_MS = 5_000
const soon = { timeout: RECOVER_WITHIN_MS, interval: 10 }

const signIn = compileRuleSets('sign-in', [
  { by: 'ip', rules: [{ limit: 1_000, window: '1h' }], onStoreFailure: 'deny' },
])
const read = compileRuleSets('read', [{ by: 'ip', rules: [{ limit: 1_000, window: '1h' }] }])
const caller = { address: '192.0.2.1', userId: null, shared: false }

/** A master and its replica behind one address, as a managed Redis is offered: `failOver` promotes the replica, demotes the
 *  master, and leads new connections to the other. No connection is closed. */
async function startPair(replicaArgs: readonly string[] = []) {
  await using stack = new AsyncDisposableStack()
  const first = stack.use(await startRedisServer(replicaArgs))
  const second = stack.use(await startRedisServer(replicaArgs))
  const proxy = stack.use(await startFaultProxy(first))
  const admins = [first, second].map(({ url }) => new Redis(url))
  stack.defer(() => {
    for (const admin of admins) admin.disconnect()
  })
  const follow = (index: number, { host, port }: RedisServer) => admins[index]?.replicaof(host, port)
  await follow(1, first)
  const running = stack.move()
  return {
    second,
    newMaster: admins[1],
    url: `redis://${proxy.host}:${proxy.port}`,
    failOver: async () => {
      await admins[1]?.replicaof('NO', 'ONE')
      await follow(0, second)
      proxy.aim(second)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function readyLimiter(redisUrl: string): Promise<Limiter> {
  const limiter = createLimiter({ redisUrl })
  await expect.poll(() => limiter.check(), soon).toBe('ready')
  return limiter
}

/** Rejects unless the decision is there when a timer set beside it fires. */
async function timed<T>(decision: Promise<T>): Promise<T> {
  const late = setTimeout(DECIDE_WITHIN_MS, null, { ref: false }).then(() => setTimeout(0))
  return Promise.race([decision, late.then(() => Promise.reject(new Error('the decision is late')))])
}

test.each([
  ['READONLY', []],
  ['MASTERDOWN', ['--replica-serve-stale-data', 'no']],
])('after a failover behind one address, decisions go on and reach the new master: %s', async (_, args) => {
  await using pair = await startPair(args)
  const limiter = await readyLimiter(pair.url)
  await pair.failOver()
  expect(await timed(limiter.take(signIn, caller))).toMatchObject({ allowed: false, decidedBy: 'policy' })
  expect(await timed(limiter.take(read, caller))).toMatchObject({ allowed: true, decidedBy: 'local' })
  await expect.poll(() => limiter.status(), soon).toBe('ready')
  await expect.poll(async () => (await timed(limiter.take(signIn, caller))).decidedBy, soon).toBe('store')
  expect(await pair.newMaster?.keys('RATE:LIMIT:*sign-in*')).toHaveLength(1)
  await limiter.close()
})

test('without a call, the messages between processes move to the new master too', async () => {
  await using pair = await startPair()
  const fleets = [pair.url, pair.second.url].map((redisUrl) => new RedisFleet(redisUrl, 200))
  const [here, there] = fleets
  const heard: string[] = []
  there?.hear('news', (message) => heard.push(message))
  await pair.failOver()
  await expect.poll(() => fleets.map(({ size }) => size), soon).toEqual([2, 2])
  here?.tell('news', 'moved')
  await expect.poll(() => heard, soon).toEqual(['moved'])
  for (const fleet of fleets) await fleet.close()
})
