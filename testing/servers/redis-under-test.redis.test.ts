import { Redis } from 'ioredis'
import { expect, test, vi } from 'vitest'
import { startRedisServer } from './redis-server.ts'
import { redisUnderTest } from './redis-under-test.ts'

/** Returns 1 if a single field of a hash can expire, and fails otherwise. */
async function expireField(url: string): Promise<unknown> {
  const client = new Redis(url)
  try {
    await client.hset('hash', 'field', 'value')
    return await client.call('HPEXPIRE', 'hash', '60000', 'FIELDS', '1', 'field')
  } finally {
    client.disconnect()
  }
}

test('include a Redis and a Valkey with expiry of individual hash fields', async () => {
  const able: string[] = []
  for (const { name, open } of redisUnderTest()) {
    await using server = await open()
    const answer = await expireField(server.url).catch((error: unknown) => String(error))
    if (Array.isArray(answer)) able.push(name.split(' ')[0] ?? '')
  }
  expect(new Set(able)).toEqual(new Set(['Redis', 'Valkey']))
})

test('TEST_REDIS_URL adds a running one', async () => {
  vi.stubEnv('TEST_REDIS_URL', 'redis://127.0.0.1:1')
  const last = redisUnderTest().at(-1)
  await using server = await last?.open()
  expect([last?.name, server?.url]).toEqual(['TEST_REDIS_URL', 'redis://127.0.0.1:1'])
})

test('a missing one fails with an explanation', async () => {
  await expect(startRedisServer([], { name: 'Redis 99', command: null })).rejects.toThrow(
    'Redis 99 is missing: `npm test` installs it, or prints how to',
  )
})
