import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const password = 'a password of one’s own'
let test: TestApp
let owner: Person
beforeAll(async () => {
  test = await startApp()
  owner = await test.person({ role: 'superadmin', password })
})
afterAll(() => test[Symbol.asyncDispose]())

const leave = (person: Person, changed: { username?: string; password?: string } = {}) =>
  test.as(person).account.delete({ username: person.viewer.username, password, ...changed })

describe('deleting one’s account', () => {
  it('ends everything at once; other accounts keep their images; the audit keeps the name', async () => {
    const [person, other] = [await test.person({ password }), await test.person()]
    const mine = await storeImageFor(test, person)
    await storeImageFor(test, person, { trashed: true })
    const theirs = await storeImageFor(test, other)
    const { headers } = await insertToken(test, person, ['read'])
    expect(await test.as(person).account.previewDeletion()).toEqual({
      ...{ images: 2, bytes: 2_000, trashed: 1, tokens: 1, sessions: 1, invites: 0 },
      isLastSuperadmin: false,
      hasPassword: true,
    })
    const { userId, username } = person.viewer
    expect(await leave(person, { username: ` ${username.toUpperCase()} ` })).toEqual({ username })
    const { db } = test.app
    expect(await db.user.findUnique({ where: { id: userId } })).toBeNull()
    expect(await test.app.findViewer({ cookie: person.cookie })).toBeNull()
    expect((await fetch(`${test.origin}/api/trpc/account.me`, { headers })).status).toBe(401)
    expect((await fetch(mine.url)).status).toBe(404)
    expect((await fetch(theirs.url)).status).toBe(200)
    expect(await db.storedObject.count({ where: { sha256: mine.sha256, state: 'live' } })).toBe(0)
    const where = { action: 'account.delete', actorId: userId }
    expect(await db.auditEntry.findFirstOrThrow({ where })).toMatchObject({
      actorName: username,
      before: { images: 2 },
    })
  })

  it('needs the password and the user name', async () => {
    const person = await test.person({ password })
    await expect(leave(person, { username: 'someone' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const wrong = leave(person, { password: 'another one' })
    await expect(wrong).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const asked = { currentPassword: 'another one', newPassword: 'a password of one’s very own' }
    await expect(test.as(person).account.changePassword(asked)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await test.app.failedSignIns.flush()
    const { userId, username } = person.viewer
    const where = { action: 'account.confirmFailed', accountId: userId }
    expect(await test.app.db.auditEntry.findMany({ where })).toMatchObject([
      { accountName: username, target: `user/${userId}`, after: { outcome: 'wrong-current-password' }, times: 2 },
    ])
    expect(await test.app.findViewer({ cookie: person.cookie })).not.toBeNull()
  })

  it('is open to admins, not to shared accounts, nor to the last superadmin', async () => {
    await expect(leave(await test.person({ password, shared: true }))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(leave(owner)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await test.as(owner).account.previewDeletion()).toMatchObject({ isLastSuperadmin: true })
    await leave(await test.person({ password, role: 'admin' }))
    await leave(await test.person({ password, role: 'superadmin' }))
    expect(await test.app.findViewer({ cookie: owner.cookie })).not.toBeNull()
  })

  it('of many images runs in batches behind a ban', async () => {
    const person = await test.person({ password })
    const { userId: ownerId } = person.viewer
    const shas = Array.from({ length: 250 }, (_, at) => `${at}`.padStart(64, 'a'))
    await test.app.db.storedObject.createMany({ data: shas.map((sha256) => ({ sha256, size: 1 })) })
    await test.app.db.image.createMany({
      data: shas.map((sha256) => ({
        ...{ ownerId, sha256, slug: sha256, mime: 'image/png', width: 1, height: 1, size: 1 },
        ...{ filename: 'a.png', title: 'a' },
      })),
    })
    await leave(person)
    expect(await test.app.db.user.count({ where: { id: ownerId } })).toBe(0)
  })
})
