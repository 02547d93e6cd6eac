import { Ratelimit } from '@upstash/ratelimit'
import { MemoryStore, rateLimit } from 'express-rate-limit'
import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible'
import { type Contender, contender } from './contender.ts'
import { userIds } from './subjects.ts'
import { upstashOverIoredis } from './upstash-over-ioredis.ts'

/** As in threeRules: permits as a multiple of the limit, and seconds. */
const WINDOWS = [
  [1, 60],
  [10, 3_600],
  [100, 86_400],
] as const

/** rate-limiter-flexible over Redis: one limit of `limit` per minute, and a union of three. `how` is appended to their names and
 *  separates their keys. */
export function flexibleOverRedis(client: Redis, limit: number, how = ''): readonly Contender[] {
  const prefix = `rlf${how}`
  const limiter = (keyPrefix: string, [times, duration]: (typeof WINDOWS)[number]) =>
    new RateLimiterRedis({ storeClient: client, keyPrefix, points: limit * times, duration })
  const three = WINDOWS.map((window) => limiter(`${prefix}-${window[1]}`, window))
  return [
    flexible(`rate-limiter-flexible Redis, 1 rule${how}`, limiter(prefix, WINDOWS[0])),
    flexibleUnion(`rate-limiter-flexible Redis, Union of 3${how}`, three),
  ]
}

/** The same in process memory. */
export function flexibleInMemory(limit: number): readonly Contender[] {
  const limiter = ([times, duration]: (typeof WINDOWS)[number]) =>
    new RateLimiterMemory({ keyPrefix: `rlf-${duration}`, points: limit * times, duration })
  return [
    flexible('rate-limiter-flexible Memory, 1 rule', limiter(WINDOWS[0])),
    flexibleUnion('rate-limiter-flexible Memory, Union of 3', WINDOWS.map(limiter)),
  ]
}

/** A limiter of rate-limiter-flexible, which rejects refused calls with its result. */
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

function flexibleUnion(name: string, limiters: readonly RateLimiterAbstract[]): Contender {
  const union = new RateLimiterUnion(...limiters)
  return contender({
    name,
    call: (subject) => union.consume(userIds[subject] ?? ''),
    isAllowed: (results) => Object.values(results).length === limiters.length,
  })
}

/** @upstash/ratelimit: each of its algorithms for a single region, `limit` per minute. */
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

/** Without analytics, and with its cache of blocked identifiers only if a Map is given. Keys begin with the name, because two of
 *  its algorithms with one prefix would share keys. */
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

/** The memory store of express-rate-limit: one, or three in sequence. The middleware's work before and after is not measured. */
export function expressInMemory(limit: number): readonly Contender[] {
  const alone = expressStore(WINDOWS[0], limit)
  const three = WINDOWS.map((window) => expressStore(window, limit))
  return [
    contender({
      name: 'express-rate-limit MemoryStore, 1 rule',
      call: (subject) => alone.store.increment(userIds[subject] ?? ''),
      isAllowed: ({ totalHits }) => totalHits <= alone.limit,
    }),
    contender({
      name: 'express-rate-limit MemoryStore, 3 rules',
      call: async (subject) => {
        for (const { store, limit } of three) {
          const { totalHits } = await store.increment(userIds[subject] ?? '')
          if (totalHits > limit) return false
        }
        return true
      },
      isAllowed: (allowed) => allowed,
    }),
  ]
}

function expressStore([times, seconds]: (typeof WINDOWS)[number], limit: number) {
  const store = new MemoryStore()
  const options = { windowMs: seconds * 1_000, limit: limit * times }
  // The middleware passes the window to its store.
  rateLimit({ store, ...options })
  return { store, limit: options.limit }
}
