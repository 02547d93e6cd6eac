import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { linkIn, resetPassword } from '#testing/accounts/reset-password.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { OWNER_LANE } from '../password-lanes.ts'
import { verifyPassword } from '../passwords.ts'
import { signIn } from '../sessions/sign-in.ts'

const [OLD, FRESH] = ['the old one is long', 'a fresh one as long']
let test: TestApp
let root: Person
let admin: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
  admin = await test.person({ role: 'admin' })
})
afterAll(() => test[Symbol.asyncDispose]())

const anotherAddress = () => `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
const guest = (address = anotherAddress()) => test.as(null, address)
const open = (link: string, password = FRESH, address?: string) =>
  guest(address).account.setPasswordByLink({ link, password })

async function linked(by = admin, role: 'user' | 'admin' | 'superadmin' = 'user') {
  const person = await test.person({ role, password: OLD })
  const { url } = await test.as(by).user.resetPassword({ id: person.viewer.userId })
  return { person, id: person.viewer.userId, url, link: linkIn(url) }
}

const signsIn = async ({ viewer: { username } }: Person, password: string) =>
  (await signIn(test.app, { username, password, address: anotherAddress(), userAgent: '' })).outcome
const links = (userId: string) => test.app.db.oneTimeLink.findMany({ where: { userId } })
const unusable = (link: string) => expect(open(link)).rejects.toMatchObject({ code: 'NOT_FOUND' })

describe('a password link', () => {
  it('has 256 random bits, of which only the hash is stored, and expires after 30 minutes', async () => {
    const { id, url, link } = await linked()
    expect(url).toBe(`${test.origin}/password/${link}`)
    expect(Buffer.from(link, 'base64url')).toHaveLength(32)
    const [kept] = await links(id)
    expect(JSON.stringify([kept, await test.app.db.auditEntry.findMany({ omit: { id: true } })])).not.toContain(link)
    expect(Number(kept?.expiresAt) - Number(kept?.createdAt)).toBe(30 * 60_000)
    await test.app.db.oneTimeLink.updateMany({ where: { userId: id }, data: { expiresAt: new Date() } })
    await unusable(link)
  })

  it('changes nothing until it is used: not the password, sessions, tokens or invites', async () => {
    const { person, link } = await linked(root, 'admin')
    await insertToken(test, person, ['read'])
    await test.as(person).invite.create({})
    await guest().account.showByLink({ link })
    const { userId } = person.viewer
    const counts = [{ userId }, { userId }] as const
    expect(await test.app.db.session.count({ where: counts[0] })).toBe(1)
    expect(await test.app.db.apiToken.count({ where: counts[1] })).toBe(1)
    expect(await test.app.db.invite.count({ where: { createdById: userId } })).toBe(1)
    expect(await signsIn(person, OLD)).toBe('signed-in')
  })

  it('sets the password once, and ends sessions, tokens and invites', async () => {
    const { person, id, link } = await linked(root, 'admin')
    await insertToken(test, person, ['read'])
    await test.as(person).invite.create({})
    expect(await guest().account.showByLink({ link })).toMatchObject({
      username: person.viewer.username,
      createdBy: null,
    })
    expect(await open(link)).toEqual({ username: person.viewer.username })
    const { db } = test.app
    const left = [db.session.count({ where: { userId: id } }), db.apiToken.count({ where: { userId: id } })]
    expect(await Promise.all([...left, db.invite.count({ where: { createdById: id } })])).toEqual([0, 0, 0])
    expect([await signsIn(person, OLD), await signsIn(person, FRESH)]).toEqual(['wrong', 'signed-in'])
    await unusable(link)
    await expect(guest().account.showByLink({ link })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('works once under concurrent calls', async () => {
    const { person, link } = await linked()
    const passwords = Array.from({ length: 4 }, (_, at) => `${FRESH} ${at}`)
    const outcomes = await Promise.allSettled(passwords.map((password) => open(link, password)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
    const winner = passwords[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? ''
    const { passwordHash } = await test.app.db.user.findUniqueOrThrow({ where: { id: person.viewer.userId } })
    expect(await verifyPassword(passwordHash, winner, { lane: OWNER_LANE })).toBe(true)
  })

  it('is not used up by a password that cannot be used', async () => {
    const { link } = await linked()
    await expect(open(link, 'short')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await open(link)
  })

  it('is unknown if it is forged, truncated or a hash', async () => {
    const { id, link } = await linked()
    const [kept] = await links(id)
    for (const wrong of ['', 'x', link.slice(0, -1), `${link}A`, link.toLowerCase(), kept?.linkHash ?? '', id, '\0']) {
      await unusable(wrong)
    }
    await open(link)
  })

  const endings: readonly [string, (id: string, person: Person) => Promise<unknown>][] = [
    ['a newer link', (id) => test.as(root).user.resetPassword({ id })],
    ['a ban', (id) => test.as(root).user.ban({ id })],
    ['a change of role', (id) => test.as(root).user.update({ id, role: 'admin' })],
    ['sharing the account', (id) => test.as(root).user.update({ id, shared: true })],
    ['deleting the account', (id) => test.as(root).user.delete({ id })],
    [
      'its owner’s own change of the password',
      (_, person) => test.as(person).account.changePassword({ currentPassword: OLD, newPassword: `${FRESH}!` }),
    ],
  ]
  it.each(endings)('is revoked by %s', async (_, end) => {
    const { id, link, person } = await linked()
    await end(id, person)
    await unusable(link)
  })

  it('stays revoked when a ban is lifted', async () => {
    const { id, link } = await linked()
    await test.as(root).user.ban({ id })
    await test.as(root).user.unban({ id })
    await unusable(link)
  })

  it('is revoked when its creator may no longer create it', async () => {
    for (const end of [
      (id: string) => test.as(root).user.ban({ id }),
      (id: string) => test.as(root).user.update({ id, role: 'user' }),
    ]) {
      const former = await test.person({ role: 'admin' })
      const { link } = await linked(former)
      await end(former.viewer.userId)
      await unusable(link)
    }
  })
})

describe('an administrator', () => {
  it('cannot reset to a password that they know', async () => {
    const { id } = await linked()
    for (const by of [admin, root]) {
      const call = Reflect.apply(test.as(by).user.resetPassword, null, [{ id, password: FRESH }])
      await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })

  it('gets no link for an admin’s account without being a superadmin', async () => {
    for (const role of ['admin', 'superadmin'] as const) {
      await expect(linked(admin, role)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  it('creates users who set their own password by the link; only a superadmin sets a first one', async () => {
    const { link, username } = await test.as(admin).user.create({ username: 'by-an-admin' })
    await open(linkIn(link?.url ?? ''))
    const user = await test.app.db.user.findFirstOrThrow({ where: { username } })
    expect(await verifyPassword(user.passwordHash, FRESH, { lane: OWNER_LANE })).toBe(true)
    const known = { username: 'with-a-known-one', password: FRESH }
    await expect(test.as(admin).user.create(known)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await test.as(root).user.create(known)).link).toBeNull()
    expect((await test.as(root).user.create({ username: 'without-one' })).link).not.toBeNull()
  })

  it('who uses the link themself is in the audit log, and on the owner’s account page', async () => {
    const { person, id, link } = await linked()
    await open(link, FRESH, '203.0.113.99')
    const entries = await test.app.db.auditEntry.findMany({
      where: { target: `user/${id}`, action: { not: 'account.signIn' } },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ action, actorName, after }) => ({ action, actorName, after }))).toEqual([
      { action: 'user.resetPassword', actorName: admin.viewer.username, after: { linkUntil: expect.any(String) } },
      {
        action: 'account.setPasswordByLink',
        actorName: person.viewer.username,
        after: { address: '203.0.113.99', linkBy: admin.viewer.username },
      },
    ])
    // The owner gets back in by a further link, and sees both, with the names that admins show to others.
    await test.as(admin).account.setDisplayName({ displayName: 'Ada' })
    await resetPassword(test, root, id, `${FRESH} too`)
    const sessionId = (
      await test.app.db.session.create({
        data: { userId: id, userAgent: '', address: '', expiresAt: new Date(Date.now() + 60_000) },
      })
    ).id
    const { items } = await test.as({ ...person, viewer: { ...person.viewer, sessionId } }).account.passwordLinks()
    expect(items.map(({ createdBy, used }) => [createdBy, used?.from])).toEqual([
      [null, '198.51.100.77'],
      ['Ada', '203.0.113.99'],
    ])
  })
})

it('a right link works after a hundred wrong ones from the same address', async () => {
  const { link } = await linked()
  const wrong = Array.from({ length: 100 }, (_, at) => open(`wrong ${at}`, FRESH, '203.0.113.50'))
  const outcomes = await Promise.allSettled(wrong)
  expect(outcomes.filter((each) => each.status === 'rejected' && each.reason.code === 'NOT_FOUND')).toHaveLength(100)
  expect(await guest('203.0.113.50').account.showByLink({ link })).toMatchObject({ expiresAt: expect.any(String) })
  await open(link, FRESH, '203.0.113.50')
})
