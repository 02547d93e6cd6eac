import { expect, onTestFinished, test } from 'vitest'
import { redisScene } from '#testing/limits/redis-scene.ts'
import type { Decision } from '../decision.ts'
import { createLimiter } from '../limiter.ts'
import type { Rule } from '../rule-set.ts'
import { compileRuleSets } from '../rules/compile.ts'

const FLOOD = 10_000
const caller = { address: '192.0.2.1', userId: null, shared: false }
const setsOf = (...rules: [Rule, ...Rule[]]) => compileRuleSets('read', [{ by: 'ip', rules }])
const once = setsOf({ limit: 1, window: '1h' })

const scene = redisScene()

/** One that hears the others: until then it may have missed what they told, and forgets what it remembers. */
async function start() {
  const limiter = createLimiter({ redisUrl: scene.redis.url, deadlineMs: 20_000 })
  onTestFinished(() => limiter.close())
  await new Promise<void>((resolve) => limiter.fleet.onGap(resolve))
  return limiter
}

/** How often Redis has run a script. */
async function scriptCalls(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await scene.client.info('commandstats'))?.[1] ?? 0)
}

test.each<[string, Rule]>([
  ['by a log', { limit: 3, window: '1h' }],
  ['for a block', { limit: 3, window: '1m', blockFor: '1h' }],
  ['by a window', { limit: 3, window: '1h', algorithm: 'fixed-window' }],
  ['by a month', { limit: 3, window: '31d', algorithm: 'fixed-window', align: 'month' }],
  ['by a counter', { limit: 3, window: '10h', algorithm: 'sliding-window-counter' }],
  ['by a token bucket', { limit: 3, window: '1d', algorithm: 'token-bucket' }],
  ['by a leaky bucket', { limit: 3, window: '1d', algorithm: 'leaky-bucket' }],
])('a flood of 10,000 calls that is refused %s already runs no script in Redis', async (_, rule) => {
  const limiter = await start()
  const sets = setsOf(rule)
  for (let i = 0; i < 4; i += 1) await limiter.take(sets, caller)
  const before = await scriptCalls()
  const flood: Decision[] = []
  for (let i = 0; i < FLOOD; i += 1) flood.push(await limiter.take(sets, caller))
  expect((await scriptCalls()) - before).toBe(0)
  expect(new Set(flood.map(({ allowed, decidedBy }) => `${allowed} ${decidedBy}`))).toEqual(new Set(['false cache']))
  const waits = flood.map(({ retryAfterMs }) => retryAfterMs)
  expect(waits).toEqual(waits.toSorted((a, b) => b - a))
})

test('a refund in one process ends a refusal that another remembers', async () => {
  const [here, there] = await Promise.all([start(), start()])
  await expect.poll(() => [here.fleet.size, there.fleet.size]).toEqual([2, 2])
  for (const giveBack of ['refund', 'reset'] as const) {
    await scene.client.flushdb()
    await there.reset([{ sets: once, caller }])
    const permit = await here.reserve([{ sets: once, caller }])
    expect((await there.take(once, caller)).decidedBy).toBe('store')
    expect((await there.take(once, caller)).decidedBy).toBe('cache')
    if (giveBack === 'refund') await permit.refund()
    else await here.reset([{ sets: once, caller }])
    await expect.poll(async () => (await there.take(once, caller)).allowed).toBe(true)
  }
})

test('an override holds at once for whom the process remembers as refused', async () => {
  const limiter = await start()
  await limiter.take(once, caller)
  await limiter.take(once, caller)
  expect((await limiter.take(once, caller)).decidedBy).toBe('cache')
  limiter.override([{ ruleSet: 'read', target: 'all', sets: setsOf({ limit: 2, window: '1h' }) }])
  expect(await limiter.take(once, caller)).toMatchObject({ allowed: true, decidedBy: 'store' })
  await limiter.take(once, caller)
  expect((await limiter.take(once, caller)).decidedBy).toBe('cache')
  limiter.override([])
  expect(await limiter.take(once, caller)).toMatchObject({ allowed: false, decidedBy: 'store' })
})
