import { Ratelimit } from '@upstash/ratelimit'
import { MemoryStore, rateLimit } from 'express-rate-limit'
import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible'
import { type Contender, contender } from './contender.ts'
import { userIds } from './subjects.ts'
import { upstashOverIoredis } from './upstash-over-ioredis.ts'

/** As threeRules: name, permits as a multiple of the limit, seconds. */
const WINDOWS = [
  ['minute', 1, 60],
  ['hour', 10, 3_600],
  ['day', 100, 86_400],
] as const

type Limits = readonly [RateLimiterAbstract, ...RateLimiterAbstract[]]

/** rate-limiter-flexible: one limit of `limit` per minute, or a union of three, over Redis. */
export function flexibleOverRedis(
  client: Redis,
  limit: number,
  names: { readonly one: string; readonly three: string },
): readonly Contender[] {
  const [minute, hour, day] = WINDOWS.map(
    ([keyPrefix, times, duration]) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${names.one}-${keyPrefix}`,
        points: limit * times,
        duration,
      }),
  )
  if (!minute || !hour || !day) throw new Error('there are three windows')
  return [flexible(names.one, minute), flexibleUnion(names.three, [minute, hour, day])]
}

/** The same in process. */
export function flexibleInMemory(limit: number): readonly Contender[] {
  const limiters = () =>
    WINDOWS.map(([keyPrefix, times, duration]) => new RateLimiterMemory({ keyPrefix, points: limit * times, duration }))
  const [minute] = limiters()
  const [first, ...rest] = limiters()
  if (!minute || !first) throw new Error('there are three windows')
  return [
    flexible('rate-limiter-flexible Memory, 1 rule', minute),
    flexibleUnion('rate-limiter-flexible Memory, Union of 3', [first, ...rest]),
  ]
}

/** A limiter of rate-limiter-flexible, which rejects with its result what it refuses. */
export function flexible(
  name: string,
  limiter: RateLimiterAbstract,
  expected: 'allowed' | 'refused' = 'allowed',
): Contender {
  return contender({
    name,
    call: (subject) => limiter.consume(userIds[subject] ?? ''),
    isAllowed: ({ consumedPoints }) => consumedPoints > 0,
    expected,
  })
}

function flexibleUnion(name: string, limiters: Limits): Contender {
  const union = new RateLimiterUnion(...limiters)
  return contender({
    name,
    call: (subject) => union.consume(userIds[subject] ?? ''),
    isAllowed: (results) => Object.values(results).length === limiters.length,
  })
}

/** @upstash/ratelimit: each of its algorithms for one region, `limit` per minute. */
export function upstash(client: Redis, limit: number, how = ''): readonly Contender[] {
  const algorithms = {
    fixedWindow: Ratelimit.fixedWindow(limit, '1 m'),
    slidingWindow: Ratelimit.slidingWindow(limit, '1 m'),
    tokenBucket: Ratelimit.tokenBucket(limit, '1 m', limit),
  }
  return Object.entries(algorithms).map(([name, limiter]) =>
    upstashContender(`@upstash/ratelimit ${name}, 1 rule${how}`, client, { limiter, ephemeralCache: false }),
  )
}

/** Without its analytics, and with its cache of blocked identifiers only where a Map is given. */
export function upstashContender(
  name: string,
  client: Redis,
  options: Pick<ConstructorParameters<typeof Ratelimit>[0], 'limiter' | 'ephemeralCache'>,
  expected: 'allowed' | 'refused' = 'allowed',
): Contender {
  const limiter = new Ratelimit({ ...options, redis: upstashOverIoredis(client), prefix: name, analytics: false })
  return contender({
    name,
    call: (subject) => limiter.limit(userIds[subject] ?? ''),
    isAllowed: ({ success, reason }) => {
      if (reason === 'timeout') throw new Error(`${name}: let a call pass because Redis was slow`)
      return success
    },
    expected,
  })
}

/** The memory store of express-rate-limit: one, or three that are asked one after the other. What a middleware does before
 *  and after is not measured. */
export function expressInMemory(limit: number): readonly Contender[] {
  const [alone, ...three] = [...WINDOWS.slice(0, 1), ...WINDOWS].map(([, times, seconds]) =>
    expressStore(limit * times, seconds),
  )
  if (!alone) throw new Error('there are three windows')
  return [
    contender({ name: 'express-rate-limit MemoryStore, 1 rule', call: alone, isAllowed: (allowed) => allowed }),
    contender({
      name: 'express-rate-limit MemoryStore, 3 rules',
      call: async (subject) => {
        for (const hit of three) if (!(await hit(subject))) return false
        return true
      },
      isAllowed: (allowed) => allowed,
    }),
  ]
}

function expressStore(limit: number, seconds: number): (subject: number) => Promise<boolean> {
  const store = new MemoryStore()
  // The middleware gives its store the window.
  rateLimit({ store, windowMs: seconds * 1_000, limit })
  return async (subject) => (await store.increment(userIds[subject] ?? '')).totalHits <= limit
}
