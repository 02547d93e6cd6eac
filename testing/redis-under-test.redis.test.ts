import { Redis } from 'ioredis'
import { expect, test, vi } from 'vitest'
import { startRedisServer } from './redis-server.ts'
import { redisUnderTest } from './redis-under-test.ts'

/** 1 where a field of a hash can have an expiry of its own, an error elsewhere. */
async function expireField(url: string): Promise<unknown> {
  const client = new Redis(url)
  try {
    await client.hset('hash', 'field', 'value')
    return await client.call('HPEXPIRE', 'hash', '60000', 'FIELDS', '1', 'field')
  } finally {
    client.disconnect()
  }
}

test('a Redis and a Valkey are among them whose hash fields expire one by one', async () => {
  const able: string[] = []
  for (const { name, open } of redisUnderTest()) {
    await using server = await open()
    const answer = await expireField(server.url).catch((error: unknown) => String(error))
    if (Array.isArray(answer)) able.push(name.split(' ')[0] ?? '')
  }
  expect(new Set(able)).toEqual(new Set(['Redis', 'Valkey']))
})

test('TEST_REDIS_URL adds one that is already there', async () => {
  vi.stubEnv('TEST_REDIS_URL', 'redis://127.0.0.1:1')
  const last = redisUnderTest().at(-1)
  await using server = await last?.open()
  expect([last?.name, server?.url]).toEqual(['TEST_REDIS_URL', 'redis://127.0.0.1:1'])
})

test('one that is not to be had fails with a sentence', async () => {
  await expect(startRedisServer([], { name: 'Redis 99', command: null })).rejects.toThrow(
    'There is no Redis 99 here: `npm test` brings it, or says how to have it.',
  )
})
