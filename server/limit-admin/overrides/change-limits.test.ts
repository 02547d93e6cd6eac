import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { ALL, catchFailure, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'
import type { Person } from '#testing/sluice/sluice-app.ts'
import type { OverrideTarget } from './override-target.ts'
import type { termsSchema } from './override-terms.ts'

let scene: LimitAdminScene
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene[Symbol.asyncDispose]())

type OverrideInput = z.input<typeof termsSchema>

const ADDRESS = '203.0.113.7'

describe('limits.override and limits.clear', () => {
  it('apply from the next call on and keep what was used', async () => {
    const user = await scene.test.person()
    const { account } = scene.test.as(user)
    await account.me()
    const rules = [{ limit: 2, window: '1m' }]
    const target = { kind: 'role', role: 'user' } as const
    expect(await scene.of(scene.root).override({ ruleSet: 'account-view', target, terms: { rules } })).toEqual({
      warnings: [],
    })
    await account.me()
    await account.me()
    expect((await catchFailure(account.me())).code).toBe('TOO_MANY_REQUESTS')
    await scene
      .of(scene.root)
      .override({ ruleSet: 'account-view', target, terms: { rules: [{ limit: 4, window: '1m' }] } })
    await account.me()
    await account.me()
    expect((await catchFailure(account.me())).message).toMatch(/^Limit reached: account-view allows 4 per minute\./)
    await scene.test.as(scene.admin).account.me()
    await scene.of(scene.root).clear({ ruleSet: 'account-view', target })
    await account.me()
  })

  it('prefer the specific to the general', async () => {
    const user = await scene.test.person()
    const subject = user.viewer.userId
    const rules = (limit: number) => ({ rules: [{ limit, window: '1h' }] })
    await scene.of(scene.root).override({ ruleSet: 'account-view', target: ALL, terms: rules(5) })
    await scene
      .of(scene.root)
      .override({ ruleSet: 'account-view', target: { kind: 'role', role: 'user' }, terms: rules(6) })
    await scene
      .of(scene.root)
      .override({ ruleSet: 'account-view', target: { kind: 'subject', subject }, terms: rules(7) })
    const sets = scene.test.app.limitAdmin.catalogue.ruleSets.get('account-view')?.compiled ?? []
    const readLimit = async ({ viewer: { userId, shared, role } }: Person) => {
      const caller = { address: ADDRESS, userId, shared, role }
      return (await scene.test.app.limiter.peek([{ sets, caller }])).rules[0]?.limit
    }
    expect([await readLimit(user), await readLimit(await scene.test.person()), await readLimit(scene.admin)]).toEqual([
      7, 6, 5,
    ])
  })

  it.each([
    ['nothing', ALL, { mode: 'shadow' }, 'There is no rule set nothing.'],
    ['view', ALL, { rules: [{ limit: 1, window: '1x' }] }, 'Rule 1: the window must be from 1ms to 366d.'],
    [
      'download-of-one',
      { kind: 'role', role: 'guest' },
      { mode: 'shadow' },
      'download-of-one counts all callers together and can only be overridden for everyone.',
    ],
    ['view', ALL, {}, 'Change at least one of rules, mode, wait, onStoreFailure, cost and count.'],
    [
      'view',
      { kind: 'subject', subject: 'ann' },
      { mode: 'shadow' },
      'Enter a user ID, an address, both as address:id, token/id or share/id.',
    ],
  ] satisfies [string, OverrideTarget, OverrideInput, string][])(
    'for %s, target %j and terms %j are rejected, and nothing is written',
    async (ruleSet, target, terms, message) => {
      expect(await catchFailure(scene.of(scene.root).override({ ruleSet, target, terms }))).toEqual({
        code: 'BAD_REQUEST',
        message,
      })
      expect(await scene.test.app.db.limitOverride.count()).toBe(0)
      expect(await scene.test.app.db.auditEntry.count()).toBe(0)
    },
  )

  it.each(['a\0b', 'a\ud800b'])('reject a note that is not valid text (%j)', async (note) => {
    const change = { ruleSet: 'view', target: ALL, terms: { mode: 'shadow' as const }, note }
    expect(await catchFailure(scene.of(scene.root).override(change))).toEqual({
      code: 'BAD_REQUEST',
      message: 'The note contains characters that are not valid.',
    })
  })

  it.each([[[]], ['x'], [7], [null], [{ rules: 'none' }]])('replace %j, which no code wrote', async (terms) => {
    const { app } = scene.test
    for (const ruleSet of ['edit', 'view']) {
      await app.db.$executeRaw`
        INSERT INTO "LimitOverride" ("ruleSet", target, terms, "changedAt", "changedBy")
        VALUES (${ruleSet}, 'all', ${JSON.stringify(terms)}::jsonb, now(), 'ann')`
    }
    await scene.of(scene.root).clear({ ruleSet: 'edit', target: ALL })
    await scene.of(scene.root).override({ ruleSet: 'view', target: ALL, terms: { mode: 'shadow' } })
    const rows = await app.db.auditEntry.findMany({ orderBy: { id: 'asc' }, select: { before: true } })
    expect(rows).toEqual(Array.from({ length: 2 }, () => ({ before: { terms, note: null } })))
    const { items } = await scene.of(scene.root).history({})
    expect(items.map(({ before }) => before)).toEqual([null, null])
  })

  it('return warnings about probable mistakes', async () => {
    const rules = [
      { limit: 10, window: '1s' },
      { limit: 1_000, window: '1m' },
    ]
    expect(await scene.of(scene.root).override({ ruleSet: 'account-view', target: ALL, terms: { rules } })).toEqual({
      warnings: [
        {
          kind: 'idle',
          rule: { policy: 'account-view-1m', parts: { limit: 1_000, unit: 'calls', window: 60_000 } },
          other: { policy: 'account-view-1s', parts: { limit: 10, unit: 'calls', window: 1_000 } },
        },
      ],
    })
  })
})

describe('limits.history', () => {
  it('lists who changed what, newest first, by page and by rule set', async () => {
    const terms = [{ mode: 'shadow' as const }, { wait: '2s' }]
    const change = (ruleSet: string, index: number) =>
      scene.of(scene.root).override({ ruleSet, target: ALL, terms: terms[index] ?? {}, note: `change ${index}` })
    await change('view', 0)
    await change('view', 1)
    await scene.of(scene.root).override({
      ruleSet: 'view-large',
      target: { kind: 'role', role: 'guest' },
      terms: { mode: 'shadow' },
    })
    await scene.of(scene.root).clear({ ruleSet: 'view', target: ALL })
    await scene.of(scene.root).clear({ ruleSet: 'view', target: ALL })
    const { items, nextCursor } = await scene.of(scene.root).history({})
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
    expect(items.map(({ canUndo, noteBefore }) => [canUndo, noteBefore])).toEqual([
      [true, 'change 1'],
      [true, null],
      [true, 'change 0'],
      [true, null],
    ])
    expect(new Set(items.map(({ actor }) => actor))).toEqual(new Set([scene.root.viewer.username]))
    const ofView = await scene.of(scene.root).history({ ruleSet: 'view', limit: 2 })
    expect(ofView.items.map(({ id }) => id)).toEqual([items[0]?.id, items[2]?.id])
    const rest = await scene.of(scene.root).history({ ruleSet: 'view', limit: 2, cursor: ofView.nextCursor ?? '' })
    expect(rest).toEqual({ items: [items[3]], nextCursor: null })
    expect((await scene.of(scene.root).history({ ruleSet: 'vie_' })).items).toEqual([])
  })

  it('outlives the users in it', async () => {
    const actor = await scene.test.person({ role: 'superadmin' })
    const { viewer } = actor
    await scene.of(actor).override({ ruleSet: 'view', target: ALL, terms: { mode: 'shadow' } })
    await scene.test.as(scene.root).user.delete({ id: viewer.userId })
    expect((await scene.of(scene.root).history({})).items[0]?.actor).toBe(viewer.username)
  })
})

describe('limits.override of one procedure', () => {
  const rules = [{ limit: 1, window: '1m' }] as const

  it('makes its calls count by themselves, until it is cleared', async () => {
    const user = await scene.test.person()
    const { account } = scene.test.as(user)
    const { override, clear, list, explain, reset, history } = scene.of(scene.root)
    const place = { ruleSet: 'account-view', procedure: 'account.me', target: ALL } as const
    await account.me()
    await override({ ...place, terms: { rules: [...rules] }, note: 'slow query' })
    await account.me()
    expect((await catchFailure(account.me())).message).toMatch(
      /^Limit reached: account-view@account\.me allows 1 per minute\./,
    )
    await account.sessions()
    const listed = (await list()).ruleSets.find(({ name }) => name === 'account-view')
    expect(listed?.overrides).toMatchObject([
      { procedure: 'account.me', target: ALL, note: 'slow query', problem: null },
    ])
    const { rules: asked, unasked } = await explain({ procedure: 'account.me', subject: user.viewer.userId })
    expect(asked.find(({ ruleSet }) => ruleSet === 'account-view@account.me')).toMatchObject({ used: 1, override: ALL })
    expect(unasked.map(({ ruleSet }) => ruleSet)).not.toContain('account-view')
    await reset({ ruleSet: 'account-view', subject: user.viewer.userId })
    await account.me()
    expect((await history({ ruleSet: 'account-view' })).items).toMatchObject([
      { action: 'limits.reset' },
      { action: 'limits.override', procedure: 'account.me', target: ALL },
    ])
    await clear(place)
    await account.me()
  })

  it.each([
    ['view', 'image.nothing', 'image.nothing does not use view.'],
    ['own-limits', 'limits.mine', 'Only limits.mine uses own-limits. Override it without a procedure.'],
    ['view', 'a/b', 'Enter the name of a procedure or route, such as image.list.'],
  ])('refuses %s in %s', async (ruleSet, procedure, message) => {
    const asked = scene.of(scene.root).override({ ruleSet, procedure, target: ALL, terms: { rules: [...rules] } })
    expect(await catchFailure(asked)).toEqual({ code: 'BAD_REQUEST', message })
  })
})

describe('limits.override of how calls are charged', () => {
  it('sets their cost', async () => {
    const user = await scene.test.person()
    const { account } = scene.test.as(user)
    const target = { kind: 'role', role: 'user' } as const
    const terms = { cost: 5, rules: [{ limit: 14, window: '1m' }] }
    await scene.of(scene.root).override({ ruleSet: 'account-view', target, terms })
    await account.me()
    await account.me()
    expect((await catchFailure(account.me())).code).toBe('TOO_MANY_REQUESTS')
  })

  it('counts failures alone', async () => {
    const user = await scene.test.person()
    const { account } = scene.test.as(user)
    const target = { kind: 'role', role: 'user' } as const
    const terms = { count: 'failures', rules: [{ limit: 1, window: '1m' }] } as const
    await scene
      .of(scene.root)
      .override({ ruleSet: 'account-view', target, terms: { ...terms, rules: [...terms.rules] } })
    for (let call = 0; call < 3; call += 1) await account.me()
  })

  it.each([
    ['account-view', { cost: 500 }, /^Rule \d: one call costs 500, more than the limit of \d+\.$/],
    ['account-view', { cost: 0 }, /^The cost of a call is a whole number from 1 to 1,000,000,000\.$/],
    ['sent-bytes', { cost: 2 }, /^sent-bytes counts bytes, so a call costs the bytes that it moves\.$/],
    ['page', { count: 'failures' }, /^pages is charged before it is known whether a call succeeds/],
  ] satisfies [string, OverrideInput, RegExp][])('refuses %s with %o', async (ruleSet, terms, message) => {
    const failure = await catchFailure(scene.of(scene.root).override({ ruleSet, target: ALL, terms }))
    expect(failure).toEqual({ code: 'BAD_REQUEST', message: expect.stringMatching(message) })
  })
})
