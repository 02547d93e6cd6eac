import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll } from 'vitest'
import { describePermits, type TimedStore } from '../../testing/limits/permits.ts'
import { type RedisServer, startRedisServer } from '../../testing/servers/redis-server.ts'
import { loadLimitScript } from './stores/redis/lua-script.ts'
import { connectRedis } from './stores/redis/redis-client.ts'
import { RedisStore } from './stores/redis/redis-store.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis[Symbol.asyncDispose]())

async function open(): Promise<TimedStore> {
  const clock = randomUUID()
  const client = connectRedis(redis.url)
  await once(client, 'ready')
  const script = loadLimitScript(`return tonumber(redis.call('GET', '${clock}'))`)
  const store = new RedisStore({ client, script, deadlineMs: 30_000 })
  const setTime = async (ms: number) => void (await client.set(clock, ms))
  return { store, setTime, [Symbol.asyncDispose]: () => store.close() }
}

describePermits('on Redis', open)
