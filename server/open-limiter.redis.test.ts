import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { CannotStart } from './cannot-start.ts'

test('a Redis that cannot be used ends the start with a sentence', async () => {
  await using redis = await startRedisServer()
  const admin = new Redis(redis.url)
  await admin.config('SET', 'requirepass', 'secret')
  admin.disconnect()
  const failure = await startApp({ REDIS_URL: redis.url }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CannotStart)
  const at = `${redis.host}:${redis.port}`
  expect(failure).toMatchObject({
    message: `REDIS_URL: ${at} asks for a password. Write it as redis://:password@${at}.`,
  })
})
