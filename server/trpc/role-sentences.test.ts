import { afterAll, beforeAll, expect, it } from 'vitest'
import { en } from '#messages/en.ts'
import { viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import type { GuestUploadAnswer } from '#server/guests/upload-as-guest.ts'
import { findAccount } from '#server/identity/oidc/account-of-identity.ts'
import { makeDeletionLink } from '#server/images/links/deletion-link.ts'
import { createSignInLink } from '#server/owner/accounts.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { providerSettings } from '#testing/accounts/provider-row.ts'
import { linkIn, resetPassword } from '#testing/accounts/reset-password.ts'
import { read } from '#testing/http/image-client.ts'
import { flatPng } from '#testing/images/pictures.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

/* Every sentence of the pages that states what a role may do is a test: a new one needs an entry here. */

const PASSWORD = 'long enough to pass'
let test: TestApp
let root: Person
let admin: Person
let user: Person
let shared: Person
beforeAll(async () => {
  test = await startApp({
    ...{ SLUICE_GALLERY: 'on', SLUICE_GUEST_UPLOAD: 'approval' },
    // Nothing listens there: what is mailed waits.
    ...{ SLUICE_MAIL_SERVER: 'smtp://127.0.0.1:9', SLUICE_MAIL_FROM: 'sluice@example.org' },
  })
  root = await test.person({ role: 'superadmin' })
  admin = await test.person({ role: 'admin' })
  user = await test.person({ password: PASSWORD })
  shared = await test.person({ shared: true })
})
afterAll(() => test[Symbol.asyncDispose]())

const idFor = ({ viewer }: Person) => viewer.userId
const randomName = () => `n${crypto.randomUUID().slice(0, 12)}`
const refused = (call: Promise<unknown>, code: string) => expect(call).rejects.toMatchObject({ code })
const forbidden = (...calls: Promise<unknown>[]) => Promise.all(calls.map((call) => refused(call, 'FORBIDDEN')))
const insertImage = (owner: Person, visibility: 'private' | 'link' | 'public', trashed = false) =>
  insertBareImage(test.app.db, idFor(owner), { visibility, trashed })
const outcome = async ({ viewer: { username } }: Person, password = PASSWORD) => {
  const address = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
  return (await signIn(test.app, { username, password, address, userAgent: '' })).outcome
}
const listed = async (by: Person | null, id: string, scope: 'all' | 'gallery') =>
  (await test.as(by).image.list({ scope, limit: 100 })).items.find((item) => item.id === id)

/** Whether someone's sessions, tokens, deletion links, invites and images are left. */
async function holdings(person: Person) {
  const { db } = test.app
  const userId = idFor(person)
  const counts = [
    db.session.count({ where: { userId } }),
    db.apiToken.count({ where: { userId } }),
    db.deletionLink.count({ where: { image: { ownerId: userId } } }),
    db.invite.count({ where: { createdById: userId } }),
    db.image.count({ where: { ownerId: userId } }),
  ]
  return (await Promise.all(counts)).map((count) => count > 0)
}

async function adminsMailInvites(): Promise<void> {
  const email = 'ada@example.org'
  expect(await test.as(admin).invite.create({ email })).toMatchObject({ email })
  await forbidden(test.as(user).invite.create({ email }), test.as(shared).invite.create({ email }))
}

async function sendsPasswordLink(by: Person): Promise<void> {
  const person = await test.person()
  const { url } = await test.as(by).user.resetPassword({ id: idFor(person) })
  expect(await test.as(null).account.showByLink({ link: linkIn(url) })).toMatchObject({ isMailed: false })
}

async function adminsApproveGuests(): Promise<void> {
  const sent = await fetch(`${test.origin}/api/trpc/guest.upload`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-file-name': 'shot.png' },
    body: new Uint8Array(await flatPng(20, 20)),
  })
  const { result }: { result: { data: GuestUploadAnswer } } = await sent.json()
  const { id, url } = result.data
  const seenBy = async (people: readonly (Person | null)[]) =>
    Promise.all(people.map(async (person) => (await read(url, person)).status))
  expect(await seenBy([null, user, shared, admin, root])).toEqual([404, 404, 404, 200, 200])
  await forbidden(test.as(user).guest.approve({ id }))
  await test.as(admin).guest.approve({ id })
  expect(await seenBy([null, user])).toEqual([200, 200])
}

async function adminsSeeReports(): Promise<void> {
  const { id } = await insertImage(user, 'public')
  await test.as(null, '203.0.113.77').report.create({ image: { id }, reason: 'spam' })
  await test.as(user, '203.0.113.78').report.create({ image: { id }, reason: 'spam' })
  await forbidden(test.as(user).report.list())
  for (const by of [admin, root]) {
    const { items } = await test.as(by).report.list()
    const notes = items.find(({ image }) => image.id === id)?.notes.map(({ username, address }) => username ?? address)
    expect(notes?.toSorted()).toEqual(['203.0.113.77', user.viewer.username].toSorted())
  }
}

/** A reported image that is private opens for superadmins alone; admins decide all the same. */
async function adminsDecideUnseen(): Promise<void> {
  const { id: image } = await insertImage(user, 'link')
  await test.as(null, '203.0.113.79').report.create({ image: { id: image }, reason: 'spam' })
  await test.as(user).image.update({ id: image, visibility: 'private' })
  const reported = async (by: Person) => (await test.as(by).report.list()).items.find((item) => item.image.id === image)
  const [seen, unseen] = [await reported(root), await reported(admin)]
  expect([seen?.image.slug, unseen?.image.slug]).toEqual([expect.any(String), null])
  const { id = '' } = unseen ?? {}
  await test.as(admin).report.resolve({ id, act: 'dismiss' })
  expect(await reported(admin)).toBeUndefined()
}

async function holder() {
  const person = await test.person({ role: 'admin', password: PASSWORD })
  const token = await insertToken(test, person, ['upload'])
  await makeDeletionLink(test.app.db, (await insertImage(person, 'private')).id, token.id)
  await test.as(person).invite.create({})
  return person
}

/** Only their owner and superadmins open a private image; admins see that it exists, without its title. */
async function opensOnlyFor(owner: Person) {
  const { id } = await insertImage(owner, 'private')
  for (const by of [owner, root]) expect(await test.as(by).image.get({ id })).toMatchObject({ id, title: 'pixel' })
  for (const by of [admin, null, await test.person()]) {
    await refused(test.as(by).image.get({ id }), 'NOT_FOUND')
    await refused(test.as(by).image.download({ id }), 'NOT_FOUND')
  }
  expect(await listed(admin, id, 'all')).toMatchObject({ title: null, url: null })
}

async function inGalleryUntilTrashed() {
  const { id } = await insertImage(user, 'public')
  expect(await listed(null, id, 'gallery')).toBeDefined()
  await test.as(admin).image.delete({ id })
  expect(await listed(null, id, 'gallery')).toBeUndefined()
}

async function onlySuperadminsRaiseQuotas() {
  const call = { id: idFor(user), quotaBytes: 1_000 }
  await forbidden(test.as(admin).user.update(call), test.as(user).user.update(call))
  expect(await test.as(root).user.update(call)).toMatchObject({ quotaBytes: 1_000 })
}

/** Tries the rule, and returns to none. */
async function linksNoRightsByAddress(): Promise<void> {
  const provider = { ...providerSettings, name: 'one', issuer: 'https://one.example.org', sealedSecret: null }
  const arrive = async (person: Person) => {
    const email = `${randomName()}@example.org`
    const data = { email, emailKey: email, emailVerifiedAt: new Date() }
    await test.app.db.user.update({ where: { id: idFor(person) }, data })
    const claims = { sub: randomName(), email, email_verified: true }
    const from = { address: '192.0.2.7', userAgent: 'a browser', requestId: 'x' }
    const asked = { provider: { ...provider, linksByEmail: true }, claims, inviteHash: null, from }
    return findAccount(test.app, { ...asked, chargeSignUp: async () => undefined })
  }
  const person = await test.person()
  expect(await arrive(person)).toBe(idFor(person))
  for (const kind of [{ role: 'admin' }, { shared: true }] as const)
    await refused(arrive(await test.person(kind)), 'FORBIDDEN')
}

async function requiresFactorOfAdmins(): Promise<void> {
  const set = async (rule: string | null) => {
    const { version } = await test.as(root).site.settings()
    await test.as(root).site.update({ version, change: { SLUICE_SECOND_FACTOR: rule } })
  }
  const sharedAdmin = await test.person({ role: 'admin', shared: true })
  await set('required-admins')
  const people = [admin, user, sharedAdmin]
  const viewers = await Promise.all(people.map(({ sessionId }) => viewerOfSession(test.app, sessionId)))
  expect(viewers.map((viewer) => viewer?.needsFactor)).toEqual([true, false, false])
  await set(null)
}

const checks: Readonly<Record<string, () => Promise<unknown>>> = {
  'account.notForShared': () => forbidden(test.as(shared).account.sessions(), test.as(shared).token.list()),
  'account.passwordLinkUsed': async () => {
    const person = await test.person({ password: PASSWORD })
    await resetPassword(test, admin, idFor(person), `${PASSWORD} 2`)
    const audit = await test.app.db.auditEntry.findMany({
      where: { target: `user/${idFor(person)}`, action: { not: 'account.signIn' } },
    })
    expect(audit).toHaveLength(2)
  },
  'account.role.superadmin': async () => {
    for (let call = 0; call < 60; call += 1) await test.as(root).account.me()
  },
  'account.sessionsShared': async () => {
    const person = await test.person({ shared: true, role: 'admin', password: PASSWORD })
    const { account } = test.as(person)
    await forbidden(
      account.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` }),
      account.signOutEverywhere(),
      account.revokeSession({ id: person.sessionId }),
    )
    await resetPassword(test, root, idFor(person), `${PASSWORD} 2`)
    expect((await holdings(person))[0]).toBe(false)
  },
  'adminReports.pendingLead': adminsApproveGuests,
  'adminReports.unseen': adminsDecideUnseen,
  'adminReports.unseenHint': adminsDecideUnseen,
  'adminSite.hint.guestUpload': adminsApproveGuests,
  'adminProviders.linksByEmailHint': linksNoRightsByAddress,
  'adminSite.hint.passwords': async () => {
    const { version } = await test.as(root).site.settings()
    await refused(test.as(root).site.update({ version, change: { SLUICE_PASSWORDS: 'off' } }), 'CONFLICT')
    const { username } = root.viewer
    const made = await createSignInLink(test.app.db, test.app.config, { username })
    expect(made).toMatchObject({ printed: expect.stringContaining('/signin/link/') })
  },
  'adminSite.hint.secondFactor': requiresFactorOfAdmins,
  'adminSite.secondFactorAdmins': requiresFactorOfAdmins,
  'adminSite.readOnly': async () => {
    const { version } = await test.as(admin).site.settings()
    await forbidden(test.as(admin).site.update({ version, change: {} }), test.as(user).site.settings())
    await test.as(root).site.update({ version, change: {} })
  },
  'adminUsers.banReasonHint': async () => {
    const person = await test.person({ password: PASSWORD })
    const { id, username } = { id: idFor(person), username: person.viewer.username }
    await test.as(admin).user.ban({ id, reason: 'spam' })
    const form = { username, address: '198.51.100.77', userAgent: '' }
    expect(await signIn(test.app, { ...form, password: PASSWORD })).toEqual({ outcome: 'banned', reason: 'spam' })
    expect(await signIn(test.app, { ...form, password: 'another password' })).toEqual({ outcome: 'wrong' })
    const { items } = await test.as(admin).user.list({ search: username })
    expect(items).toMatchObject([{ banReason: 'spam' }])
  },
  'adminUsers.banText': async () => {
    const person = await holder()
    await test.as(root).user.ban({ id: idFor(person) })
    expect(await holdings(person)).toEqual([false, false, false, false, true])
    expect(await outcome(person)).toBe('banned')
  },
  'adminUsers.deleteText': async () => {
    const person = await holder()
    await test.as(root).user.delete({ id: idFor(person) })
    expect(await holdings(person)).toEqual([false, false, false, false, false])
  },
  'adminUsers.factorsText': async () => {
    const person = await test.person()
    await test.app.db.totpFactor.create({ data: { userId: idFor(person), sealedSecret: 'x' } })
    expect(await test.as(root).user.resetFactors({ id: idFor(person) })).toMatchObject({ hadFactors: true })
    const { factors } = await test.as(person).identity.show()
    expect(factors).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0 })
  },
  'adminUsers.firstPasswordText': async () => {
    const { link, ...created } = await test.as(admin).user.create({ username: randomName() })
    await test.as(null).account.setPasswordByLink({ link: linkIn(link?.url ?? ''), password: PASSWORD })
    expect(await test.app.db.oneTimeLink.count({ where: { userId: created.id, usedAt: null } })).toBe(0)
  },
  'adminUsers.isUnbanned': async () => {
    const person = await test.person({ password: PASSWORD })
    await test.as(admin).user.ban({ id: idFor(person) })
    await test.as(admin).user.unban({ id: idFor(person) })
    expect(await outcome(person)).toBe('signed-in')
  },
  'adminUsers.linkText': async () => {
    const person = await test.person({ password: PASSWORD })
    const { url } = await test.as(admin).user.resetPassword({ id: idFor(person) })
    const use = () => test.as(null).account.setPasswordByLink({ link: linkIn(url), password: `${PASSWORD} 2` })
    await use()
    await refused(use(), 'NOT_FOUND')
    expect(await outcome(person, `${PASSWORD} 2`)).toBe('signed-in')
  },
  'adminUsers.passwordShown': async () => {
    const person = await test.person({ password: PASSWORD })
    await resetPassword(test, admin, idFor(person), `${PASSWORD} 2`)
    expect(await outcome(person, `${PASSWORD} 2`)).toBe('signed-in')
    const [session] = await test.app.db.session.findMany({ where: { userId: idFor(person) } })
    const again = { ...person, viewer: { ...person.viewer, sessionId: session?.id ?? '' } }
    const { items } = await test.as(again).account.passwordLinks()
    expect(items).toMatchObject([{ createdBy: null, used: { from: '198.51.100.77' } }])
  },
  'adminUsers.passwordText': async () => {
    const person = await holder()
    const { url } = await test.as(root).user.resetPassword({ id: idFor(person) })
    expect(await holdings(person)).toEqual([true, true, true, true, true])
    await test.as(null).account.setPasswordByLink({ link: linkIn(url), password: `${PASSWORD} 2` })
    expect(await holdings(person)).toEqual([false, false, false, false, true])
  },
  'adminUsers.quotaText': async () => {
    const person = await holder()
    await test.as(root).user.update({ id: idFor(person), quotaBytes: 0 })
    expect((await holdings(person))[4]).toBe(true)
  },
  'adminUsers.roleSaved': async () => {
    const person = await holder()
    await test.as(root).user.update({ id: idFor(person), role: 'user' })
    expect((await holdings(person))[0]).toBe(false)
  },
  'adminUsers.roleText': async () => {
    const person = await holder()
    await test.as(root).user.update({ id: idFor(person), role: 'superadmin' })
    expect((await holdings(person))[0]).toBe(false)
    await test.as(root).user.update({ id: idFor(person), role: 'user' })
  },
  'adminUsers.rolesHint.user': async () => {
    const [own, others] = [await insertImage(user, 'private'), await insertImage(admin, 'public')]
    await test.as(user).image.update({ id: own.id, title: 'mine' })
    await test.as(user).image.delete({ id: own.id })
    await test.as(user).image.purge({ id: own.id })
    await forbidden(
      test.as(user).image.update({ id: others.id, title: 'x' }),
      test.as(user).image.delete({ id: others.id }),
      test.as(user).user.list({}),
    )
  },
  'adminUsers.rolesHint.admin': async () => {
    await opensOnlyFor(user)
    for (const visibility of ['link', 'public'] as const) {
      const { id } = await insertImage(user, visibility)
      expect(await test.as(admin).image.get({ id })).toMatchObject({ id, title: 'pixel' })
      const call = test.as(admin).image.delete({ id })
      await (visibility === 'public' ? call : forbidden(call))
    }
    const { id } = await test.as(admin).user.create({ username: randomName() })
    await test.as(admin).user.resetPassword({ id })
    await test.as(admin).user.ban({ id })
    await test.as(admin).user.unban({ id })
    await test.as(admin).invite.create({})
  },
  'adminUsers.rolesHint.superadmin': async () => {
    for (const visibility of ['private', 'link', 'public'] as const) {
      const { id } = await insertImage(user, visibility)
      await test.as(root).image.update({ id, title: 'changed' })
      await test.as(root).image.delete({ id })
      await test.as(root).image.purge({ id })
    }
    // A quota applies to superadmins too.
    await test.as(root).user.update({ id: idFor(root), quotaBytes: 7 })
    expect(await test.app.images.readRoom(idFor(root))).toEqual({ used: expect.any(Number), quota: 7 })
    await test.as(root).user.update({ id: idFor(root), quotaBytes: null })
  },
  'adminUsers.sharedHint': async () => {
    const person = await test.person({ role: 'admin', shared: true, password: PASSWORD })
    const [own, calls] = [await insertImage(person, 'private', true), test.as(person)]
    await forbidden(
      calls.token.create({ name: 'a', scopes: ['read'], expiresInDays: null }),
      calls.account.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` }),
      calls.account.signOutEverywhere(),
      calls.image.purge({ id: own.id }),
      calls.user.create({ username: randomName() }),
      calls.user.ban({ id: idFor(user) }),
      calls.user.resetPassword({ id: idFor(user) }),
    )
    const tries = async (address: string) => {
      const asked = Array.from({ length: 25 }, () => test.as(person, address).account.me())
      return (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled').length
    }
    expect([await tries('192.0.2.1'), await tries('203.0.113.2')]).toEqual([20, 20])
  },
  'adminUsers.unbanText': async () => {
    const person = await holder()
    await test.as(root).user.ban({ id: idFor(person) })
    await test.as(root).user.unban({ id: idFor(person) })
    expect(await holdings(person)).toEqual([false, false, false, false, true])
    expect(await outcome(person)).toBe('signed-in')
  },
  'errors.admin-needs-superadmin': async () => {
    const id = idFor(await test.person({ role: 'admin' }))
    await forbidden(test.as(admin).user.ban({ id }), test.as(admin).user.resetPassword({ id }))
  },
  'errors.banned': async () => {
    const person = await test.person({ password: PASSWORD })
    await test.as(admin).user.ban({ id: idFor(person) })
    expect(await outcome(person)).toBe('banned')
  },
  'errors.display-name-official': () =>
    refused(test.as(user).account.setDisplayName({ displayName: 'Admin' }), 'BAD_REQUEST'),
  'errors.grant-needs-superadmin': () =>
    forbidden(
      test.as(admin).user.create({ username: randomName(), role: 'admin' }),
      test.as(admin).user.create({ username: randomName(), shared: true }),
      test.as(admin).user.update({ id: idFor(user), role: 'admin' }),
    ),
  'errors.last-superadmin': () => refused(test.as(root).user.update({ id: idFor(root), role: 'user' }), 'CONFLICT'),
  'errors.not-admin': () => forbidden(test.as(user).user.list({})),
  'errors.not-superadmin': () => forbidden(test.as(admin).user.delete({ id: idFor(user) })),
  'errors.over-quota': onlySuperadminsRaiseQuotas,
  'errors.password-needs-superadmin': () =>
    forbidden(test.as(admin).user.create({ username: randomName(), password: PASSWORD })),
  'errors.quota-full': onlySuperadminsRaiseQuotas,
  'errors.share-owners': async () => {
    const images = [(await insertImage(user, 'link')).id, (await insertImage(admin, 'link')).id]
    await refused(test.as(root).share.create({ target: { images } }), 'BAD_REQUEST')
  },
  'errors.shared-account': () => forbidden(test.as(shared).account.signOutEverywhere()),
  'errors.shared-superadmin': () =>
    refused(test.as(root).user.create({ username: randomName(), role: 'superadmin', shared: true }), 'BAD_REQUEST'),
  'errors.subject-without-address': async () => {
    const subject = `192.0.2.9:${idFor(shared)}`
    const target = { kind: 'subject', subject } as const
    const call = test.as(root).limits.override({ ruleSet: 'token-read', target, terms: { wait: null } })
    await refused(call, 'BAD_REQUEST')
  },
  'guestUpload.awaits': adminsApproveGuests,
  'guestUpload.leadApproval': adminsApproveGuests,
  'image.linkHint': async () => {
    const { id } = await insertImage(user, 'link')
    expect(await test.as(admin).image.get({ id })).toMatchObject({ id })
    expect(await listed(null, id, 'gallery')).toBeUndefined()
  },
  'image.privateHint': () => opensOnlyFor(user),
  'image.privateHintMine': () => opensOnlyFor(user),
  'image.publicHint': inGalleryUntilTrashed,
  'image.publicHintOff': inGalleryUntilTrashed,
  'invites.text': async () => {
    const { code: invite } = await test.as(admin).invite.create({})
    const { username } = await test.as(null).account.signUp({ username: randomName(), password: PASSWORD, invite })
    expect(await test.app.db.user.findFirst({ where: { username }, select: { role: true } })).toEqual({ role: 'user' })
  },
  'mail.invite.text': adminsMailInvites,
  'mail.moved.check': () => sendsPasswordLink(root),
  'mail.whyInvited': adminsMailInvites,
  'mail.whyTest': async () => {
    const to = 'ada@example.org'
    await forbidden(test.as(admin).mail.test({ to }), test.as(user).mail.test({ to }))
    await expect(test.as(root).mail.test({ to })).rejects.toThrow('cannot be reached')
  },
  'mailLinks.sentText': () => sendsPasswordLink(admin),
  'ownEmail.lead': async () => {
    const person = await test.person()
    const email = `${randomName()}@example.org`
    const data = { email, emailKey: email, emailVerifiedAt: new Date() }
    await test.app.db.user.update({ where: { id: idFor(person) }, data })
    const search = person.viewer.username
    const seenBy = async (by: Person) => (await test.as(by).user.list({ search })).items.map((item) => item.email)
    const sharedAdmin = await test.person({ role: 'admin', shared: true })
    expect(await Promise.all([root, admin, sharedAdmin].map(seenBy))).toEqual([[email], [email], [null]])
    await forbidden(test.as(user).user.list({ search }))
    expect(await test.as(person).account.email()).toMatchObject({ email })
  },
  'ownData.lastSuperadmin': async () => {
    await using alone = await startApp()
    const last = await alone.person({ role: 'superadmin', password: PASSWORD })
    const leave = () => alone.as(last).account.delete({ username: last.viewer.username, password: PASSWORD })
    await refused(leave(), 'CONFLICT')
    await alone.person({ role: 'superadmin' })
    await leave()
  },
  'ownLimits.unlimited': async () => {
    const isUnlimited = async (by: Person) => (await test.as(by).limits.mine()).isUnlimited
    expect(await Promise.all([root, admin, user].map(isUnlimited))).toEqual([true, false, false])
  },
  'profile.nameHint': async () => {
    const person = await test.person()
    const { username } = person.viewer
    const { id, slug } = await insertImage(person, 'public')
    const ownerFor = async (by: Person | null) => (await test.as(by).image.get(by ? { id } : { slug })).owner
    expect(await ownerFor(null)).toMatchObject({ name: null, username: null })
    await test.as(person).account.setDisplayName({ displayName: 'Ada' })
    for (const by of [null, user, shared]) expect(await ownerFor(by)).toMatchObject({ name: 'Ada', username: null })
    for (const by of [person, admin, root]) expect(await ownerFor(by)).toMatchObject({ name: 'Ada', username })
  },
  'profile.shared': () => forbidden(test.as(shared).account.setDisplayName({ displayName: 'Ada' })),
  'reporting.lead': adminsSeeReports,
  'reporting.sentText': adminsSeeReports,
  'signIn.inviteOnlyText': async () => {
    await forbidden(test.as(null).account.signUp({ username: randomName(), password: PASSWORD }))
    await forbidden(test.as(user).invite.create({}))
    await test.as(admin).invite.create({})
  },
  'signIn.linkByAdmin': async () => {
    const maker = await test.person({ role: 'admin' })
    const { url } = await test.as(maker).user.resetPassword({ id: idFor(await test.person()) })
    const shown = () => test.as(null).account.showByLink({ link: linkIn(url) })
    expect((await shown()).createdBy).toBeNull()
    await test.as(maker).account.setDisplayName({ displayName: 'Ada' })
    expect((await shown()).createdBy).toBe('Ada')
  },
  'signIn.linkInvalidText': async () => {
    const person = await test.person()
    const first = await test.as(admin).user.resetPassword({ id: idFor(person) })
    await test.as(admin).user.resetPassword({ id: idFor(person) })
    await refused(test.as(null).account.showByLink({ link: linkIn(first.url) }), 'NOT_FOUND')
  },
  'signIn.setupText': async () => {
    for (let call = 0; call < 60; call += 1) await test.as(root).account.me()
  },
  'errors.wrong-credentials': async () => {
    const person = await test.person({ password: PASSWORD })
    await resetPassword(test, admin, idFor(person), `${PASSWORD} 2`)
    expect([await outcome(person), await outcome(person, `${PASSWORD} 2`)]).toEqual(['wrong', 'signed-in'])
  },
  'errors.provider-no-account': async () => {
    const account = { username: randomName(), password: PASSWORD }
    await forbidden(test.as(user).user.create(account))
    expect((await test.as(admin).user.create({ username: account.username })).username).toBe(account.username)
  },
  'tokens.note': async () => {
    const person = await test.person({ password: PASSWORD })
    await insertToken(test, person, ['read'])
    await test.as(person).account.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` })
    expect((await holdings(person))[1]).toBe(true)
    await test.as(person).account.signOutEverywhere()
    expect((await holdings(person))[1]).toBe(true)
    await resetPassword(test, admin, idFor(person), PASSWORD)
    expect((await holdings(person))[1]).toBe(false)
  },
  'upload.storageFull': onlySuperadminsRaiseQuotas,
}

/** Sentences of these areas are no statements about roles, or are read only on the command line. */
const OTHER_AREAS = new Set([
  'admin',
  'adminExplain',
  'adminLimits',
  'adminOverrides',
  'cli',
  'cliHelp',
  'http',
  'ruleSets',
])

/** Keys of the sentences that name a role or a shared account, and of the texts of the page Users. */
function sentencesIn(area: object, path: string): string[] {
  return Object.entries(area).flatMap(([name, value]) => {
    const key = `${path}.${name}`
    if (typeof value === 'object') return sentencesIn(value, key)
    const isSentence = /\w+\W+\w+\W+\w+/.test(value)
    const namesRole = /\badmins?\b|superadmin|shared account|several people|the role/i.test(value)
    const isOfUsers = /^adminUsers\.(\w+Text|\w+Shown|rolesHint\..*|isUnbanned|roleSaved)$/.test(key)
    return (isSentence && namesRole) || isOfUsers ? [key] : []
  })
}

it('every sentence about roles has a check', () => {
  const sentences = Object.entries(en).flatMap(([name, area]) => (OTHER_AREAS.has(name) ? [] : sentencesIn(area, name)))
  expect(Object.keys(checks).sort()).toEqual(sentences.sort())
})

it.each(Object.entries(checks))('%s is true', async (_, check) => void (await check()))
