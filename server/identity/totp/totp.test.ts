import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentCode, insertTrusted } from '#testing/accounts/second-factor.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let root: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
})
afterAll(() => test[Symbol.asyncDispose]())

let person: Person
let userId: string
beforeEach(async () => {
  person = await test.person()
  userId = person.viewer.userId
})

const identity = () => test.as(person).identity

/** Sets up an app, and returns its secret and the recovery codes. */
async function setUpApp(of = person) {
  const { secret, setUp } = await test.as(of).identity.beginTotp()
  const { recoveryCodes } = await test.as(of).identity.confirmTotp({ setUp, code: currentCode(secret) })
  return { secret, setUp, recoveryCodes }
}

async function setRule(rule: 'off' | 'offered' | 'required-all') {
  const { version } = await test.as(root).site.settings()
  await test.as(root).site.update({ version, change: { SLUICE_SECOND_FACTOR: rule } })
}

const activity = async () => (await test.as(person).audit.mine()).items.map(({ action }) => action)

describe('an authenticator app', () => {
  it('counts from its first right code on, and comes with ten recovery codes', async () => {
    const { secret, uri, setUp } = await identity().beginTotp()
    expect(uri).toContain(secret)
    expect(await test.app.db.totpFactor.count({ where: { userId } })).toBe(0)
    await expect(identity().confirmTotp({ setUp, code: '12345' })).rejects.toMatchObject({
      cause: { reason: 'wrong-second-step' },
    })
    expect((await identity().show()).app).toBeNull()
    const { recoveryCodes } = await identity().confirmTotp({ setUp, code: currentCode(secret) })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await identity().show()).toMatchObject({
      factors: { totp: true, recoveryCodes: 10 },
      app: { hasEnded: false },
    })
    const { sealedSecret } = await test.app.db.totpFactor.findUniqueOrThrow({ where: { userId } })
    expect(sealedSecret).not.toContain(secret)
    expect(await activity()).toContain('account.setUpTotp')
  })

  it.each([
    [5, 'totp-clock-ahead'],
    [-5, 'totp-clock-behind'],
  ])('is not set up with a clock that is %i minutes off, and the error says so', async (minutes, code) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { secret, setUp } = await identity().beginTotp()
    const wrong = identity().confirmTotp({ setUp, code: currentCode(secret, Date.now() + minutes * 60_000) })
    await expect(wrong).rejects.toMatchObject({ cause: { text: { code, params: { minutes: 5 } } } })
  })

  it('is set up in one of two browsers, and the other is told', async () => {
    const [first, second] = [await identity().beginTotp(), await identity().beginTotp()]
    await identity().confirmTotp({ setUp: first.setUp, code: currentCode(first.secret) })
    const codes = await test.app.db.recoveryCode.findMany({ where: { userId } })
    const late = identity().confirmTotp({ setUp: second.setUp, code: currentCode(second.secret) })
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT', cause: { reason: 'totp-begin-again' } })
    expect(await test.app.db.recoveryCode.findMany({ where: { userId } })).toEqual(codes)
  })

  it('is set up once by concurrent confirmations', async () => {
    const begun = await Promise.all([identity().beginTotp(), identity().beginTotp(), identity().beginTotp()])
    const outcomes = await Promise.allSettled(
      begun.map(({ setUp, secret }) => identity().confirmTotp({ setUp, code: currentCode(secret) })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('is replaced by another, with new recovery codes', async () => {
    const old = await setUpApp()
    const next = await setUpApp()
    expect(next.secret).not.toBe(old.secret)
    const again = identity().confirmTotp({ setUp: old.setUp, code: currentCode(old.secret) })
    await expect(again).rejects.toMatchObject({ cause: { reason: 'totp-begin-again' } })
    expect(await test.app.db.recoveryCode.count({ where: { userId } })).toBe(10)
  })

  it('is not set up by what another account began, or half an hour later', async () => {
    const other = await test.person()
    const { setUp, secret } = await test.as(other).identity.beginTotp()
    const foreign = identity().confirmTotp({ setUp, code: currentCode(secret) })
    await expect(foreign).rejects.toMatchObject({ cause: { reason: 'totp-begin-again' } })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 31 * 60_000 })
    const early = await identity().beginTotp()
    vi.useRealTimers()
    const late = identity().confirmTotp({ setUp: early.setUp, code: currentCode(early.secret) })
    await expect(late).rejects.toMatchObject({ cause: { reason: 'totp-begin-again' } })
  })

  it('is removed with all that stood in for it', async () => {
    await setUpApp()
    await insertTrusted(test, person)
    await identity().removeTotp()
    expect(await identity().show()).toMatchObject({ factors: { totp: false, recoveryCodes: 0 }, app: null })
    expect((await identity().trustedDevices()).items).toEqual([])
    await expect(identity().removeTotp()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(identity().remakeRecoveryCodes()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await activity()).toContain('account.removeTotp')
  })

  it('is not removed where the site requires it, and none is set up where the site offers none', async () => {
    await setUpApp()
    await setUpApp(root)
    await setRule('required-all')
    await expect(identity().removeTotp()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await setRule('off')
    await expect(identity().beginTotp()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await identity().removeTotp()
    await setRule('offered')
  })

  it('that was sealed with another secret of the site has ended', async () => {
    await setUpApp()
    const { sealedSecret } = await test.app.db.totpFactor.findUniqueOrThrow({ where: { userId } })
    await test.app.db.totpFactor.update({
      where: { userId },
      data: { sealedSecret: `${sealedSecret.slice(0, -4)}AAAA` },
    })
    expect((await identity().show()).app?.hasEnded).toBe(true)
  })
})

describe('recovery codes', () => {
  it('are made again on request, and those before end', async () => {
    const { recoveryCodes } = await setUpApp()
    const next = await identity().remakeRecoveryCodes()
    expect(next.recoveryCodes.filter((code) => recoveryCodes.includes(code))).toEqual([])
    expect((await identity().show()).factors.recoveryCodes).toBe(10)
  })
})

describe('a trusted browser', () => {
  it('is listed until its trust ends, and ended once', async () => {
    const id = await insertTrusted(test, person)
    const { items } = await identity().trustedDevices()
    expect(items).toMatchObject([{ id, userAgent: 'a browser', address: '192.0.2.9' }])
    await identity().untrustDevice({ id })
    expect((await identity().trustedDevices()).items).toEqual([])
    await expect(identity().untrustDevice({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await test.app.db.device.count({ where: { id } })).toBe(1)
  })
})
