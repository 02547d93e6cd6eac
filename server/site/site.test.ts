import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { catchFailure } from '#testing/limits/limit-admin-scene.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import type { SettingsChange } from './settings-row.ts'

let served: TestApp
let root: Person
let second: Person
let admin: Person
beforeAll(async () => {
  served = await startApp({ SLUICE_TRASH_DAYS: '7' })
  root = await served.person({ role: 'superadmin' })
  second = await served.person({ role: 'superadmin' })
  admin = await served.person({ role: 'admin' })
})
afterAll(() => served[Symbol.asyncDispose]())
afterEach(async () => {
  await served.app.db.siteSettings.deleteMany()
  await served.app.site.announce()
})

const site = (person: Person | null) => served.as(person).site
const update = async (change: SettingsChange, person = root) =>
  site(person).update({ version: (await site(person).settings()).version, change })

describe('a setting', () => {
  it('is in force at once, for every reader, until it is returned to its default', async () => {
    const guest = served.as(null)
    await expect(guest.image.list({ scope: 'gallery' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    const change = {
      SLUICE_GALLERY: 'on',
      SLUICE_SIGNUP: 'closed',
      SLUICE_QUOTA: '2MB',
      SLUICE_NAME: ' <b>Bilder</b> ',
    }
    const changed = await update({ ...change, SLUICE_MAX_UPLOAD: '1MB', SLUICE_VISIBILITY: 'private' })
    expect(changed).toMatchObject({ version: 1, changedBy: root.viewer.username, locked: ['SLUICE_TRASH_DAYS'] })
    expect((await guest.image.list({ scope: 'gallery' })).items).toEqual([])
    expect(await guest.site.public()).toMatchObject({
      ...{ name: '<b>Bilder</b>', gallery: true, signup: 'closed', maxUploadBytes: 1024 ** 2 },
      defaultVisibility: 'private',
    })
    await expect(served.as(admin).invite.create({})).rejects.toMatchObject({
      message: 'Sign-up is closed.',
    })
    expect((await served.as(admin).account.me()).room).toMatchObject({ quota: 2 * 1024 ** 2 })
    await update({ SLUICE_GALLERY: null, SLUICE_SIGNUP: '', SLUICE_QUOTA: null })
    expect(await guest.site.public()).toMatchObject({ gallery: false, signup: 'invite' })
    expect((await site(root).settings()).texts).toEqual({
      ...{ SLUICE_NAME: '<b>Bilder</b>', SLUICE_MAX_UPLOAD: '1MB', SLUICE_VISIBILITY: 'private' },
      SLUICE_TRASH_DAYS: '7',
    })
  })

  it('that the environment sets stands above the stored one and is locked', async () => {
    const { app } = served
    const [changedAt, changedBy] = [new Date(), 'x']
    await app.db.siteSettings.create({
      data: { id: 1, version: 4, changedAt, changedBy, terms: { SLUICE_TRASH_DAYS: '9' } },
    })
    await app.site.announce()
    expect(app.site.read().trashDays).toBe(7)
    expect(await catchFailure(update({ SLUICE_NAME: 'x', SLUICE_TRASH_DAYS: null }))).toEqual({
      code: 'FORBIDDEN',
      message: 'SLUICE_TRASH_DAYS is set in the environment and cannot be changed here.',
    })
    expect(app.site.read().name).toBe('Sluice')
  })

  it('of another version of the code is skipped, and kept', async () => {
    const { app } = served
    const terms = { SLUICE_NAME: 'Kept', SLUICE_SIGNUP: 'by post', SLUICE_FUTURE: 'x' }
    await app.db.siteSettings.create({ data: { id: 1, version: 1, changedAt: new Date(), changedBy: 'x', terms } })
    await app.site.announce()
    expect(app.site.read()).toMatchObject({ name: 'Kept', signup: 'invite' })
    await update({ SLUICE_NAME: null })
    const row = await app.db.siteSettings.findUniqueOrThrow({ where: { id: 1 } })
    expect(row.terms).toEqual({ SLUICE_SIGNUP: 'by post', SLUICE_FUTURE: 'x' })
  })

  it.each<Readonly<Record<string, string>>>([
    { SLUICE_NAME: 'a\u202eb' },
    { SLUICE_NAME: 'x'.repeat(10_000) },
    { SLUICE_FOOTER: 'x javascript:alert(1)' },
    { SLUICE_ACCENT: 'red' },
    { SLUICE_QUOTA: '5' },
    { SLUICE_MAX_UPLOAD: '0' },
    { SLUICE_SIGNUP: 'maybe' },
    { SLUICE_ORIGIN: 'https://elsewhere.example' },
    { SLUICE_SECRET: 'x'.repeat(40) },
    { SLUICE_OVERRIDES: 'off' },
    { SLUICE_WEBHOOK_PRIVATE: 'on' },
    { DATABASE_URL: 'postgres://elsewhere/x' },
    { constructor: 'x' },
  ])('is refused as in the environment, and nothing is stored: %j', async (change) => {
    const call: Promise<unknown> = site(root).update({ version: 0, change: { SLUICE_GALLERY: 'on', ...change } })
    expect((await catchFailure(call)).code).toBe('BAD_REQUEST')
    expect(await served.app.db.siteSettings.count()).toBe(0)
    expect(served.app.site.read().gallery).toBe(false)
  })

  it('is refused in an input with more fields', async () => {
    const call: Promise<unknown> = Reflect.apply(site(root).update, null, [
      { version: 0, change: {}, role: 'superadmin' },
    ])
    expect((await catchFailure(call)).code).toBe('BAD_REQUEST')
  })
})

describe('two superadmins', () => {
  it('never overwrite each other unseen', async () => {
    const { version } = await site(second).settings()
    await site(root).update({ version, change: { SLUICE_NAME: 'One' } })
    expect(await catchFailure(site(second).update({ version, change: { SLUICE_NAME: 'Two' } }))).toEqual({
      code: 'CONFLICT',
      message: 'The settings were changed in the meantime. Nothing was saved.',
    })
    expect(served.app.site.read().name).toBe('One')
    await update({ SLUICE_NAME: 'Two' }, second)
    expect(served.app.site.read().name).toBe('Two')
  })

  it('at the same time: exactly one succeeds', async () => {
    const all = Array.from({ length: 8 }, (_, n) =>
      site(n % 2 ? root : second).update({ version: 0, change: { SLUICE_NAME: `Name ${n}` } }),
    )
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('the URL of a webhook', () => {
  const secret = { SLUICE_WEBHOOK: 'http://9.9.9.9/s3cret' }

  it('is in force at once, and its path is not in the audit log', async () => {
    await served.app.db.auditEntry.deleteMany()
    await update({ ...secret, SLUICE_NAME: 'Bilder' })
    expect(served.app.webhook.target).toMatchObject({ url: secret.SLUICE_WEBHOOK })
    const select = { action: true, actorName: true, before: true, after: true }
    expect(await served.app.db.auditEntry.findMany({ select })).toEqual([
      {
        ...{ action: 'site.update', actorName: root.viewer.username, before: {} },
        after: { SLUICE_NAME: 'Bilder', SLUICE_WEBHOOK: 'http://9.9.9.9/…' },
      },
    ])
    await update({ SLUICE_WEBHOOK: null })
    expect(served.app.webhook.target).toBeNull()
  })

  it('is for superadmins', async () => {
    await update(secret)
    expect((await site(admin).settings()).texts.SLUICE_WEBHOOK).toBe('http://9.9.9.9/…')
    expect((await site(root).settings()).texts.SLUICE_WEBHOOK).toBe(secret.SLUICE_WEBHOOK)
    expect(JSON.stringify([await site(null).public(), await served.as(admin).account.me()])).not.toContain('9.9.9.9')
  })
})

test('a change that cannot be audited is not made', async () => {
  const { db } = served.app
  await db.$executeRaw`ALTER TABLE "AuditEntry" ADD CONSTRAINT shut CHECK (action <> 'site.update') NOT VALID`
  await expect(update({ SLUICE_NAME: 'Other' })).rejects.toThrow()
  await db.$executeRaw`ALTER TABLE "AuditEntry" DROP CONSTRAINT shut`
  expect(await db.siteSettings.count()).toBe(0)
  expect(served.app.site.read().name).toBe('Sluice')
})

describe('a setting that would stop its owner', () => {
  it('is refused: a quota of 0', async () => {
    expect(await catchFailure(update({ SLUICE_QUOTA: '0' }))).toEqual({
      code: 'BAD_REQUEST',
      message: 'With a quota of 0 nobody could upload. Leave it empty for no quota.',
    })
  })

  it('is refused: an upload larger than a limit in force allows', async () => {
    const { limits } = served.as(root)
    const target = { kind: 'all' } as const
    const override = { ruleSet: 'upload-bytes', target }
    await limits.override({ ...override, terms: { rules: [{ limit: '30MB', window: '1d' }] } })
    expect(await catchFailure(update({ SLUICE_MAX_UPLOAD: '31MB' }))).toEqual({
      code: 'BAD_REQUEST',
      message: 'upload-bytes: the largest upload, 31 MiB, would always exceed 30 MiB per day.',
    })
    await update({ SLUICE_MAX_UPLOAD: '30MB' })
    await limits.clear(override)
  })

  it.each([
    ['http://127.0.0.1/x', '127.0.0.1'],
    ['http://[::1]/x', '::1'],
    ['http://169.254.169.254/latest', '169.254.169.254'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://[::ffff:10.0.0.1]/', '::ffff:a00:1'],
    ['http://10.1.2.3/', '10.1.2.3'],
  ])('is refused: a webhook at %s', async (url, address) => {
    expect(await catchFailure(update({ SLUICE_WEBHOOK: url }))).toEqual({
      code: 'BAD_REQUEST',
      message: `${address} is not a public address. Set SLUICE_WEBHOOK_PRIVATE=on to allow a webhook on a private network.`,
    })
  })
})
