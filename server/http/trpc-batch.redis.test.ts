import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type RedisServer, startRedisServer } from '#testing/servers/redis-server.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let redis: RedisServer
let client: Redis
let served: TestApp
let person: Person

beforeAll(async () => {
  redis = await startRedisServer()
  client = new Redis(redis.url)
  served = await startApp({ REDIS_URL: redis.url }, { redisDeadlineMs: 20_000 })
  person = await served.person()
  // The very first call sends the script's text.
  await served.as(person).account.me()
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  client.disconnect()
  await redis[Symbol.asyncDispose]()
})

/** Returns the number of scripts that Redis has run. */
async function scriptCalls(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0)
}

async function batch(paths: readonly string[], inputs: object, init: RequestInit = {}) {
  const before = await scriptCalls()
  const query = init.method === 'POST' ? '' : `&input=${encodeURIComponent(JSON.stringify(inputs))}`
  const response = await fetch(`${served.origin}/api/trpc/${paths.join(',')}?batch=1${query}`, {
    ...init,
    headers: { 'Content-Type': 'application/json', Cookie: person.cookie },
    ...(init.method === 'POST' && { body: JSON.stringify(inputs) }),
  })
  const answers = z.array(z.object({ error: z.object({ data: z.object({ code: z.string() }) }).optional() }))
  const codes = answers.parse(await response.json()).map(({ error }) => error?.data.code ?? 'OK')
  return { codes, trips: (await scriptCalls()) - before, headers: response.headers }
}

test('decides ten calls of a batch in one round trip, and charges each', async () => {
  const { codes, trips, headers } = await batch(Array(10).fill('account.me'), {})
  expect([codes, trips]).toEqual([Array(10).fill('OK'), 1])
  expect(headers.get('ratelimit')).toContain('"account-view-1m";r=289;')
})

test('also if their arguments are counted, or mixed', async () => {
  const ids = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, { id: crypto.randomUUID() }]))
  const counted = await batch(Array(10).fill('image.download'), ids)
  expect([counted.codes, counted.trips]).toEqual([Array(10).fill('NOT_FOUND'), 1])
  const mixed = ['image.download', 'account.me', 'image.get', 'image.download', 'account.sessions']
  const { codes, trips } = await batch(mixed, { ...ids, 3: { id: 'none' } })
  expect([codes, trips]).toEqual([['NOT_FOUND', 'OK', 'NOT_FOUND', 'BAD_REQUEST', 'OK'], 1])
})

test('also for mutations, without reading their inputs', async () => {
  const ids = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, { id: crypto.randomUUID() }]))
  const { codes, trips } = await batch(Array(10).fill('image.delete'), ids, { method: 'POST' })
  expect([codes, trips]).toEqual([Array(10).fill('NOT_FOUND'), 1])
})
