import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { loadLimitScript } from '#server/limits/stores/redis/lua-script.ts'
import { connectRedis } from '#server/limits/stores/redis/redis-client.ts'
import { RedisStore } from '#server/limits/stores/redis/redis-store.ts'
import { type RedisServer, startRedisServer } from '../servers/redis-server.ts'

/** A store over a test file's own Redis, for tests that inspect its keys. */
export interface RedisScene {
  readonly redis: RedisServer
  /** A client that sees everything the store writes. */
  readonly client: Redis
  readonly store: RedisStore
}

/** Starts the server before the first test of a file, empties it before each test, and stops it after the last. */
export function redisScene(): RedisScene {
  let opened: RedisScene | undefined
  beforeAll(async () => {
    const redis = await startRedisServer()
    const store = new RedisStore({ client: connectRedis(redis.url), script: loadLimitScript(), deadlineMs: 30_000 })
    opened = { redis, client: new Redis(redis.url), store }
  })
  beforeEach(() => opened?.client.flushall())
  afterAll(async () => {
    opened?.client.disconnect()
    await opened?.store.close()
    await opened?.redis[Symbol.asyncDispose]()
  })
  const scene = () => {
    if (!opened) throw new Error('the scene is available only in tests and hooks')
    return opened
  }
  return {
    get redis() {
      return scene().redis
    },
    get client() {
      return scene().client
    },
    get store() {
      return scene().store
    },
  }
}
