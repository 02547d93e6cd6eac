import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetPassword } from '#testing/accounts/reset-password.ts'
import { insertTrusted } from '#testing/accounts/second-factor.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const PASSWORD = 'long enough to pass'
let test: TestApp
let owner: Person
beforeAll(async () => {
  test = await startApp()
  owner = await test.person({ role: 'superadmin' })
})
afterAll(() => test[Symbol.asyncDispose]())

describe('a superadmin', () => {
  it('who is the last cannot be demoted, banned or deleted', async () => {
    const id = owner.viewer.userId
    const calls = [
      test.as(owner).user.update({ id, role: 'user' }),
      test.as(owner).user.ban({ id }),
      test.as(owner).user.delete({ id }),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await test.app.findViewer({ cookie: owner.cookie })).toMatchObject({ role: 'superadmin' })
  })

  it('of several cannot ban themselves by mistake', async () => {
    const second = await test.person({ role: 'superadmin' })
    const { userId } = second.viewer
    await expect(test.as(second).user.ban({ id: userId })).rejects.toThrow('This would ban your own account.')
    await test.app.db.user.deleteMany({ where: { id: userId } })
  })

  it('remains when two demote each other at once', async () => {
    const second = await test.person({ role: 'superadmin' })
    const both = await Promise.allSettled([
      test.as(owner).user.update({ id: second.viewer.userId, role: 'admin' }),
      test.as(second).user.update({ id: owner.viewer.userId, role: 'admin' }),
    ])
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await test.app.db.user.count({ where: { role: 'superadmin' } })).toBe(1)
    await test.app.db.user.update({ where: { id: owner.viewer.userId }, data: { role: 'superadmin' } })
    await test.app.db.user.deleteMany({ where: { id: second.viewer.userId } })
  })
})

describe('an account', () => {
  it('cannot be both shared and a superadmin', async () => {
    const call = test
      .as(owner)
      .user.create({ username: 'shared-owner', password: PASSWORD, role: 'superadmin', shared: true })
    await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(test.as(owner).user.update({ id: owner.viewer.userId, shared: true })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })

  it('has a unique name, without regard to case', async () => {
    await test.as(owner).user.create({ username: 'Marie', password: PASSWORD })
    await expect(test.as(owner).user.create({ username: 'mARIE', password: PASSWORD })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('is found by part of its name, with pagination', async () => {
    for (const at of [1, 2, 3]) await test.as(owner).user.create({ username: `paged-${at}`, password: PASSWORD })
    const first = await test.as(owner).user.list({ search: 'PAGED', limit: 2 })
    const second = await test.as(owner).user.list({ search: 'PAGED', limit: 2, cursor: first.nextCursor ?? '' })
    expect([...first.items, ...second.items].map((user) => user.username)).toEqual(['paged-1', 'paged-2', 'paged-3'])
    expect(second.nextCursor).toBeNull()
    expect(Object.keys(first.items[0] ?? {}).sort()).toEqual([
      'banReason',
      'banned',
      'createdAt',
      'displayName',
      'email',
      'id',
      'images',
      'lastSeenAt',
      'picture',
      'quotaBytes',
      'role',
      'shared',
      'usedBytes',
      'username',
    ])
  })

  it('is searched for literally: wildcards do not match, and a NUL is a bad request', async () => {
    expect((await test.as(owner).user.list({ search: '%' })).items).toEqual([])
    expect((await test.as(owner).user.list({ search: 'paged_1' })).items).toEqual([])
    await expect(test.as(owner).user.list({ search: 'a\0b' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('has no second factor once a superadmin has reset them, nor what stood in for them', async () => {
    const person = await test.person()
    const { userId } = person.viewer
    await test.app.db.totpFactor.create({ data: { userId, sealedSecret: 'x' } })
    await insertTrusted(test, person)
    expect(await test.as(owner).user.resetFactors({ id: userId })).toEqual({ id: userId, hadFactors: true })
    expect((await test.as(person).identity.show()).factors).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0 })
    expect(await test.app.db.device.count({ where: { userId, trustedUntil: { not: null } } })).toBe(0)
    expect(await test.as(owner).user.resetFactors({ id: userId })).toEqual({ id: userId, hadFactors: false })
  })

  it('keeps only the session in which its password was changed', async () => {
    const person = await test.person({ password: PASSWORD })
    const elsewhere = await test.app.db.session.create({
      data: { userId: person.viewer.userId, userAgent: '', address: '', expiresAt: new Date(Date.now() + 60_000) },
    })
    await test.as(person).account.changePassword({ currentPassword: PASSWORD, newPassword: 'another long one' })
    expect((await test.as(person).account.sessions()).items.map((session) => session.id)).toEqual([
      person.viewer.sessionId,
    ])
    expect(await test.app.db.session.count({ where: { id: elsewhere.id } })).toBe(0)
    const wrong = test.as(person).account.changePassword({ currentPassword: PASSWORD, newPassword: 'yet another one' })
    await expect(wrong).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('an invite', () => {
  it('allows its number of sign-ups, concurrent ones too, until it expires or is revoked', async () => {
    const { code, url, id } = await test.as(owner).invite.create({ uses: 2, days: 1 })
    expect(url).toBe(`${test.origin}/signup?invite=${code}`)
    const signUp = (username: string, invite: string) =>
      test
        .as(null, `198.51.100.${Math.floor(Math.random() * 256)}`)
        .account.signUp({ username, password: PASSWORD, invite })
    const three = await Promise.allSettled(['inv-a', 'inv-b', 'inv-c'].map((name) => signUp(name, code)))
    expect(three.filter((result) => result.status === 'fulfilled')).toHaveLength(2)

    await test.app.db.invite.update({ where: { id }, data: { usesLeft: 1, expiresAt: new Date(Date.now() - 1) } })
    await expect(signUp('inv-d', code)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const other = await test.as(owner).invite.create({})
    await test.as(owner).invite.revoke({ id: other.id })
    await expect(signUp('inv-e', other.code)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(signUp('inv-f', '')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is not spent by a sign-up whose name is taken', async () => {
    const { code, id } = await test.as(owner).invite.create({})
    const taken = test.as(null).account.signUp({ username: owner.viewer.username, password: PASSWORD, invite: code })
    await expect(taken).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await test.app.db.invite.findUnique({ where: { id }, select: { usesLeft: true } })).toEqual({ usesLeft: 1 })
  })

  it('ends when its creator may no longer invite', async () => {
    const ends: readonly ((id: string) => Promise<unknown>)[] = [
      (id) => test.as(owner).user.ban({ id }),
      (id) => resetPassword(test, owner, id, PASSWORD),
      (id) => test.as(owner).user.update({ id, role: 'user' }),
      (id) => test.as(owner).user.update({ id, shared: true }),
      (id) => test.as(owner).user.delete({ id }),
    ]
    for (const [at, end] of ends.entries()) {
      const admin = await test.person({ role: 'admin' })
      const { id, code } = await test.as(admin).invite.create({ uses: 100, days: 90 })
      await end(admin.viewer.userId)
      const guest = test.as(null, `192.0.2.${at}`)
      const signUp = guest.account.signUp({ username: `late-${at}`, password: PASSWORD, invite: code })
      await expect(signUp).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(await test.app.db.invite.count({ where: { id } })).toBe(0)
    }
    const promoted = await test.person({ role: 'admin' })
    const { id } = await test.as(promoted).invite.create({})
    await test.as(owner).user.update({ id: promoted.viewer.userId, role: 'superadmin' })
    expect(await test.app.db.invite.count({ where: { id } })).toBe(1)
    await test.as(owner).user.delete({ id: promoted.viewer.userId })
  })

  it('is one of at most two hundred usable ones; unusable ones are deleted', async () => {
    const { db } = test.app
    await db.invite.deleteMany()
    const row = (at: number) => ({ codeHash: `${at}`, usesLeft: 1, expiresAt: new Date(Date.now() + 60_000) })
    await db.invite.createMany({ data: Array.from({ length: 197 }, (_, at) => row(at)) })
    await db.invite.createMany({
      data: [
        { ...row(197), usesLeft: 0 },
        { ...row(198), expiresAt: new Date(0) },
      ],
    })
    const admin = await test.person({ role: 'admin' })
    const five = [owner, admin, owner, admin, owner].map((person) => test.as(person).invite.create({}))
    const refused = (await Promise.allSettled(five)).filter((each) => each.status === 'rejected')
    expect(refused.map(({ reason }) => reason.code)).toEqual(['CONFLICT', 'CONFLICT'])
    const { items } = await test.as(owner).invite.list()
    expect([items.length, await db.invite.count()]).toEqual([200, 200])
    await test.as(owner).invite.revoke({ id: items[0]?.id ?? '' })
    await test.as(owner).invite.create({})
    await db.invite.deleteMany()
  })

  it('leaves no trace of its code', async () => {
    const { code } = await test.as(owner).invite.create({})
    expect(JSON.stringify(await test.app.db.invite.findMany())).not.toContain(code)
    expect(JSON.stringify(await test.as(owner).invite.list())).not.toContain(code)
  })
})
