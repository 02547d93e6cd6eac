import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { FairQueue } from '#server/turns/fair-queue.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { createDeviceCookie, MAX_DEVICES, rememberDevice } from './devices.ts'
import { signIn } from './sign-in.ts'

const PASSWORD = 'a password of one’s own'
const ADDRESS = '203.0.113.1'
const GUESTS = ['networks', '203.0.113.0/24', ADDRESS]

let served: TestApp
beforeAll(async () => {
  served = await startApp()
})
afterAll(() => served[Symbol.asyncDispose]())

let person: Person
let userId: string
beforeEach(async () => {
  person = await served.person({ password: PASSWORD })
  userId = person.viewer.userId
  await served.app.db.device.deleteMany()
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Signs in, and returns whose turn the password check took, and the Cookie header that the browser keeps. */
async function signInAs({ viewer }: Person, cookie?: string) {
  const run = vi.spyOn(FairQueue.prototype, 'run')
  const form = { username: viewer.username, password: PASSWORD, address: ADDRESS, userAgent: 'test', cookie }
  const outcome = await signIn(served.app, form)
  const lane = run.mock.lastCall?.[0].lane
  run.mockRestore()
  if (outcome.outcome !== 'signed-in') return expect.unreachable(outcome.outcome)
  return { lane, cookie: outcome.deviceCookie.split(';', 1)[0] ?? '' }
}

const deviceIds = async () =>
  (await served.app.db.device.findMany({ where: { userId }, select: { id: true } })).map(({ id }) => id)

describe('a device', () => {
  test('takes turns of its own once it has signed in, and stays the same device', async () => {
    const first = await signInAs(person)
    expect(first.lane).toEqual(GUESTS)
    const [id] = await deviceIds()
    const second = await signInAs(person, `a=b; ${first.cookie}; c=d`)
    expect(second.lane).toEqual(['accounts', userId, id])
    expect((await signInAs(person, second.cookie)).lane).toEqual(['accounts', userId, id])
    expect(await deviceIds()).toEqual([id])
    const { createdAt, lastUsedAt, expiresAt } = await served.app.db.device.findFirstOrThrow()
    expect(lastUsedAt.getTime()).toBeGreaterThan(createdAt.getTime())
    expect(expiresAt.getTime() - lastUsedAt.getTime()).toBe(180 * 24 * 60 * 60 * 1_000)
  })

  test('is known to its own account only', async () => {
    const { cookie } = await signInAs(person)
    const other = await served.person({ password: PASSWORD })
    expect((await signInAs(other, cookie)).lane).toEqual(GUESTS)
  })

  test.each([
    ['changed', (cookie: string) => `${cookie.slice(0, -2)}AA`],
    ['empty', () => 'sluice.device='],
    ['not sealed by this site', (cookie: string) => signedElsewhere(cookie)],
  ])('is not known by a cookie that is %s', async (_, change) => {
    const { cookie } = await signInAs(person)
    expect((await signInAs(person, change(cookie))).lane).toEqual(GUESTS)
  })

  test('is not known half a year after its last sign-in', async () => {
    const { cookie } = await signInAs(person)
    await served.app.db.device.updateMany({ data: { expiresAt: new Date() } })
    expect((await signInAs(person, cookie)).lane).toEqual(GUESTS)
  })

  test.each([
    ['the owner signs out everywhere', () => served.as(person).account.signOutEverywhere()],
    ['the owner changes the password, and changes it back', () => changePasswordTwice()],
    ['the account is banned, and the ban is lifted', () => banAndUnban()],
  ])('is forgotten when %s', async (_, revoke) => {
    const { cookie } = await signInAs(person)
    await revoke()
    expect(await deviceIds()).toEqual([])
    expect((await signInAs(person, cookie)).lane).toEqual(GUESTS)
  })

  test('takes turns with everybody else after five sign-ins in a minute, and is never refused', async () => {
    let { cookie } = await signInAs(person)
    const lanes: unknown[] = []
    for (let at = 0; at < 7; at += 1) {
      const next = await signInAs(person, cookie)
      cookie = next.cookie
      lanes.push(next.lane?.[0])
    }
    expect(lanes).toEqual([...Array(5).fill('accounts'), ...Array(2).fill('networks')])
  })
})

const signedElsewhere = (cookie: string): string => {
  const site = { origin: served.origin, secret: 'another secret' }
  return createDeviceCookie(site, { userId, deviceId: cookie.slice(0, 36) }).split(';', 1)[0] ?? ''
}

async function changePasswordTwice() {
  const { account } = served.as(person)
  await account.changePassword({ currentPassword: PASSWORD, newPassword: 'quite another password' })
  await account.changePassword({ currentPassword: 'quite another password', newPassword: PASSWORD })
}

async function banAndUnban() {
  const root = served.as(await served.person({ role: 'superadmin' }))
  await root.user.ban({ id: userId })
  await root.user.unban({ id: userId })
}

test('beyond the most devices of an account, those that signed in only once are forgotten first', async () => {
  const { db } = served.app
  const remember = (id: string | null, at: number) =>
    db.$transaction((tx) => {
      const client = { userId, deviceId: id, userAgent: 'test', address: ADDRESS }
      return rememberDevice(tx, client, new Date(Date.UTC(2100, 0, 1, 0, 0, at)))
    })
  await db.device.deleteMany()
  const kept = await remember(null, 0)
  await remember(kept, 1)
  const once: string[] = []
  for (let at = 2; at < MAX_DEVICES + 3; at += 1) once.push(await remember(null, at))
  expect((await deviceIds()).toSorted()).toEqual([kept, ...once.slice(2)].toSorted())
})

test('the cookie is sent with sign-ins only, and hidden from scripts; over https it needs https', () => {
  const device = { userId, deviceId: crypto.randomUUID() }
  const plain = createDeviceCookie({ origin: 'http://localhost:3000', secret: 'x' }, device)
  expect(plain).toMatch(/^sluice\.device=[\w-]+; Path=\/api\/auth; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
  const secure = createDeviceCookie({ origin: 'https://images.example.org', secret: 'x' }, device)
  expect(secure).toMatch(/^__Secure-sluice\.device=[\w-]+; .*; SameSite=Lax; Secure$/)
  expect(plain).not.toContain(userId)
})
