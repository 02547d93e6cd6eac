import { TRPCError } from '@trpc/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type PostgresBehindProxy, startPostgresBehindProxy } from '#testing/servers/postgres-behind-proxy.ts'
import { type RedisServer, startRedisServer } from '#testing/servers/redis-server.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { within } from '#testing/within.ts'
import type { OverrideTarget } from './override-target.ts'

let postgres: PostgresBehindProxy
let redis: RedisServer
let one: TestApp
let other: TestApp
let root: Person
beforeAll(async () => {
  postgres = await startPostgresBehindProxy()
  redis = await startRedisServer()
  const shared = { DATABASE_URL: postgres.direct, REDIS_URL: redis.url }
  // Less than the tests without Redis wait, and more than a busy machine needs for an answer.
  const patient = { redisDeadlineMs: 2_000 }
  one = await startApp(shared, patient)
  other = await startApp({ ...shared, SLUICE_SECRET: one.app.config.secret }, patient)
  root = await one.person({ role: 'superadmin' })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await vi.waitFor(() => expect([one, other].map(({ app }) => app.limiter.fleet.size)).toEqual([2, 2]), WITHIN_A_WHILE)
})

const WITHIN_A_WHILE = { timeout: 60_000, interval: 50 }
const ALL: OverrideTarget = { kind: 'all' }
const perHour = (limit: number) => ({ rules: [{ limit, window: '1h' }] })

/** Returns the limits that a process applies to a user, and what is left of them. */
async function limitsIn({ app }: TestApp, { viewer }: Person) {
  const sets = app.limitAdmin.catalogue.ruleSets.get('account-change')?.compiled ?? []
  const { userId, shared, role } = viewer
  const { rules } = await app.limiter.peek([{ sets, caller: { address: '192.0.2.1', userId, shared, role } }])
  return rules.map(({ policy, limit, remaining }) => ({ policy, limit, remaining }))
}

const limits = (test: TestApp) => test.as(root).limits

describe('over one PostgreSQL and one Redis', () => {
  it('an override applies in every process within a second, keeping what was used, until it is cleared', async () => {
    const user = await one.person({ password: 'long enough to pass' })
    const declared = [
      { policy: 'account-change-1m', limit: 10, remaining: 10 },
      { policy: 'account-change-1h', limit: 60, remaining: 60 },
    ]
    expect(await limitsIn(other, user)).toEqual(declared)
    // Both windows stay, so that what was used of them does.
    const rules = (perMinute: number) => ({ rules: [{ limit: perMinute, window: '1m' }, ...perHour(60).rules] })
    await other.as(user).token.create({ name: 'a program', scopes: ['read'], expiresInDays: null })
    await limits(one).override({ ruleSet: 'account-change', target: ALL, terms: rules(3) })
    const tighter = [
      { policy: 'account-change-1m', limit: 3, remaining: 2 },
      { policy: 'account-change-1h', limit: 60, remaining: 59 },
    ]
    expect(await limitsIn(one, user)).toEqual(tighter)
    await within(1_000, async () => expect(await limitsIn(other, user)).toEqual(tighter))
    await limits(other).clear({ ruleSet: 'account-change', target: ALL })
    await within(1_000, async () => expect((await limitsIn(one, user)).map(({ limit }) => limit)).toEqual([10, 60]))
  })

  it('a value that is blocked by hand is refused by every process within a second, and no other, until it is lifted', async () => {
    const owner = await one.person()
    const insert = async () => (await insertBareImage(one.app.db, owner.viewer.userId, { visibility: 'public' })).id
    const [blocked, free] = [await insert(), await insert()]
    const outcome = (test: TestApp, id: string) =>
      test
        .as(owner)
        .image.download({ id })
        .then(
          () => 'passed',
          ({ code }: TRPCError) => code,
        )
    const outcomes = () => Promise.all([one, other].flatMap((test) => [outcome(test, blocked), outcome(test, free)]))
    const allPass = ['passed', 'passed', 'passed', 'passed']
    expect(await outcomes()).toEqual(allPass)
    const place = { ruleSet: 'download-again', target: { kind: 'argument', value: blocked } } as const
    const blockedUntil = new Date(Date.now() + 3_600_000).toISOString()
    await limits(one).override({ ...place, terms: { blockedUntil } })
    await within(1_000, async () =>
      expect(await outcomes()).toEqual(['TOO_MANY_REQUESTS', 'passed', 'TOO_MANY_REQUESTS', 'passed']),
    )
    expect((await limits(other).blocks()).blocks).toMatchObject([{ kind: 'override', ...place, until: blockedUntil }])
    // A process that learns of it at its start knows it from its first call on.
    await using late = await startApp(
      { DATABASE_URL: postgres.direct, REDIS_URL: redis.url, SLUICE_SECRET: one.app.config.secret },
      { redisDeadlineMs: 2_000 },
    )
    expect([await outcome(late, blocked), await outcome(late, free)]).toEqual(['TOO_MANY_REQUESTS', 'passed'])
    await limits(other).clear(place)
    await within(1_000, async () => expect(await outcomes()).toEqual(allPass))
    expect((await limits(one).blocks()).blocks).toEqual([])
  })

  it('a process that starts later has them from its first call on', async () => {
    const user = await one.person()
    const target: OverrideTarget = { kind: 'subject', subject: user.viewer.userId }
    await limits(one).override({ ruleSet: 'account-change', target, terms: perHour(7) })
    await using late = await startApp(
      { DATABASE_URL: postgres.direct, REDIS_URL: redis.url },
      { redisDeadlineMs: 2_000 },
    )
    expect(await limitsIn(late, user)).toEqual([{ policy: 'account-change-1h', limit: 7, remaining: 7 }])
  })

  it('concurrent changes by two processes form a chain of before and after', async () => {
    const target: OverrideTarget = { kind: 'role', role: 'guest' }
    const change = (limit: number) => {
      const by = limits(limit % 2 ? one : other)
      return limit % 5 === 0
        ? by.clear({ ruleSet: 'view', target })
        : by.override({ ruleSet: 'view', target, terms: perHour(limit) })
    }
    await Promise.all(Array.from({ length: 20 }, (_, index) => change(index + 1)))
    const { items } = await limits(one).history({ ruleSet: 'view' })
    const chain = items.toReversed()
    expect(chain.filter(({ action }) => action === 'limits.override').length).toBe(16)
    expect(chain[0]?.before).toBeNull()
    for (const [index, { before }] of chain.entries()) if (index > 0) expect(before).toEqual(chain[index - 1]?.after)
    const row = await one.app.db.limitOverride.findFirst({ where: { ruleSet: 'view' }, select: { terms: true } })
    expect(row?.terms ?? null).toEqual(chain.at(-1)?.after)
  })

  it('a change that is not committed is neither applied nor announced', async () => {
    const user = await one.person()
    const { db } = one.app
    const before = await limitsIn(one, user)
    // A failing audit entry rolls the change back.
    await db.$executeRaw`ALTER TABLE "AuditEntry" ADD CONSTRAINT shut CHECK (action <> 'limits.override') NOT VALID`
    const change = limits(one).override({ ruleSet: 'account-change', target: ALL, terms: perHour(2) })
    await expect(change).rejects.toThrow()
    await db.$executeRaw`ALTER TABLE "AuditEntry" DROP CONSTRAINT shut`
    expect(await db.limitOverride.count({ where: { ruleSet: 'account-change', target: 'all' } })).toBe(0)
    expect(await limitsIn(one, user)).toEqual(before)
  })
})

describe('while the database is unavailable', () => {
  it('a process that learns of a change keeps its old limits, and follows when the database recovers', async () => {
    const user = await one.person()
    const target: OverrideTarget = { kind: 'subject', subject: user.viewer.userId }
    await using behind = await startApp({ DATABASE_URL: postgres.url, REDIS_URL: redis.url })
    await limits(one).override({ ruleSet: 'account-change', target, terms: perHour(5) })
    const readLimit = async () => (await limitsIn(behind, user)).map(({ limit }) => limit)
    await vi.waitFor(async () => expect(await readLimit()).toEqual([5]), WITHIN_A_WHILE)
    const warned = vi.spyOn(behind.app.log, 'warn')
    await postgres.proxy.set('refuse')
    await limits(one).override({ ruleSet: 'account-change', target, terms: perHour(6) })
    // Wait until it has been retried.
    const failures = () => warned.mock.calls.filter(([, message]) => message === 'limit overrides could not be read')
    await vi.waitFor(() => expect(failures().length).toBeGreaterThan(1), WITHIN_A_WHILE)
    expect(await readLimit()).toEqual([5])
    await postgres.proxy.set('pass')
    await vi.waitFor(async () => expect(await readLimit()).toEqual([6]), WITHIN_A_WHILE)
  })
})

describe('while Redis is unavailable', () => {
  it('a reset is unavailable and leaves no audit entry', async () => {
    const user = await one.person()
    const subject = user.viewer.userId
    redis.freeze()
    const error = await limits(one)
      .reset({ ruleSet: 'account-change', subject })
      .then(
        () => null,
        (reason: unknown) => reason,
      )
    redis.thaw()
    expect(error instanceof TRPCError && [error.code, error.message]).toEqual([
      'SERVICE_UNAVAILABLE',
      'The limit store is unavailable. Try again in a few seconds.',
    ])
    expect((await limits(one).history({ ruleSet: 'account-change' })).items.map(({ action }) => action)).not.toContain(
      'limits.reset',
    )
  })

  it('an override is stored, applies here at once, and in the others once they are connected again', async () => {
    const user = await one.person()
    redis.freeze()
    const target: OverrideTarget = { kind: 'subject', subject: user.viewer.userId }
    await limits(one).override({ ruleSet: 'account-change', target, terms: perHour(4) })
    expect((await limitsIn(one, user)).map(({ limit }) => limit)).toEqual([4])
    redis.thaw()
    await vi.waitFor(
      async () => expect((await limitsIn(other, user)).map(({ limit }) => limit)).toEqual([4]),
      WITHIN_A_WHILE,
    )
  })
})
