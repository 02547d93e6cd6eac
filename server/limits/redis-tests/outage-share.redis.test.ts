import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFleet } from '#testing/limits/fleet.ts'
import { type FaultyRedis, startFaultyRedis } from '#testing/limits/redis-faults.ts'
import { createLimiter, type Limiter } from '../limiter.ts'
import type { Rule } from '../rule-set.ts'
import { compileRuleSets } from '../rules/compile.ts'

const PROCESSES = 4
const LIMIT = 22
const SHARE = 5

let scene: FaultyRedis
beforeAll(async () => {
  scene = await startFaultyRedis()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Limiters of so many processes over one Redis that is there, and empty. */
async function start(processes: number): Promise<AsyncDisposable & { readonly limiters: readonly Limiter[] }> {
  await scene.proxy.set('pass')
  await scene.admin.flushall()
  // An answer of Redis that comes late on a busy machine still counts: only the outage makes a process decide alone.
  const limiters = createFleet(processes).map((fleet) =>
    createLimiter({ redisUrl: scene.url, fleet, deadlineMs: 20_000 }),
  )
  for (const limiter of limiters) await ready(limiter)
  const close = async () => void (await Promise.all(limiters.map((limiter) => limiter.close())))
  return { limiters, [Symbol.asyncDispose]: close }
}

const ready = (limiter: Limiter) => expect.poll(() => limiter.check()).toBe('ready')

const setsOf = (rule: Rule) => compileRuleSets('all', [{ by: 'site', rules: [rule] }])

/** How many of so many calls pass. */
async function admitted(limiter: Limiter, sets: ReturnType<typeof setsOf>, calls: number, cost = 1): Promise<number> {
  let passed = 0
  for (let i = 0; i < calls; i += 1) passed += (await limiter.take(sets, { subject: 'site' }, cost)).allowed ? 1 : 0
  return passed
}

// None of them gains a permit while the test runs.
const rules: readonly (readonly [string, Rule])[] = [
  ['a log', { limit: LIMIT, window: '1h' }],
  ['a window', { limit: LIMIT, window: '1h', algorithm: 'fixed-window' }],
  ['a counter', { limit: LIMIT, window: '10h', algorithm: 'sliding-window-counter' }],
  ['a token bucket', { limit: LIMIT, window: '300d', algorithm: 'token-bucket' }],
  ['a leaky bucket', { limit: LIMIT, window: '300d', algorithm: 'leaky-bucket' }],
]

describe.each(rules)('an outage of four processes over %s', (_, rule) => {
  test('admits in each process its share minus what it had, and in all at most one limit besides that of Redis', async () => {
    await using started = await start(PROCESSES)
    const { limiters } = started
    const [first, second] = limiters
    if (!first || !second) throw new Error('no limiters')
    const sets = setsOf(rule)
    const before = (await admitted(first, sets, 3)) + (await admitted(second, sets, 1))
    await scene.proxy.set('refuse')
    const meanwhile: number[] = []
    for (const limiter of limiters) meanwhile.push(await admitted(limiter, sets, 30))
    expect(meanwhile).toEqual([SHARE - 3, SHARE - 1, SHARE, SHARE])
    await scene.proxy.set('pass')
    let after = 0
    for (const limiter of limiters) {
      await ready(limiter)
      after += await admitted(limiter, sets, 30)
    }
    // Redis has counted what it has decided, each once, and nothing else.
    expect([before, after]).toEqual([4, LIMIT - 4])
    expect(before + after + meanwhile.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(LIMIT + PROCESSES * SHARE)
  })
})

test('calls spread evenly over the processes find what is left of the limit, and no more', async () => {
  await using started = await start(2)
  const sets = setsOf({ limit: 20, window: '1h' })
  for (const limiter of started.limiters) expect(await admitted(limiter, sets, 7)).toBe(7)
  await scene.proxy.set('refuse')
  for (const limiter of started.limiters) expect(await admitted(limiter, sets, 30)).toBe(3)
})

test('a call that costs more than a share passes once in each process: so the bound has its cost in place of the share', async () => {
  await using started = await start(PROCESSES)
  const sets = setsOf({ limit: LIMIT, window: '1h' })
  await scene.proxy.set('refuse')
  const meanwhile: number[] = []
  for (const limiter of started.limiters) meanwhile.push(await admitted(limiter, sets, 5, 8))
  expect(meanwhile).toEqual([1, 1, 1, 1])
})
