import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { HIDDEN, hasEndedPassword, openTexts, sealTexts } from './secret-settings.ts'

const PASSWORD = 'the password of the mail server'
const SERVER = 'smtp://ada@mail.example.org'
const given = { SLUICE_MAIL_SERVER: SERVER, SLUICE_MAIL_FROM: 'sluice@example.org' }

let served: TestApp
let root: Person
beforeAll(async () => {
  served = await startApp()
  root = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

const site = (person = root) => served.as(person).site
const update = async (change: Record<string, string | null>) => {
  const { version } = await site().settings()
  return site().update({ version, change })
}
const inForce = () => served.app.site.read().mail?.password

test('the password is sent, and shown to nobody: not in answers, the database or the audit', async () => {
  const view = await update({ ...given, SLUICE_MAIL_PASSWORD: PASSWORD })
  expect(inForce()).toBe(PASSWORD)
  expect(view).toMatchObject({ texts: { ...given, SLUICE_MAIL_PASSWORD: HIDDEN }, hasEndedMailPassword: false })
  const admin = await served.person({ role: 'admin' })
  const { db } = served.app
  const seen = [
    view,
    await site().settings(),
    await site(admin).settings(),
    await served.as(null).site.public(),
    await served.as(root).account.me(),
    await db.siteSettings.findMany(),
    await db.auditEntry.findMany({ omit: { id: true } }),
  ]
  expect(JSON.stringify(seen)).not.toContain(PASSWORD)
  const [entry] = await db.auditEntry.findMany({ where: { action: 'site.update' }, orderBy: { id: 'desc' } })
  expect(entry?.after).toMatchObject({ changesMailPassword: true, SLUICE_MAIL_SERVER: SERVER })
})

test('it goes to the server and the user that it was entered for alone', async () => {
  await update({ SLUICE_MAIL_SERVER: 'smtp://ada@attacker.example' })
  expect(inForce()).toBeNull()
  expect(await site().settings()).toMatchObject({ hasEndedMailPassword: true })
  await update({ SLUICE_MAIL_SERVER: SERVER })
  expect(inForce()).toBe(PASSWORD)
  await update({ SLUICE_MAIL_PASSWORD: null })
  expect(await site().settings()).toMatchObject({ texts: given, hasEndedMailPassword: false })
})

test('what is shown in its place is no password', async () => {
  await expect(update({ SLUICE_MAIL_PASSWORD: HIDDEN })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('it opens with the secret that sealed it, and another is said to have ended it', () => {
  const [one, other] = [{ secret: 'one secret' }, { secret: 'another secret' }]
  const stored = sealTexts(one, given, {}, PASSWORD)
  expect(openTexts(one, stored, {}).SLUICE_MAIL_PASSWORD).toBe(PASSWORD)
  expect(openTexts(other, stored, {})).toEqual(given)
  expect([one, other, null].map((secret) => hasEndedPassword(secret, stored, {}))).toEqual([false, true, true])
  const environment = { SLUICE_MAIL_PASSWORD: 'x' }
  expect(openTexts(other, stored, environment).SLUICE_MAIL_PASSWORD).toBe('x')
  expect(hasEndedPassword(other, stored, environment)).toBe(false)
  expect(hasEndedPassword(other, given, {})).toBe(false)
})
