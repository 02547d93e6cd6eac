import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOneTimeLink } from '#server/accounts/links/one-time-link.ts'
import { setUpCode } from '#server/accounts/owner.ts'
import { replacePicture } from '#server/accounts/profile/picture.ts'
import { makeDeletionLink } from '#server/images/links/deletion-link.ts'
import { declaredLimits } from '#server/trpc/declared-limits.ts'
import { appRouter } from '#server/trpc/router.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { addPasskey, createPasskey } from '#testing/accounts/passkey.ts'
import { insertProvider, providerSettings } from '#testing/accounts/provider-row.ts'
import { linkIn } from '#testing/accounts/reset-password.ts'
import { currentCode, insertTrusted } from '#testing/accounts/second-factor.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { waitingJob } from '#testing/jobs/waiting-job.ts'
import { insertPending } from '#testing/library/guest-image.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { readLink, startMailServer, type TestMailServer } from '#testing/servers/mail-server.ts'
import { type Person, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'

const PASSWORD = 'never in an entry 1'
const NEXT_PASSWORD = 'never in an entry 2'
const WEBHOOK_PATH = 'never-in-an-entry'

let test: TestApp
let mailServer: TestMailServer
let root: Person
let admin: Person
/** Everything that entries must not have. */
const addedSet = { name: 'extra', procedure: 'image.list' }
const secrets = new Set([PASSWORD, NEXT_PASSWORD, WEBHOOK_PATH])

beforeAll(async () => {
  mailServer = await startMailServer()
  test = await startApp({
    ...{ SLUICE_SIGNUP: 'invite', SLUICE_WEBHOOK: `http://127.0.0.1:9/${WEBHOOK_PATH}` },
    ...{ SLUICE_MAIL_SERVER: `smtp://127.0.0.1:${mailServer.port}`, SLUICE_MAIL_FROM: 'sluice@example.org' },
    // Backups are queued, and then fail.
    SLUICE_BACKUP_FOLDER: '/nonexistent/backups',
  })
  await test.app.db.$executeRaw`
    CREATE FUNCTION "refuse_entry"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no entry'; END $$`
  await test.app.db.$executeRaw`
    CREATE TRIGGER "no_entry" BEFORE INSERT ON "AuditEntry" FOR EACH ROW EXECUTE FUNCTION "refuse_entry"()`
  await allowEntries(true)
})
afterAll(async () => {
  await test[Symbol.asyncDispose]()
  await mailServer[Symbol.asyncDispose]()
})

async function allowEntries(allowed: boolean): Promise<void> {
  const { db } = test.app
  if (allowed) await db.$executeRaw`ALTER TABLE "AuditEntry" DISABLE TRIGGER "no_entry"`
  else await db.$executeRaw`ALTER TABLE "AuditEntry" ENABLE TRIGGER "no_entry"`
}

interface Act {
  /** The caller; null for a guest. */
  readonly by: Person | null
  call(caller: TestCaller): Promise<unknown>
}

const someone = (role: 'user' | 'admin' = 'user') => test.person({ role, password: PASSWORD })
const idFor = ({ viewer }: Person) => viewer.userId
const imageFor = async (trashed = false) =>
  (await insertBareImage(test.app.db, idFor(await test.person()), { visibility: 'public', trashed })).id

async function withApp(): Promise<Person> {
  const person = await someone()
  await test.app.db.totpFactor.create({ data: { userId: idFor(person), sealedSecret: '' } })
  return person
}

/** Another's public album with one image. */
async function albumFor(): Promise<{ id: string; image: string }> {
  const person = await test.person()
  const { id: image } = await insertBareImage(test.app.db, idFor(person))
  const { id } = await test.as(person).album.create({ title: 'Summer', visibility: 'public' })
  await test.as(person).album.add({ id, images: [image] })
  return { id, image }
}

async function reportFor(): Promise<string> {
  const facts = { openedAt: new Date(), lastAt: new Date() }
  return (await test.app.db.report.create({ data: { imageId: await imageFor(), ...facts } })).id
}

async function shareFor(by: Person): Promise<string> {
  const { id } = await insertBareImage(test.app.db, idFor(by))
  const { id: shareId, url } = await test.as(by).share.create({ target: { images: [id] }, title: 'Holidays' })
  secrets.add(linkIn(url))
  return shareId
}

async function invite(): Promise<string> {
  const { code } = await test.as(root).invite.create({})
  secrets.add(code)
  return code
}

/** How to perform the act of each mutation, by its path. */
const acts: Readonly<Record<string, () => Promise<Act>>> = {
  'setup.createOwner': async () => {
    const code = setUpCode(test.app.config.secret)
    secrets.add(code)
    return { by: null, call: ({ setup }) => setup.createOwner({ username: 'owner', password: PASSWORD, code }) }
  },
  'account.signUp': async () => {
    const input = { username: `n${crypto.randomUUID().slice(0, 8)}`, password: PASSWORD, invite: await invite() }
    return { by: null, call: ({ account }) => account.signUp(input) }
  },
  'account.changePassword': async () => {
    const input = { currentPassword: PASSWORD, newPassword: NEXT_PASSWORD }
    return { by: await someone(), call: ({ account }) => account.changePassword(input) }
  },
  'account.setPasswordByLink': async () => {
    const link = linkIn((await test.as(root).user.resetPassword({ id: idFor(await someone()) })).url)
    secrets.add(link)
    return { by: null, call: ({ account }) => account.setPasswordByLink({ link, password: NEXT_PASSWORD }) }
  },
  'account.revokeSession': async () => {
    const by = await someone()
    return { by, call: ({ account }) => account.revokeSession({ id: by.sessionId }) }
  },
  'identity.confirmTotp': async () => {
    const by = await someone()
    const { setUp, secret } = await test.as(by).identity.beginTotp()
    secrets.add(secret)
    return {
      by,
      call: async ({ identity }) => {
        const { recoveryCodes } = await identity.confirmTotp({ setUp, code: currentCode(secret) })
        for (const code of recoveryCodes) secrets.add(code)
      },
    }
  },
  'identity.removeTotp': async () => {
    const by = await withApp()
    return { by, call: ({ identity }) => identity.removeTotp() }
  },
  'identity.addPasskey': async () => {
    const by = await someone()
    // The handle by which authenticators know the account is made once.
    await test.as(by).identity.beginPasskey()
    return {
      by,
      call: async ({ identity }) => {
        const answer = createPasskey(test.origin).make(await identity.beginPasskey())
        for (const code of (await identity.addPasskey({ answer, name: 'a' })).recoveryCodes ?? []) secrets.add(code)
      },
    }
  },
  'identity.renamePasskey': async () => {
    const by = await someone()
    const { rowId: id } = await addPasskey(test, by)
    return { by, call: ({ identity }) => identity.renamePasskey({ id, name: 'another' }) }
  },
  'identity.removePasskey': async () => {
    const by = await someone()
    const { rowId: id } = await addPasskey(test, by)
    return { by, call: ({ identity }) => identity.removePasskey({ id }) }
  },
  'identity.proveByPasskey': async () => {
    const by = await someone()
    const passkey = await addPasskey(test, by)
    return {
      by,
      call: async ({ identity }) =>
        identity.proveByPasskey({ answer: passkey.answer(await identity.beginPasskeyProof()) }),
    }
  },
  'identity.remakeRecoveryCodes': async () => {
    const by = await withApp()
    return {
      by,
      call: async ({ identity }) => {
        for (const code of (await identity.remakeRecoveryCodes()).recoveryCodes) secrets.add(code)
      },
    }
  },
  'identity.untrustDevice': async () => {
    const by = await someone()
    const id = await insertTrusted(test, by)
    return { by, call: ({ identity }) => identity.untrustDevice({ id }) }
  },
  'identity.unlink': async () => {
    const by = await someone()
    const data = { userId: by.viewer.userId, issuer: 'https://id.example.org', subject: crypto.randomUUID() }
    const { id } = await test.app.db.linkedIdentity.create({ data, select: { id: true } })
    return { by, call: ({ identity }) => identity.unlink({ id }) }
  },
  'provider.update': async () => {
    const name = await insertProvider(test.app.db)
    return {
      by: root,
      call: ({ provider }) => provider.update({ ...providerSettings, name, version: 1, isEnabled: false }),
    }
  },
  'provider.delete': async () => {
    const name = await insertProvider(test.app.db)
    return { by: root, call: ({ provider }) => provider.delete({ name }) }
  },
  'provider.order': async () => {
    await insertProvider(test.app.db)
    const names = (await test.app.db.oidcProvider.findMany({ select: { name: true } })).map(({ name }) => name)
    return { by: root, call: ({ provider }) => provider.order({ names }) }
  },
  'account.signOutEverywhere': async () => ({
    by: await someone(),
    call: ({ account }) => account.signOutEverywhere(),
  }),
  'account.setDisplayName': async () => ({
    by: await someone(),
    call: ({ account }) => account.setDisplayName({ displayName: 'Anna' }),
  }),
  'account.setProfile': async () => ({
    by: await someone(),
    call: ({ account }) => account.setProfile({ isOpen: true, name: 'anna-at-sea', line: 'Boats' }),
  }),
  'account.removePicture': async () => {
    const by = await someone()
    await test.app.db.$transaction((tx) => replacePicture(tx, idFor(by), new Uint8Array(1)))
    return { by, call: ({ account }) => account.removePicture() }
  },
  'account.delete': async () => {
    const by = await someone()
    const { username } = by.viewer
    return { by, call: ({ account }) => account.delete({ username, password: PASSWORD }) }
  },
  'token.create': async () => ({
    by: await someone(),
    call: async ({ token }) =>
      secrets.add((await token.create({ name: 'ShareX', scopes: ['upload'], expiresInDays: null })).token),
  }),
  'token.revoke': async () => {
    const by = await someone()
    const { id } = await insertToken(test, by, ['read'])
    return { by, call: ({ token }) => token.revoke({ id }) }
  },
  'token.revokeThis': async () => {
    const { viewer, ...session } = await someone()
    const { id, token } = await insertToken(test, { viewer, ...session }, ['read'])
    secrets.add(token)
    const by = { ...session, viewer: { ...viewer, sessionId: null, token: { id, scopes: [], isSuperadmins: false } } }
    return { by, call: ({ token }) => token.revokeThis() }
  },
  'guest.approve': async () => {
    const id = await insertPending(test.app.db)
    return { by: admin, call: ({ guest }) => guest.approve({ id }) }
  },
  'guest.reject': async () => {
    const id = await insertPending(test.app.db)
    return { by: admin, call: ({ guest }) => guest.reject({ id }) }
  },
  'report.resolve': async () => {
    const id = await reportFor()
    return { by: admin, call: ({ report }) => report.resolve({ id, act: 'dismiss' }) }
  },
  'report.reopen': async () => {
    const id = await reportFor()
    await test.as(root).report.resolve({ id, act: 'dismiss' })
    return { by: admin, call: ({ report }) => report.reopen({ id }) }
  },
  'share.create': async () => {
    const by = await someone()
    const { id } = await insertBareImage(test.app.db, idFor(by))
    const target = { images: [id] }
    return {
      by,
      call: async ({ share }) => secrets.add(linkIn((await share.create({ target, password: PASSWORD })).url)),
    }
  },
  'share.restore': async () => {
    const by = await someone()
    const { id } = await insertBareImage(test.app.db, idFor(by))
    const share = {
      target: { images: [{ id, position: 0 }] },
      createdAt: '2026-01-02T03:04:05Z',
      passwordHash: null,
      views: 0,
    }
    return { by, call: async ({ share: { restore } }) => secrets.add(linkIn((await restore(share)).url ?? '')) }
  },
  'share.update': async () => {
    const by = await someone()
    const id = await shareFor(by)
    return { by, call: ({ share }) => share.update({ id, title: 'another', password: NEXT_PASSWORD }) }
  },
  'share.revoke': async () => {
    const id = await shareFor(await someone())
    return { by: root, call: ({ share }) => share.revoke({ id }) }
  },
  'user.create': async () => ({
    by: admin,
    call: async ({ user }) => {
      const { link } = await user.create({ username: `n${crypto.randomUUID().slice(0, 8)}` })
      secrets.add(linkIn(link?.url ?? ''))
    },
  }),
  'user.update': async () => {
    const id = idFor(await someone())
    return { by: root, call: ({ user }) => user.update({ id, role: 'admin', quotaBytes: 5 }) }
  },
  'user.setQuotas': async () => {
    const id = idFor(await someone())
    return { by: root, call: ({ user }) => user.setQuotas({ changes: [{ id, quotaBytes: 5 }] }) }
  },
  'user.ban': async () => {
    const id = idFor(await someone())
    return { by: admin, call: ({ user }) => user.ban({ id, reason: 'spam' }) }
  },
  'user.unban': async () => {
    const id = idFor(await someone())
    return { by: admin, call: ({ user }) => user.unban({ id }) }
  },
  'user.resetFactors': async () => {
    const userId = idFor(await someone())
    await test.app.db.totpFactor.create({ data: { userId, sealedSecret: 'x' } })
    return { by: root, call: ({ user }) => user.resetFactors({ id: userId }) }
  },
  'user.resetPassword': async () => {
    const id = idFor(await someone())
    return { by: admin, call: async ({ user }) => secrets.add(linkIn((await user.resetPassword({ id })).url)) }
  },
  'user.delete': async () => {
    const person = await someone()
    await insertBareImage(test.app.db, idFor(person))
    return { by: root, call: ({ user }) => user.delete({ id: idFor(person) }) }
  },
  'invite.create': async () => ({ by: admin, call: async (as) => secrets.add((await as.invite.create({})).code) }),
  'invite.revoke': async () => {
    const { id } = await test.as(root).invite.create({})
    return { by: admin, call: (as) => as.invite.revoke({ id }) }
  },
  'image.update': async () => {
    const id = await imageFor()
    return { by: root, call: ({ image }) => image.update({ id, title: 'another' }) }
  },
  'image.delete': async () => {
    const id = await imageFor()
    return { by: admin, call: ({ image }) => image.delete({ id }) }
  },
  'image.restore': async () => {
    const id = await imageFor(true)
    return { by: admin, call: ({ image }) => image.restore({ id }) }
  },
  'image.purge': async () => {
    const id = await imageFor(true)
    return { by: root, call: ({ image }) => image.purge({ id }) }
  },
  'image.deleteMany': async () => {
    const ids = [await imageFor()]
    return { by: admin, call: ({ image }) => image.deleteMany({ ids }) }
  },
  'image.restoreMany': async () => {
    const ids = [await imageFor(true)]
    return { by: admin, call: ({ image }) => image.restoreMany({ ids }) }
  },
  'image.purgeMany': async () => {
    const ids = [await imageFor(true)]
    return { by: root, call: ({ image }) => image.purgeMany({ ids }) }
  },
  'image.setVisibilityMany': async () => {
    const ids = [await imageFor()]
    return { by: root, call: ({ image }) => image.setVisibilityMany({ ids, visibility: 'private' }) }
  },
  'album.update': async () => {
    const { id } = await albumFor()
    return { by: admin, call: ({ album }) => album.update({ id, visibility: 'private' }) }
  },
  'album.delete': async () => {
    const { id } = await albumFor()
    return { by: root, call: ({ album }) => album.delete({ id }) }
  },
  'album.restore': async () => {
    const { id } = await albumFor()
    await test.as(root).album.delete({ id })
    return { by: root, call: ({ album }) => album.restore({ id }) }
  },
  'album.add': async () => {
    const [{ id }, image] = [await albumFor(), await imageFor()]
    return { by: root, call: ({ album }) => album.add({ id, images: [image] }) }
  },
  'album.move': async () => {
    const { id, image } = await albumFor()
    return { by: root, call: ({ album }) => album.move({ id, images: [image], after: null }) }
  },
  'album.remove': async () => {
    const { id, image } = await albumFor()
    return { by: root, call: ({ album }) => album.remove({ id, images: [image] }) }
  },
  'image.exportPart': async () => ({ by: await someone(), call: ({ image }) => image.exportPart({ part: 1 }) }),
  'library.restore': async () => {
    const by = await someone()
    const { id } = await insertBareImage(test.app.db, idFor(by))
    return { by, call: ({ library }) => library.restore({ items: [{ id, createdAt: '2001-01-01T00:00:00Z' }] }) }
  },
  'image.deleteByLink': async () => {
    const { id } = await insertToken(test, root, ['upload'])
    const link = (await makeDeletionLink(test.app.db, await imageFor(), id)) ?? ''
    secrets.add(link)
    return { by: null, call: ({ image }) => image.deleteByLink({ link }) }
  },
  'limits.override': async () => ({
    by: root,
    call: (as) => as.limits.override({ ruleSet: 'view', target: { kind: 'all' }, terms: { wait: '2s' } }),
  }),
  'limits.clear': async () => {
    const target = { kind: 'role', role: 'user' } as const
    await test.as(root).limits.override({ ruleSet: 'view', target, terms: { wait: null } })
    return { by: root, call: ({ limits }) => limits.clear({ ruleSet: 'view', target }) }
  },
  'limits.setRuleSet': async () => ({
    by: root,
    call: ({ limits }) => limits.setRuleSet({ ...addedSet, set: { by: 'ip', rules: [{ limit: 9, window: '1m' }] } }),
  }),
  'limits.removeRuleSet': async () => {
    await test.as(root).limits.setRuleSet({ ...addedSet, set: { by: 'ip', rules: [{ limit: 9, window: '1m' }] } })
    return { by: root, call: ({ limits }) => limits.removeRuleSet(addedSet) }
  },
  'limits.import': async () => {
    await test.app.db.limitOverride.deleteMany()
    return { by: root, call: ({ limits }) => limits.import({ file: { version: 1 }, dryRun: false }) }
  },
  'limits.reset': async () => ({
    by: root,
    call: ({ limits }) => limits.reset({ ruleSet: 'view', subject: '192.0.2.1' }),
  }),
  'budget.set': async () => ({
    by: root,
    call: ({ budget }) => budget.set({ period: 'day', unit: 'reads', limit: 1e9 }),
  }),
  'budget.setPrices': async () => ({ by: root, call: ({ budget }) => budget.setPrices({ prices: null }) }),
  'budget.setFreeTier': async () => ({ by: root, call: ({ budget }) => budget.setFreeTier({ on: true }) }),
  'access.setRule': async () => ({
    by: root,
    call: ({ access }) => access.setRule({ cidr: '192.0.2.0/24', verdict: 'deny' }),
  }),
  'access.removeRule': async () => {
    await test.as(root).access.setRule({ cidr: '198.51.100.0/24', verdict: 'deny' })
    return { by: root, call: ({ access }) => access.removeRule({ cidr: '198.51.100.0/24' }) }
  },
  'access.setHotlink': async () => ({
    by: root,
    call: ({ access }) =>
      access.setHotlink({ isOn: false, sites: ['a.example'], allowsEmpty: true, answer: 'refusal' }),
  }),
  'job.retry': async () => {
    const id = await waitingJob(test.app.db)
    return { by: root, call: ({ job }) => job.retry({ id }) }
  },
  'job.discard': async () => {
    const id = await waitingJob(test.app.db)
    return { by: root, call: ({ job }) => job.discard({ id }) }
  },
  'site.update': async () => ({
    by: root,
    call: (as) => as.site.update({ version: 0, change: { SLUICE_NAME: 'Attic' } }),
  }),
  'account.setEmail': async () => ({
    by: await someone(),
    call: async ({ account }) => {
      await account.setEmail({ email: 'ada@example.org' })
      // The link is made by a job.
      await jobsDone(test.app)
      secrets.add(linkIn(readLink(mailServer.received.at(-1) ?? { raw: '' })))
    },
  }),
  'account.confirmEmailByLink': async () => {
    const userId = idFor(await someone())
    await test.app.db.user.update({ where: { id: userId }, data: { pendingEmail: 'eve@example.org' } })
    const made = { purpose: 'email', userId, createdById: null, isMailed: true } as const
    const { link } = await test.app.db.$transaction((tx) => createOneTimeLink(tx, made))
    secrets.add(link)
    return { by: null, call: ({ account }) => account.confirmEmailByLink({ link }) }
  },
  'account.removeEmail': async () => {
    const by = await someone()
    await test.app.db.user.update({ where: { id: idFor(by) }, data: { pendingEmail: 'bob@example.org' } })
    return { by, call: ({ account }) => account.removeEmail() }
  },
  'mail.test': async () => ({ by: root, call: ({ mail }) => mail.test({ to: 'ada@example.org' }) }),
  'webhook.test': async () => ({ by: root, call: ({ webhook }) => webhook.test() }),
  'backup.start': async () => ({ by: root, call: ({ backup }) => backup.start() }),
  'audit.export': async () => ({ by: root, call: ({ audit }) => audit.export({ format: 'json', search: 'anna' }) }),
}

/** Performed in tests of their own: they need a picture's bytes, and a provider that answers. */
const elsewhere = ['account.setPicture', 'provider.create']

const declared = declaredLimits(appRouter).flatMap(({ path, procedure }) => {
  const { audit } = z.object({ audit: z.unknown() }).partial().parse(procedure._def.meta)
  return typeof audit === 'string' ? [{ path, audit }] : []
})

const tables = [
  'User',
  'UserPicture',
  'Session',
  'Device',
  'TotpFactor',
  'RecoveryCode',
  'Passkey',
  'ApiToken',
  'Invite',
  'OneTimeLink',
  'Image',
  'Album',
  'AlbumImage',
  'DeletionLink',
  'LimitOverride',
]
const settings = ['SiteSettings', 'Budget', 'SpendingTerms', 'AccessRule', 'HotlinkRule', 'AuditEntry']
/** Everything that acts change, except counts of the limiter. */
async function dump(): Promise<unknown> {
  const rows = [...tables, ...settings].map(
    (table) => `(SELECT md5(string_agg(r::text, ',' ORDER BY r::text)) FROM "${table}" r) AS "${table}"`,
  )
  const jobs = test.app.db
    .$queryRaw`SELECT "id", "state" FROM "jobs"."job" WHERE "name" IN ('removal', 'webhook', 'webhook-image')`
  return [await test.app.db.$queryRawUnsafe(`SELECT ${rows.join()}`), await jobs]
}

it('every act is performed below', () => {
  expect([...Object.keys(acts), ...elsewhere].sort()).toEqual(declared.map(({ path }) => path).sort())
})

// In the order of the table: the owner is created first.
const inOrder = Object.keys(acts).flatMap((path) => declared.filter((each) => each.path === path))
describe.each(inOrder)('$path', ({ path, audit }) => {
  it('is recorded in its transaction, or does not happen', async () => {
    if (path !== 'setup.createOwner') {
      root ??= await test.person({ role: 'superadmin', password: PASSWORD })
      admin ??= await test.person({ role: 'admin', password: PASSWORD })
    }
    const act = await acts[path]?.()
    if (!act) throw new Error(`${path} is not performed`)
    const before = await dump()
    await allowEntries(false)
    await expect(act.call(test.as(act.by))).rejects.toThrow()
    await allowEntries(true)
    expect(await dump()).toEqual(before)
    const [last] = await newest()
    await act.call(test.as(act.by))
    const entries = (await newest()).filter(({ id }) => id > (last?.id ?? 0n))
    expect(entries).toMatchObject([{ action: audit, address: '203.0.113.7', userAgent: '', times: 1 }])
    expect(entries[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/)
    if (act.by) expect(entries).toMatchObject([{ actorId: idFor(act.by), actorName: act.by.viewer.username }])
    expect(entries[0]?.tokenId).toBe(act.by?.viewer.token?.id ?? null)
  })
})

const newest = () => test.app.db.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 5 })

it('a change that is rolled back leaves no entry', async () => {
  await test.app.db.user.updateMany({ where: { id: { not: idFor(root) }, role: 'superadmin' }, data: { role: 'user' } })
  const [last] = await newest()
  await expect(test.as(root).user.ban({ id: idFor(root) })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await newest()).toMatchObject([{ id: last?.id }, {}, {}, {}, {}])
})

it('no entry has a password, token, code or link', async () => {
  const entries = await test.app.db.auditEntry.findMany()
  const text = JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  expect(secrets.size).toBeGreaterThan(10)
  expect([...secrets].filter((secret) => secret === '' || text.includes(secret))).toEqual([])
})
