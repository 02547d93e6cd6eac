import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { flight, LEASE_MS } from '#testing/limits/lease-scene.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { createLimiter } from '../limiter.ts'

const HOLDER = fileURLToPath(new URL('../../../testing/limits/lease-holder.ts', import.meta.url))

test('the places of a process that was killed are free when its leases end: not earlier, and not later', async () => {
  await using redis = await startRedisServer()
  const client = new Redis(redis.url)
  const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
  const now = async () => {
    const [seconds, microseconds] = await client.time()
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000)
  }
  const holder = fork(HOLDER, [redis.url, '4'], { execArgv: [] })
  onTestFinished(() => void holder.kill('SIGKILL'))
  const [held] = await once(holder, 'message')
  expect(held).toBe(4)
  const [key = ''] = await client.keys('RATE:LIMIT:{ann}:*')
  const endsOf = async () => {
    const scored = await client.zrange(key, 0, '-1', 'WITHSCORES')
    return scored.filter((_, index) => index % 2 === 1).map(Number)
  }

  // Its process renews them for as long as it lives.
  const firstEnds = await endsOf()
  while ((await now()) <= Math.max(...firstEnds)) await setTimeout(20)
  expect((await limiter.reserve([flight])).decision.allowed).toBe(false)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const killedAt = await now()
  const ends = await endsOf()
  expect(ends).toHaveLength(4)
  expect(Math.max(...ends)).toBeLessThanOrEqual(killedAt + LEASE_MS)

  const first = Math.min(...ends)
  for (;;) {
    const before = await now()
    const { decision } = await limiter.reserve([flight])
    const after = await now()
    if (after < first) expect(decision.allowed).toBe(false)
    if (before >= first) expect(decision.allowed).toBe(true)
    if (decision.allowed) break
  }
  while ((await now()) < Math.max(...ends)) await setTimeout(1)
  const rest = await Promise.all([0, 1, 2, 3].map(() => limiter.reserve([flight])))
  expect(rest.map(({ decision }) => decision.allowed)).toEqual([true, true, true, false])
  await limiter.close()
  client.disconnect()
})
