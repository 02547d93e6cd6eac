import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { declaredLimits } from '#server/trpc/declared-limits.ts'
import { appRouter } from '#server/trpc/router.ts'
import { refusedSession } from '#server/trpc/session-refusals.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { viewerOfSession } from '../accounts/sessions/sessions.ts'

const PASSWORD = 'a password of one’s own'
const refused = { code: 'FORBIDDEN', cause: { reason: 'proof-needed' } }

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

it('is asked for by exactly these procedures', () => {
  const meta = z.object({ proof: z.string().optional(), scope: z.string().optional() })
  const asking = declaredLimits(appRouter).flatMap(({ path, procedure: { _def } }) => {
    const { proof, scope } = meta.parse(_def.meta)
    return proof ? [[path, proof, scope]] : []
  })
  expect(asking.toSorted()).toEqual([
    ['account.changePassword', 'password', undefined],
    ['account.delete', 'password', undefined],
    ['account.removeEmail', 'fresh', undefined],
    ['account.setEmail', 'fresh', undefined],
    ['audit.export', 'fresh', undefined],
    ['budget.set', 'fresh', undefined],
    ['budget.setFreeTier', 'fresh', undefined],
    ['budget.setPrices', 'fresh', undefined],
    ['identity.addPasskey', 'fresh', undefined],
    ['identity.beginLink', 'fresh', undefined],
    ['identity.beginPasskey', 'fresh', undefined],
    ['identity.beginTotp', 'fresh', undefined],
    ['identity.confirmTotp', 'fresh', undefined],
    ['identity.remakeRecoveryCodes', 'fresh', undefined],
    ['identity.removePasskey', 'fresh', undefined],
    ['identity.removeTotp', 'fresh', undefined],
    ['identity.unlink', 'fresh', undefined],
    ['image.exportPart', 'fresh', undefined],
    ['limits.clear', 'fresh', undefined],
    ['limits.import', 'fresh', undefined],
    ['limits.override', 'fresh', undefined],
    ['limits.removeRuleSet', 'fresh', undefined],
    ['limits.setRuleSet', 'fresh', undefined],
    ['provider.create', 'fresh', undefined],
    ['provider.delete', 'fresh', undefined],
    ['provider.order', 'fresh', undefined],
    ['provider.test', 'fresh', undefined],
    ['provider.update', 'fresh', undefined],
    ['site.update', 'fresh', undefined],
    ['token.create', 'fresh', undefined],
    ['user.create', 'fresh', undefined],
    ['user.delete', 'fresh', undefined],
    ['user.resetFactors', 'fresh', undefined],
    ['user.resetPassword', 'fresh', undefined],
    ['user.update', 'fresh', undefined],
  ])
})

describe('a proof', () => {
  let person: Person
  beforeEach(async () => {
    person = await test.person({ password: PASSWORD })
  })
  /** The person, as they are at their next request. */
  const now = async (): Promise<Person> => {
    const viewer = await viewerOfSession(test.app, person.sessionId)
    return viewer ? { ...person, viewer } : expect.unreachable('the session has ended')
  }
  const age = (ms: number) =>
    test.app.db.session.update({
      where: { id: person.sessionId },
      data: { provedAt: new Date(Date.now() - ms) },
      select: { id: true },
    })
  const createToken = async () => test.as(await now()).token.create({ name: 'a', scopes: ['read'], expiresInDays: 1 })

  it('is signing in, and holds for ten minutes', () => {
    const viewer = { ...person.viewer, provedAt: new Date(0) }
    const ask = (ms: number) => refusedSession({ viewer }, { proof: 'fresh' }, ms)
    expect([ask(0), ask(10 * 60_000 - 1)]).toEqual([null, null])
    expect(ask(10 * 60_000)).toMatchObject(refused)
    expect(refusedSession({ viewer }, {}, 10 * 60_000)).toBeNull()
    expect(refusedSession({ viewer: { ...viewer, provedAt: null } }, { proof: 'fresh' }, 0)).toMatchObject(refused)
    expect(refusedSession({ viewer: null }, { proof: 'fresh' }, 0)).toBeNull()
  })

  it('that is old is given again by the password, for this session alone', async () => {
    await createToken()
    await age(10 * 60_000)
    await expect(createToken()).rejects.toMatchObject(refused)
    await test.as(person).identity.proveByPassword({ password: PASSWORD })
    await createToken()
    expect(await test.app.db.apiToken.count({ where: { userId: person.viewer.userId } })).toBe(2)
  })

  it('is not given by a wrong password, which is recorded', async () => {
    await age(10 * 60_000)
    const wrong = test.as(person).identity.proveByPassword({ password: `${PASSWORD}!` })
    await expect(wrong).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(createToken()).rejects.toMatchObject(refused)
    await test.app.failedSignIns.flush()
    const { items } = await test.as(await now()).audit.mine()
    expect(items.map(({ action }) => action)).toContain('account.confirmFailed')
  })

  it('is not needed to get out of trouble', async () => {
    const admin = await test.person({ role: 'superadmin' })
    await test.app.db.session.updateMany({ data: { provedAt: null } })
    const viewer = await viewerOfSession(test.app, admin.sessionId)
    const root = test.as(viewer && { ...admin, viewer })
    const id = person.viewer.userId
    await root.user.ban({ id })
    await root.user.unban({ id })
    await expect(root.user.update({ id, role: 'admin' })).rejects.toMatchObject(refused)
    await root.account.signOutEverywhere()
    expect(await viewerOfSession(test.app, admin.sessionId)).toBeNull()
  })

  it('is none for a session that has ended meanwhile', async () => {
    await test.as(person).account.signOutEverywhere()
    const late = test.as(person).identity.proveByPassword({ password: PASSWORD })
    await expect(late).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})
