import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FaultyRedis, type RedisFault, redisFaults, startFaultyRedis } from '#testing/limits/redis-faults.ts'
import type { Decision } from '../decision.ts'
import { UNLIMITED } from '../decision.ts'
import type { LimiterEvent } from '../limiter.ts'
import { createLimiter, type Limiter } from '../limiter.ts'
import { compileRuleSets } from '../rules/compile.ts'

const DECIDE_WITHIN_MS = 150
const RECOVER_WITHIN_MS = 5_000

const counted = compileRuleSets('read', [{ by: 'ip', rules: [{ limit: 3, window: '1h' }] }])
const denying = compileRuleSets('sign-in', [{ by: 'ip', rules: [{ limit: 3, window: '1h' }], onStoreFailure: 'deny' }])
const allowing = compileRuleSets('ping', [{ by: 'ip', rules: [{ limit: 3, window: '1h' }], onStoreFailure: 'allow' }])
const caller = { address: '192.0.2.1', userId: null, shared: false }

let scene: FaultyRedis
let limiter: Limiter
/** What became of the store. */
let events: LimiterEvent[] = []
let begun: RedisFault | null = null

beforeAll(async () => {
  scene = await startFaultyRedis()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  await open()
  return async () => {
    // A test that failed half way leaves no fault to the next.
    if (begun) await end(begun)
    await scene.proxy.set('pass')
    await limiter.close()
  }
})

/** A limiter that has decided nothing yet, over an empty Redis. */
async function open(): Promise<void> {
  await scene.admin.flushall()
  const log = (event: LimiterEvent) => {
    if (event.type === 'degraded' || event.type === 'recovered') events.push(event)
  }
  limiter = createLimiter({ redisUrl: scene.url, log })
  await expect.poll(() => limiter.check(), { timeout: RECOVER_WITHIN_MS }).toBe('ready')
  events = []
}

/** Its first call, which Redis decides: where a busy machine has Redis late for it, all begins anew. */
async function takeFirstByStore(): Promise<void> {
  while ((await limiter.take(counted, caller)).decidedBy !== 'store') {
    expect(limiter.status()).toBe('degraded')
    await limiter.close()
    await open()
  }
}

/** Where a busy machine has Redis late for a call without a fault, the limiter has noticed, and is asked again once it is ready. */
async function decidesByStore(of = limiter): Promise<void> {
  while ((await timed(of.take(counted, caller))).decidedBy !== 'store') {
    expect(of.status()).toBe('degraded')
    expect(await until(() => of.status() === 'ready')).toBeLessThan(RECOVER_WITHIN_MS)
  }
}

async function begin(fault: RedisFault): Promise<void> {
  begun = fault
  await fault.begin(scene)
}

async function end(fault: RedisFault): Promise<void> {
  begun = null
  await fault.end(scene)
}

/** A decision that is there when a timer of 150 ms set beside it goes off, however late the machine lets both run. */
async function timed(decision: Promise<Decision>): Promise<Decision> {
  const late = setTimeout(DECIDE_WITHIN_MS, null, { ref: false }).then(nextTurn).then(nextTurn)
  const first = await Promise.race([decision, late.then(() => null)])
  if (!first) throw new Error(`no decision within ${DECIDE_WITHIN_MS} ms`)
  return first
}

/** Milliseconds until something holds, at most those of a recovery. */
async function until(holds: () => boolean): Promise<number> {
  const start = performance.now()
  while (!holds() && performance.now() - start < RECOVER_WITHIN_MS) {
    await setTimeout(10)
  }
  return performance.now() - start
}

describe.each(redisFaults)('$name', (fault) => {
  test('decides in process within 150 ms, and recovers in less than 5 s', async () => {
    await takeFirstByStore()
    await begin(fault)
    const first = await Promise.all([0, 1].map(() => timed(limiter.take(counted, caller))))
    const then = await timed(limiter.take(counted, caller))
    // What the store had admitted of this process's calls is counted on: two are left of three.
    expect([...first, then].map((decision) => [decision.allowed, decision.decidedBy])).toEqual([
      [true, 'local'],
      [true, 'local'],
      [false, 'local'],
    ])
    expect(then.refusedBy?.policy).toBe('read-1h')
    expect(limiter.status()).toBe('degraded')

    await end(fault)
    expect(await until(() => limiter.status() === 'ready')).toBeLessThan(RECOVER_WITHIN_MS)
    expect(events).toEqual([
      { type: 'degraded', cause: expect.stringMatching(fault.cause) },
      { type: 'recovered', afterMs: expect.any(Number), decisionsWithoutStore: 3 },
    ])
    await decidesByStore()
  })
})

// These also hang connections that are opened in the meantime.
describe.each(redisFaults.filter(({ hangs }) => hangs))('$name, for longer', (fault) => {
  test('recovers in less than 5 s after connections were closed', async () => {
    await begin(fault)
    const before = scene.proxy.accepted
    expect((await timed(limiter.take(counted, caller))).decidedBy).toBe('local')
    expect(await until(() => scene.proxy.accepted > before + 1)).toBeLessThan(RECOVER_WITHIN_MS)
    expect((await timed(limiter.take(counted, caller))).decidedBy).toBe('local')
    await end(fault)
    expect(await until(() => limiter.status() === 'ready')).toBeLessThan(RECOVER_WITHIN_MS)
    expect(events.map((event) => event.type)).toEqual(['degraded', 'recovered'])
    await decidesByStore()
  })
})

describe('while the store fails', () => {
  beforeEach(() => scene.proxy.set('refuse'))

  test('a set that says deny refuses, with a wait of seconds', async () => {
    const report = {
      ruleSet: 'sign-in',
      policy: 'sign-in-1h',
      parts: { limit: 3, unit: 'calls', window: 3_600_000 },
      unit: 'calls',
      limit: 3,
      windowMs: 3_600_000,
      remaining: 0,
      resetMs: 5_000,
    }
    expect(await timed(limiter.take(denying, caller))).toEqual({
      ...UNLIMITED,
      allowed: false,
      refusedBy: report,
      retryAfterMs: 5_000,
      rules: [report],
      decidedBy: 'policy',
    })
  })

  test('a set that says allow allows', async () => {
    for (let i = 0; i < 10; i += 1) {
      expect(await timed(limiter.take(allowing, caller))).toMatchObject({
        allowed: true,
        rules: [{ policy: 'ping-1h', limit: 3, remaining: 3, resetMs: 0 }],
        decidedBy: 'policy',
      })
    }
  })

  test('one set that denies denies a mixed call, and nothing is charged in process', async () => {
    for (let i = 0; i < 10; i += 1) {
      expect(await limiter.take([...counted, ...denying, ...allowing], caller)).toMatchObject({
        allowed: false,
        refusedBy: { policy: 'sign-in-1h' },
      })
    }
    const decision = await limiter.take([...counted, ...allowing], caller)
    expect(decision.rules.map((rule) => [rule.policy, rule.remaining])).toEqual([
      ['read-1h', 2],
      ['ping-1h', 3],
    ])
  })
})

test('a Redis that is absent at start is found when it comes', async () => {
  await scene.proxy.set('refuse')
  const log: string[] = []
  const late = createLimiter({ redisUrl: scene.url, log: (event) => log.push(event.type) })
  expect((await timed(late.take(counted, caller))).decidedBy).toBe('local')
  await scene.proxy.set('pass')
  expect(await until(() => late.status() === 'ready')).toBeLessThan(RECOVER_WITHIN_MS)
  expect(log).toEqual(['degraded', 'recovered'])
  await decidesByStore(late)
  await late.close()
})
