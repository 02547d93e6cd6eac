import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { resetPassword } from '#testing/accounts/reset-password.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const PASSWORD = 'long enough to pass'
let test: TestApp
let root: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
})
afterAll(() => test[Symbol.asyncDispose]())

const asked = { name: 'a program', scopes: ['read' as const], expiresInDays: null }
const tokens = (person: Person) => test.app.db.apiToken.count({ where: { userId: person.viewer.userId } })

describe('token.create', () => {
  it('returns the token once, and stores only its hash and ending', async () => {
    const person = await test.person()
    const before = Date.now()
    const scopes = ['manage' as const, 'upload' as const, 'manage' as const]
    const made = await test.as(person).token.create({ name: '  my phone ', scopes, expiresInDays: 30 })
    const { token, expiresAt, ...rest } = made
    expect(rest).toEqual({ id: expect.any(String), name: 'my phone', scopes: ['upload', 'manage'] })
    expect(token).toMatch(/^slu_[A-Za-z0-9_-]{43}$/)
    const days = (Date.parse(expiresAt ?? '') - before) / (24 * 60 * 60 * 1000)
    expect(Math.floor(days)).toBe(30)
    const row = await test.app.db.apiToken.findUniqueOrThrow({ where: { id: made.id } })
    expect(JSON.stringify(row)).not.toContain(token.slice(4, -4))
    expect([row.tokenHash, row.ending]).toEqual([hash('sha256', token), token.slice(-4)])
    const { items } = await test.as(person).token.list()
    expect(items).toEqual([
      {
        id: made.id,
        name: 'my phone',
        ending: token.slice(-4),
        scopes: ['upload', 'manage'],
        createdAt: row.createdAt.toISOString(),
        expiresAt,
        lastUsedAt: null,
        lastUsedBy: null,
      },
    ])
    expect(await test.app.findViewer({ authorization: `Bearer ${token}` })).toMatchObject({
      userId: person.viewer.userId,
    })
  })

  it.each([
    ['no name', { name: '   ' }],
    ['a long name', { name: 'x'.repeat(61) }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a name with a NUL', { name: 'a\0b' }],
    ['half a character', { name: '\ud800' }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['admin'] }],
    ['no day', { expiresInDays: 0 }],
    ['too many days', { expiresInDays: 3651 }],
    ['part of a day', { expiresInDays: 1.5 }],
    ['another’s id', { userId: crypto.randomUUID() }],
    ['a role', { role: 'superadmin' }],
    ['a chosen hash', { tokenHash: 'x' }],
    ['an exemption from limits', { isSuperadmins: true }],
  ])('refuses %s, and creates none', async (_, wrong) => {
    const person = await test.person()
    const answer = await fetch(`${test.origin}/api/trpc/token.create`, {
      method: 'POST',
      headers: { cookie: person.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked, ...wrong }),
    })
    expect([answer.status, await tokens(person)]).toEqual([400, 0])
  })

  it('accepts the extreme values', async () => {
    const person = await test.person()
    for (const edge of [{ name: 'x'.repeat(60) }, { expiresInDays: 1 }, { expiresInDays: 3650 }])
      await test.as(person).token.create({ ...asked, ...edge })
    expect(await tokens(person)).toBe(3)
  })

  it('creates at most fifty under concurrent calls, and another after one is revoked', async () => {
    const person = await test.person()
    for (let at = 0; at < 48; at += 1) await insertToken(test, person, ['read'])
    const create = () => test.as(person).token.create(asked)
    const made = await Promise.allSettled([create(), create(), create(), create()])
    const refused = made.filter((each) => each.status === 'rejected').map(({ reason }) => reason.code)
    expect([refused, await tokens(person)]).toEqual([['CONFLICT', 'CONFLICT'], 50])
    const { items } = await test.as(person).token.list()
    expect(items.length).toBe(50)
    await test.as(person).token.revoke({ id: items[0]?.id ?? '' })
    await create()
    expect(await tokens(person)).toBe(50)
  })

  it('creates none for a session that has ended', async () => {
    const person = await test.person()
    await test.app.db.session.delete({ where: { id: person.sessionId } })
    await expect(test.as(person).token.create(asked)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await tokens(person)).toBe(0)
  })
})

describe('token.revoke', () => {
  it('revokes the viewer’s own token, and answers NOT_FOUND for another user’s', async () => {
    const person = await test.person()
    const { id, headers } = await insertToken(test, person, ['read'])
    await expect(test.as(root).token.revoke({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await test.app.findViewer(headers)).not.toBeNull()
    await test.as(person).token.revoke({ id })
    expect(await test.app.findViewer(headers)).toBeNull()
    await expect(test.as(person).token.revoke({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('tokens', () => {
  it('stay valid when their owner changes the password or signs out everywhere', async () => {
    const person = await test.person({ password: PASSWORD })
    await insertToken(test, person, ['read'])
    await test.as(person).account.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD} too` })
    await test.as(person).account.signOutEverywhere()
    expect(await tokens(person)).toBe(1)
  })

  it('are deleted when the password is set by an admin’s link, or an admin bans the user or shares the account', async () => {
    const people = [await test.person(), await test.person(), await test.person()] as const
    for (const person of people) await insertToken(test, person, ['read'])
    const [reset, banned, shared] = people.map(({ viewer }) => viewer.userId)
    const admin = test.as(root).user
    await resetPassword(test, root, reset ?? '', PASSWORD)
    await admin.ban({ id: banned ?? '' })
    await admin.update({ id: shared ?? '', shared: true })
    expect(await Promise.all(people.map(tokens))).toEqual([0, 0, 0])
  })

  it('stay when the role changes, and are deleted with the account', async () => {
    const person = await test.person()
    await insertToken(test, person, ['read'])
    await test.as(root).user.update({ id: person.viewer.userId, role: 'admin' })
    expect(await tokens(person)).toBe(1)
    await test.as(root).user.delete({ id: person.viewer.userId })
    expect(await tokens(person)).toBe(0)
  })
})
