import { TRPCError } from '@trpc/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ZodError, type z } from 'zod'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { createContext } from '#server/trpc/context.ts'
import { createCallerFactory } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { operationsView } from './limits.ts'
import type { OverrideTarget } from './override-target.ts'
import type { termsSchema } from './override-terms.ts'
import { Sampler } from './sampler.ts'
import { sampleStats } from './stats-view.ts'

let test: TestApp
let root: Person
let admin: Person
let sharedAdmin: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
  admin = await test.person({ role: 'admin' })
  sharedAdmin = await test.person({ role: 'admin', shared: true })
})
afterAll(() => test[Symbol.asyncDispose]())

type OverrideInput = z.input<typeof termsSchema>

const ALL: OverrideTarget = { kind: 'all' }
const of = (person: Person) => test.as(person).limits
const ADDRESS = '203.0.113.7'

async function ruleSetOf(name: string, person = root) {
  const { ruleSets } = await of(person).list()
  const found = ruleSets.find((set) => set.name === name)
  if (!found) throw new Error(`no rule set ${name}`)
  return found
}

async function failureOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof TRPCError)) throw error ?? new Error('it worked')
  const { cause } = error
  return { code: error.code, message: cause instanceof ZodError ? (cause.issues[0]?.message ?? '') : error.message }
}

beforeEach(async () => {
  await test.app.db.limitOverride.deleteMany()
  await test.app.operations.overrides.announce()
  await test.app.db.auditEntry.deleteMany()
})

describe('limits.list', () => {
  it('tells of every procedure and route by its path, and what its code declares', async () => {
    const { procedures, ruleSets, leftOver } = await of(admin).list()
    const paths = procedures.map(({ path }) => path)
    expect(paths).toEqual(paths.toSorted())
    expect(procedures.find(({ path }) => path === 'image.upload')).toEqual({
      path: 'image.upload',
      kind: 'mutation',
      ruleSets: ['upload', 'uploading', 'upload-bytes'],
      reason: null,
    })
    expect(procedures.find(({ path }) => path === 'image bytes (original)')).toEqual({
      path: 'image bytes (original)',
      kind: 'route',
      ruleSets: ['download', 'download-of-one'],
      reason: 'The original of an image',
    })
    expect(procedures.find(({ path }) => path === 'limits.live')?.kind).toBe('subscription')
    const names = ruleSets.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(ruleSets.find(({ name }) => name === 'upload-bytes')).toEqual({
      name: 'upload-bytes',
      by: 'each user; guests, and those who share an account, by address',
      unit: 'bytes',
      count: 'all',
      scope: 'cluster',
      declared: {
        rules: [{ limit: '20GB', window: '1d', algorithm: 'fixed-window', align: 'day' }],
        mode: 'enforce',
        wait: null,
        onStoreFailure: 'local',
      },
      rules: [
        {
          policy: 'upload-bytes-day',
          words: '20 GB per calendar day',
          algorithm: 'fixed-window',
          limit: 20 * 1024 ** 3,
          windowMs: 86_400_000,
        },
      ],
      usedBy: ['image.upload'],
      targets: ['all', 'role', 'subject'],
      overrides: [],
    })
    expect(leftOver).toEqual([])
  })

  it.each([
    ['page', 'each address', ['all', 'subject'], ['pages']],
    ['download-of-one', 'each slug, whoever asks', ['all'], ['image bytes (original)']],
    [
      'download-again',
      'each id by each user; guests, and those who share an account, by address',
      ['all', 'role', 'subject'],
      ['image.download'],
    ],
  ])('says whom %s counts', async (name, by, targets, usedBy) => {
    expect(await ruleSetOf(name)).toMatchObject({ by, targets, usedBy })
  })

  it('shows what holds in place of it, with the user’s name', async () => {
    const user = await test.person()
    const { userId, username } = user.viewer
    const terms = { rules: [{ limit: 3, window: '1m' }] }
    await of(root).override({ ruleSet: 'view', target: { kind: 'subject', subject: userId }, terms, note: 'a scraper' })
    await of(root).override({ ruleSet: 'view', target: ALL, terms: { mode: 'shadow' } })
    const { declared, rules, overrides } = await ruleSetOf('view')
    expect([declared.mode, rules.length]).toEqual(['enforce', 3])
    expect(overrides).toEqual([
      {
        target: ALL,
        subjectName: null,
        terms: { mode: 'shadow' },
        rules,
        problem: null,
        note: null,
        changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        changedBy: root.viewer.username,
      },
      {
        target: { kind: 'subject', subject: userId },
        subjectName: username,
        terms,
        rules: [
          { policy: 'view-1m', words: '3 per minute', algorithm: 'sliding-window-log', limit: 3, windowMs: 60_000 },
        ],
        problem: null,
        note: 'a scraper',
        changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        changedBy: root.viewer.username,
      },
    ])
  })

  it('shows no address to whoever shares an account', async () => {
    await of(root).override({
      ruleSet: 'view',
      target: { kind: 'subject', subject: '::ffff:192.0.2.1' },
      terms: { mode: 'shadow' },
    })
    const targetFor = async (person: Person) => (await ruleSetOf('view', person)).overrides[0]?.target
    expect(await targetFor(admin)).toEqual({ kind: 'subject', subject: '192.0.2.1' })
    expect(await targetFor(sharedAdmin)).toEqual({ kind: 'subject', subject: 'hidden' })
  })

  it('shows what code no longer bears out, and why', async () => {
    const row = { target: 'all', note: null, changedAt: new Date(0), changedBy: 'Sue' }
    await test.app.db.limitOverride.createMany({
      data: [
        { ...row, ruleSet: 'gone', terms: { mode: 'shadow' } },
        { ...row, ruleSet: 'sign-in', terms: { mode: 'shadow' } },
        { ...row, ruleSet: 'view', terms: { plan: 'gold' } },
      ],
    })
    const problem = async (name: string) => (await ruleSetOf(name)).overrides.map(({ problem }) => problem)
    expect(await problem('sign-in')).toEqual([
      'sign-in (account): rule set sign-in, onStoreFailure: must not be deny in a set that refuses nothing while its store works: that needs mode: enforce',
    ])
    expect(await problem('view')).toEqual(['Its terms are none that this version of Sluice knows.'])
    const { leftOver } = await of(root).list()
    expect(leftOver).toMatchObject([{ ruleSet: 'gone', rules: null, problem: 'There is no rule set gone.' }])
    await of(root).clear({ ruleSet: 'gone', target: ALL })
    expect((await of(root).list()).leftOver).toEqual([])
  })
})

describe('limits.override and limits.clear', () => {
  it('change what holds from the next call on, and keep what was used', async () => {
    const user = await test.person()
    const { account } = test.as(user)
    await account.me()
    const rules = [{ limit: 2, window: '1m' }]
    const target = { kind: 'role', role: 'user' } as const
    expect(await of(root).override({ ruleSet: 'account-view', target, terms: { rules } })).toEqual({ warnings: [] })
    await account.me()
    await account.me()
    expect((await failureOf(account.me())).code).toBe('TOO_MANY_REQUESTS')
    await of(root).override({ ruleSet: 'account-view', target, terms: { rules: [{ limit: 4, window: '1m' }] } })
    await account.me()
    await account.me()
    expect((await failureOf(account.me())).message).toMatch(/^Too many requests: account-view allows 4 per minute\./)
    await test.as(admin).account.me()
    await of(root).clear({ ruleSet: 'account-view', target })
    await account.me()
  })

  it('let the exact go before the general', async () => {
    const user = await test.person()
    const subject = user.viewer.userId
    const rules = (limit: number) => ({ rules: [{ limit, window: '1h' }] })
    await of(root).override({ ruleSet: 'account-view', target: ALL, terms: rules(5) })
    await of(root).override({ ruleSet: 'account-view', target: { kind: 'role', role: 'user' }, terms: rules(6) })
    await of(root).override({ ruleSet: 'account-view', target: { kind: 'subject', subject }, terms: rules(7) })
    const sets = test.app.operations.catalogue.ruleSets.get('account-view')?.compiled ?? []
    const limitOf = async ({ viewer: { userId, shared, role } }: Person) => {
      const caller = { address: ADDRESS, userId, shared, role }
      return (await test.app.limiter.peek([{ sets, caller }])).rules[0]?.limit
    }
    expect([await limitOf(user), await limitOf(await test.person()), await limitOf(admin)]).toEqual([7, 6, 5])
  })

  it.each([
    ['nothing', ALL, { mode: 'shadow' }, 'There is no rule set nothing.'],
    [
      'view',
      ALL,
      { rules: [{ limit: 1, window: '1x' }] },
      "image.list: rule set view, rule 1, window: must be from 1ms to 366d, such as '500ms', '1s', '5m', '1h' or '1d', or whole milliseconds",
    ],
    [
      'download-of-one',
      { kind: 'role', role: 'guest' },
      { mode: 'shadow' },
      'download-of-one counts everybody together: it can only be overridden for all.',
    ],
    ['view', ALL, {}, 'says nothing: name rules, mode, wait or onStoreFailure'],
    [
      'view',
      { kind: 'subject', subject: 'ann' },
      { mode: 'shadow' },
      'must be a subject: a user’s id, an address, or both as address:id',
    ],
  ] satisfies [string, OverrideTarget, OverrideInput, string][])(
    'of %s for %j by %j is refused, and nothing is written',
    async (ruleSet, target, terms, message) => {
      expect(await failureOf(of(root).override({ ruleSet, target, terms }))).toEqual({ code: 'BAD_REQUEST', message })
      expect(await test.app.db.limitOverride.count()).toBe(0)
      expect(await test.app.db.auditEntry.count()).toBe(0)
    },
  )

  it('answers what holds, but cannot be meant', async () => {
    const rules = [
      { limit: 10, window: '1s' },
      { limit: 1_000, window: '1m' },
    ]
    expect(await of(root).override({ ruleSet: 'account-view', target: ALL, terms: { rules } })).toEqual({
      warnings: [
        'account-view-1m (1000 per minute) never refuses, for account-view-1s (10 per second) always does so first',
      ],
    })
  })
})

describe('limits.history', () => {
  it('tells who changed what, newest first, by pages and by rule set', async () => {
    const terms = [{ mode: 'shadow' as const }, { wait: '2s' }]
    const change = (ruleSet: string, index: number) =>
      of(root).override({ ruleSet, target: ALL, terms: terms[index] ?? {}, note: `change ${index}` })
    await change('view', 0)
    await change('view', 1)
    await of(root).override({
      ruleSet: 'view-large',
      target: { kind: 'role', role: 'guest' },
      terms: { mode: 'shadow' },
    })
    await of(root).clear({ ruleSet: 'view', target: ALL })
    await of(root).clear({ ruleSet: 'view', target: ALL })
    const { items, nextCursor } = await of(root).history({})
    expect(nextCursor).toBeNull()
    const shown = items.map(({ action, ruleSet, target, before, after, note }) => {
      return { action, ruleSet, target, before, after, note }
    })
    expect(shown).toEqual([
      { action: 'limits.clear', ruleSet: 'view', target: ALL, before: terms[1], after: null, note: null },
      {
        ...{ action: 'limits.override', ruleSet: 'view-large', target: { kind: 'role', role: 'guest' } },
        ...{ before: null, after: { mode: 'shadow' }, note: null },
      },
      { action: 'limits.override', ruleSet: 'view', target: ALL, before: terms[0], after: terms[1], note: 'change 1' },
      { action: 'limits.override', ruleSet: 'view', target: ALL, before: null, after: terms[0], note: 'change 0' },
    ])
    expect(new Set(items.map(({ actor }) => actor))).toEqual(new Set([root.viewer.username]))
    const ofView = await of(root).history({ ruleSet: 'view', limit: 2 })
    expect(ofView.items.map(({ id }) => id)).toEqual([items[0]?.id, items[2]?.id])
    const rest = await of(root).history({ ruleSet: 'view', limit: 2, cursor: ofView.nextCursor ?? '' })
    expect(rest).toEqual({ items: [items[3]], nextCursor: null })
    expect((await of(root).history({ ruleSet: 'vie_' })).items).toEqual([])
  })

  it('outlives who is told of in it', async () => {
    const { viewer } = await test.person({ role: 'superadmin' })
    const actor = { viewer, cookie: '' }
    await of(actor).override({ ruleSet: 'view', target: ALL, terms: { mode: 'shadow' } })
    await test.as(root).user.delete({ id: viewer.userId })
    expect((await of(root).history({})).items[0]?.actor).toBe(viewer.username)
  })
})

describe('limits.reset', () => {
  const fill = async (person: Person, address?: string) => {
    const { limits } = test.as(person, address)
    for (let i = 0; i < 2; i += 1) await limits.stats()
    return async () => (await failureOf(limits.stats())).code
  }
  beforeEach(async () => {
    await of(root).override({
      ruleSet: 'operations-view',
      target: { kind: 'role', role: 'admin' },
      terms: { rules: [{ limit: 2, window: '1h' }] },
    })
  })

  it('forgets what a user has used, as it holds for their role, and is told of', async () => {
    const person = await test.person({ role: 'admin' })
    const refused = await fill(person)
    expect(await refused()).toBe('TOO_MANY_REQUESTS')
    await of(root).reset({ ruleSet: 'operations-view', subject: person.viewer.userId })
    await fill(person)
    expect(await refused()).toBe('TOO_MANY_REQUESTS')
    const [{ action, target, subjectName }] = (await of(root).history({})).items as [never]
    expect([action, target, subjectName]).toEqual([
      'limits.reset',
      { kind: 'subject', subject: person.viewer.userId },
      person.viewer.username,
    ])
  })

  it('forgets what one address of a shared account has used, and no other', async () => {
    const person = await test.person({ role: 'admin', shared: true })
    const [here, there] = [await fill(person, '192.0.2.1'), await fill(person, '192.0.2.2')]
    await of(root).reset({ ruleSet: 'operations-view', subject: `192.0.2.1:${person.viewer.userId}` })
    await fill(person, '192.0.2.1')
    expect([await here(), await there()]).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'])
  })

  it('of a shared account by its id forgets what all its addresses have used together', async () => {
    const person = await test.person({ shared: true })
    const { userId } = person.viewer
    const sets = test.app.operations.catalogue.ruleSets.get('moderate-shared')?.compiled ?? []
    const caller = (address: string) => ({ address, userId, shared: true, role: 'user' })
    // Ten times the two of one address.
    for (let i = 0; i < 20; i += 1) await test.app.limiter.take(sets, caller(`192.0.2.${i}`))
    const next = async () => (await test.app.limiter.peek([{ sets, caller: caller('192.0.2.99') }])).refusedBy?.policy
    expect(await next()).toBe('moderate-shared-total-1m')
    await of(root).reset({ ruleSet: 'moderate-shared', subject: userId })
    expect(await next()).toBeUndefined()
    const first = await test.app.limiter.peek([{ sets, caller: caller('192.0.2.0') }])
    expect(first.rules.find(({ policy }) => policy === 'moderate-shared-1m')?.remaining).toBe(1)
  })

  it('forgets what an address has used, whoever called from there', async () => {
    const sets = test.app.operations.catalogue.ruleSets.get('sign-up')?.compiled ?? []
    const caller = { address: '192.0.2.3', userId: null, shared: false, role: 'guest' }
    await of(root).override({
      ruleSet: 'sign-up',
      target: { kind: 'role', role: 'guest' },
      terms: { rules: [{ limit: 2, window: '2h' }] },
    })
    const left = async () => (await test.app.limiter.take(sets, caller)).rules[0]?.remaining
    expect([await left(), await left()]).toEqual([1, 0])
    await of(root).reset({ ruleSet: 'sign-up', subject: '192.0.2.3' })
    expect(await left()).toBe(1)
  })

  it.each([
    ['nothing', ADDRESS, 'There is no rule set nothing.'],
    [
      'page',
      '01234567-89ab-4def-8123-456789abcdef',
      'page counts addresses, and 01234567-89ab-4def-8123-456789abcdef is none.',
    ],
    ['download-of-one', ADDRESS, 'download-of-one counts slug by digests of it: only time forgets what was used.'],
    ['moderate', '192.0.2.1:nobody', 'must be a subject: a user’s id, an address, or both as address:id'],
    ['view', 'site', 'view counts each by themselves, and nobody as site.'],
    ['view', 'ann', 'must be a subject: a user’s id, an address, or both as address:id'],
  ])('of %s for %s is refused', async (ruleSet, subject, message) => {
    expect(await failureOf(of(root).reset({ ruleSet, subject }))).toEqual({ code: 'BAD_REQUEST', message })
  })
})

describe('limits.stats and limits.live', () => {
  it('name subjects, and hide addresses from whoever shares an account', async () => {
    const person = await test.person({ role: 'admin' })
    await of(root).override({
      ruleSet: 'operations-view',
      target: { kind: 'subject', subject: person.viewer.userId },
      terms: { rules: [{ limit: 1, window: '1h' }] },
    })
    await test.as(person).limits.stats()
    await failureOf(test.as(person).limits.stats())
    const sets = compileRuleSets('limits.list', operationsView)
    const guest = { address: '192.0.2.9', userId: null, shared: false }
    await test.app.limiter.take(sets, guest, 20)
    await test.app.limiter.take(sets, guest, 1)
    const stats = await of(admin).stats()
    expect({ ...stats, rows: [], labels: [], nearest: [], mostRefused: [], at: 0 }).toEqual({
      ...{ at: 0, processes: 1, rows: [], labels: [], nearest: [], mostRefused: [] },
      ...{ store: 'in process', status: 'ready' },
    })
    const subjects = (view: typeof stats) => view.mostRefused.map(({ subject }) => subject)
    const { userId, username } = person.viewer
    expect(subjects(stats)).toContainEqual({ key: userId, kind: 'user', name: username })
    expect(subjects(stats)).toContainEqual({ key: '192.0.2.9', kind: 'address', name: null })
    expect(subjects(await of(sharedAdmin).stats())).toContainEqual({ key: 'hidden', kind: 'address', name: null })
    expect(JSON.stringify(await of(sharedAdmin).stats())).not.toContain('192.0.2.9')
  })

  it('come over HTTP as events', async () => {
    const leaving = new AbortController()
    const answer = await fetch(`${test.origin}/api/trpc/limits.live`, {
      headers: { cookie: admin.cookie, accept: 'text/event-stream' },
      signal: leaving.signal,
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    let text = ''
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (/^data: \{"at":\d+,"processes":1,.*\}$/m.test(text)) break
    }
    expect(text).toMatch(/^event: connected$/m)
    leaving.abort()
  })

  it('come at once and go on, until the session ends', async () => {
    const { app } = test
    const { viewer } = await test.person({ role: 'admin' })
    const figures = new Sampler(
      () => sampleStats(app.db, app.limiter),
      async () => undefined,
    )
    const context = createContext(
      { ...app, operations: { ...app.operations, figures } },
      { viewer, address: ADDRESS, requestId: 'watch', foreignOrigin: false, header: () => undefined },
    )
    const seen: number[] = []
    for await (const { at } of await createCallerFactory(appRouter)(context).limits.live()) {
      if (seen.push(at) === 7) await app.db.session.delete({ where: { id: viewer.sessionId } })
    }
    expect(seen.length).toBe(10)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })
})
