/** What nobody of us wrote, under our keys: it neither locks anybody out, nor fails the store, nor hangs it. */
import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RedisServer, startRedisServer } from '#testing/servers/redis-server.ts'
import { createLimiter, type Limiter } from '../limiter.ts'
import type { Rule } from '../rule-set.ts'
import { compileRuleSets } from '../rules/compile.ts'

let redis: RedisServer
let client: Redis
let limiter: Limiter
const events: string[] = []
beforeAll(async () => {
  redis = await startRedisServer()
  client = new Redis(redis.url)
  limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 5_000, log: ({ type }) => events.push(type) })
})
beforeEach(() => client.flushall())
afterAll(async () => {
  await limiter.close()
  client.disconnect()
  await redis[Symbol.asyncDispose]()
})

const caller = { address: '192.0.2.1', userId: 'ann', shared: false }

function doubles(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8)
  for (const [index, number] of numbers.entries()) bytes.writeDoubleLE(number, index * 8)
  return bytes
}

type Plant = (key: string, now: number) => Promise<unknown>
const window = { limit: 2, window: '1s' } as const
const fixed: Rule = { ...window, algorithm: 'fixed-window' }
const counter: Rule = { ...window, algorithm: 'sliding-window-counter' }
const blocking: Rule = { ...window, blockFor: '2s' }
const noNumbers = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -5, 1e300, 0.5]

const planted: [string, Rule, Plant][] = [
  ...noNumbers.flatMap((number): [string, Rule, Plant][] => [
    [`a window that begins at ${number}`, fixed, (key, now) => client.set(key, doubles(number, now + 900, 2))],
    [`a window that ends at ${number}`, fixed, (key, now) => client.set(key, doubles(now, number, 2))],
    [`a window of ${number} permits`, fixed, (key, now) => client.set(key, doubles(now, now + 1e9, number))],
    [`a block until ${number}`, blocking, (key) => client.set(`${key}:block`, doubles(number))],
  ]),
  ...[10 ** 15 - 1, 2 ** 53, '9'.repeat(30), '9'.repeat(400)].map((index): [string, Rule, Plant] => [
    `sub-window ${String(index).slice(0, 40)}`,
    counter,
    (key) => client.hset(key, String(index), 2),
  ]),
  ['a log of the end of time', window, (key) => client.zadd(key, '+inf', 'a1', '+inf', 'a2')],
  [
    'a total of 400 digits',
    window,
    (key, now) => client.zadd(key, String(now), 'a1', String(now), `z${'9'.repeat(400)}`),
  ],
  ['another’s member at first', window, (key, now) => client.zadd(key, String(now), 'X', String(now), 'a1')],
  [
    'and in the middle',
    window,
    (key, now) => client.zadd(key, String(now), 'a1', String(now), 'a2X', String(now), 'a3'),
  ],
  ['leases without end', { concurrent: 2, lease: '1s' }, (key) => client.zadd(key, '+inf', 'x', '+inf', 'y')],
]

test.each(planted)('%s', async (_, rule, plant) => {
  events.length = 0
  const sets = compileRuleSets('call', [{ by: 'user', rules: [rule] }])
  const passes = async () => (await limiter.take(sets, caller)).allowed
  await passes()
  const [key = ''] = await client.keys('RATE:LIMIT:*ann*')
  await client.del(key)
  await plant(key, Date.now())
  // As it is, or when a window has passed.
  if (!(await passes())) {
    await setTimeout(1_050)
    expect(await passes()).toBe(true)
  }
  expect(events).not.toContain('degraded')
})
