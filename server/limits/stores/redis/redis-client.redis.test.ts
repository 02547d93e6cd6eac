import { setImmediate as nextTurn } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { charge } from '../../../../testing/limits/charges.ts'
import { type RedisServer, startRedisServer } from '../../../../testing/servers/redis-server.ts'
import { loadLimitScript } from './lua-script.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'

let redis: RedisServer
let admin: Redis
let store: RedisStore
const call = [charge('a', [[5, 3_600_000]])]

beforeEach(async () => {
  redis = await startRedisServer()
  admin = new Redis(redis.url)
  store = new RedisStore({ client: connectRedis(redis.url), script: loadLimitScript(), deadlineMs: 20_000 })
})
afterEach(async () => {
  admin.disconnect()
  await store.close()
  await redis[Symbol.asyncDispose]()
})

async function callsOf(command: string): Promise<number> {
  const stats = await admin.info('commandstats')
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
}

test('a script that Redis has forgotten is sent again, once, and counts once', async () => {
  await store.apply({ type: 'take', charges: call })
  await store.apply({ type: 'take', charges: call })
  await admin.script('FLUSH')
  await store.apply({ type: 'take', charges: call })
  expect([await callsOf('evalsha'), await callsOf('eval')]).toEqual([3, 2])
  expect(await admin.zcard('a')).toBe(3)
})

test('no other error is tried again, for it may have come after the charge', async () => {
  await store.apply({ type: 'take', charges: call })
  await admin.config('SET', 'maxmemory', '1')
  await expect(store.apply({ type: 'take', charges: call })).rejects.toThrow('OOM')
  expect([await callsOf('evalsha'), await callsOf('eval')]).toEqual([2, 1])
})

test('a command in flight when the connection is lost is not sent again', async () => {
  await store.apply({ type: 'take', charges: call })
  await admin.client('PAUSE', 60_000, 'WRITE')
  const lost = expect(store.apply({ type: 'take', charges: call })).rejects.toThrow()
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  await lost
  await admin.client('UNPAUSE')
  while (
    !(await store.apply({ type: 'take', charges: call }).then(
      () => true,
      () => nextTurn(false),
    ))
  );
  expect(await admin.zcard('a')).toBe(2)
})

test('a process that was busy past the deadline uses an answer that has already arrived', async () => {
  const deadlineMs = 500
  const hasty = new RedisStore({ client: connectRedis(redis.url), script: loadLimitScript(), deadlineMs })
  const peek = () => hasty.apply({ type: 'peek', charges: call })
  // A busy machine connects later than that.
  await expect
    .poll(() =>
      peek().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  const answers = hasty.apply({ type: 'take', charges: call })
  await nextTurn()
  const start = performance.now()
  while (performance.now() - start < deadlineMs + 50);
  expect(answersIn(await answers)[0]?.remaining).toBe(4)
  await hasty.close()
})

test('a decision that may take long has its time, however long the client otherwise waits for a reply', async () => {
  const client = connectRedis(redis.url, 20_000)
  const patient = new RedisStore({ client, script: loadLimitScript(), deadlineMs: 20_000 })
  await patient.apply({ type: 'take', charges: call })
  redis.freeze()
  setTimeout(() => redis.thaw(), 1_500)
  expect(answersIn(await patient.apply({ type: 'take', charges: call }))[0]?.remaining).toBe(3)
  await patient.close()
})
