import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import type { GuestForm } from '#server/http/pages/forms/guest-form.ts'
import { currentCode } from '#testing/accounts/second-factor.ts'
import { outcomeOf, postForm, toCookie } from '#testing/http/post-form.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { sealSecret } from '../seal.ts'
import { createRecoveryCodes } from './recovery.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const PASSWORD = 'a password of one’s own'

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

let person: Person
let userId: string
let codes: readonly string[]
let address: string
beforeEach(async () => {
  person = await test.person({ password: PASSWORD })
  userId = person.viewer.userId
  codes = await giveFactor(userId)
  address = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
})

/** Gives the account an authenticator app and recovery codes, as if it had set them up. */
async function giveFactor(id: string) {
  const sealedSecret = sealSecret(test.app.config, SECRET, `totp/${id}`)
  await test.app.db.totpFactor.create({ data: { userId: id, sealedSecret } })
  return test.app.db.$transaction((tx) => createRecoveryCodes(tx, id))
}

/** Posts a form as a browser with this Cookie header. */
const post = (form: GuestForm, cookie?: string) => postForm(test, form, { address, cookie })

/** Takes the first step. Returns the Cookie header that the browser then has. */
async function first({ viewer }: Person = person, cookie?: string) {
  const outcome = await post({ kind: 'sign-in', username: viewer.username, password: PASSWORD }, cookie)
  if (outcome.outcome === 'failed') return expect.unreachable(outcome.failure.message)
  const kept = toCookie(outcome.cookies)
  return { outcome: outcome.outcome, headers: outcome.cookies, cookie: cookie ? `${cookie}; ${kept}` : kept }
}

const second = (answer: string, cookie: string | undefined, more: { trusts?: boolean; method?: string } = {}) =>
  post({ kind: 'verify', method: 'recovery', trusts: false, ...more, answer }, cookie)

const sessions = () => test.app.db.session.count({ where: { userId, userAgent: 'a browser' } })

describe('a sign-in to an account with a second factor', () => {
  it('opens no session by the password alone', async () => {
    const { outcome, headers, cookie } = await first()
    expect([outcome, headers.length, await sessions()]).toEqual(['second-step', 1, 0])
    expect(headers[0]).toMatch(/^sluice\.second-step=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain(userId)
    expect(await test.app.findViewer({ cookie })).toBeNull()
  })

  it('opens one by the second step, and ends the pending sign-in', async () => {
    const { cookie } = await first()
    const outcome = await second(codes[0] ?? '', cookie)
    if (outcome.outcome !== 'done') return expect.unreachable(outcome.outcome)
    expect((await test.app.findViewer({ cookie: toCookie(outcome.cookies) }))?.userId).toBe(userId)
    expect(outcome.cookies.at(-1)).toMatch(/^sluice\.second-step=; Path=\/; Max-Age=0/)
    expect(await outcomeOf(second(codes[1] ?? '', cookie))).toBe('sign-in-expired')
    expect(await sessions()).toBe(1)
  })

  it('takes a code once, however it is typed, and records it', async () => {
    const code = codes[3] ?? ''
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `
    expect(await outcomeOf(second(typed, (await first()).cookie))).toBe('done')
    expect(await outcomeOf(second(code, (await first()).cookie))).toBe('wrong-second-step')
    const { items } = await test.as(person).audit.mine()
    const used = items.find(({ action }) => action === 'account.useRecoveryCode')
    expect([used?.before, used?.after]).toEqual([{ codesLeft: 10 }, { codesLeft: 9 }])
  })

  it('opens one session for concurrent answers, and uses up one code', async () => {
    const { cookie } = await first()
    const outcomes = await Promise.all(codes.slice(0, 4).map((code) => outcomeOf(second(code, cookie))))
    expect(outcomes.toSorted()).toEqual(['done', ...Array(3).fill('sign-in-expired')])
    expect(await sessions()).toBe(1)
    expect(await test.app.db.recoveryCode.count({ where: { userId, usedAt: { not: null } } })).toBe(1)
  })

  it('goes on after a wrong answer, which is recorded as a failed sign-in', async () => {
    const { cookie } = await first()
    expect(await outcomeOf(second('0000-0000-0000-0000', cookie))).toBe('wrong-second-step')
    expect(await outcomeOf(second('', cookie))).toBe('wrong-second-step')
    expect(await outcomeOf(second(codes[0] ?? '', cookie, { method: 'none such' }))).toBe('wrong-second-step')
    expect(await outcomeOf(second(codes[0] ?? '', cookie))).toBe('done')
    await test.app.failedSignIns.flush()
    const { items } = await test.as(person).audit.mine()
    const failed = items.filter(({ action }) => action === 'account.signInFailed')
    expect(failed.map(({ after, times }) => [after, times])).toEqual([[{ outcome: 'wrong-second-step' }, 2]])
  })

  it('is of one account and one browser', async () => {
    const other = await test.person({ password: PASSWORD })
    await giveFactor(other.viewer.userId)
    const { cookie } = await first()
    expect(await outcomeOf(second(codes[0] ?? '', (await first(other)).cookie))).toBe('wrong-second-step')
    for (const foreign of [undefined, '', 'sluice.second-step=', `sluice.second-step=${userId}`, cookie.slice(0, -2)])
      expect(await outcomeOf(second(codes[0] ?? '', foreign))).toBe('sign-in-expired')
    expect(await outcomeOf(second(codes[0] ?? '', cookie))).toBe('done')
  })

  it.each<readonly [string, () => Promise<unknown>]>([
    ['ten minutes pass', () => test.app.db.pendingSignIn.updateMany({ data: { expiresAt: new Date() } })],
    ['the account is banned', async () => test.as(await test.person({ role: 'superadmin' })).user.ban({ id: userId })],
    ['its owner signs out everywhere', () => test.as(person).account.signOutEverywhere()],
    [
      'the password changes',
      () => test.as(person).account.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }),
    ],
  ])('has to begin again when %s', async (_, end) => {
    const { cookie } = await first()
    await end()
    expect(await outcomeOf(second(codes[0] ?? '', cookie))).toBe('sign-in-expired')
    expect(await sessions()).toBe(0)
  })

  it('is refused after twenty wrong answers from its address, and not elsewhere', async () => {
    const { cookie } = await first()
    for (let at = 0; at < 20; at += 1) await second('wrong', cookie)
    expect(await outcomeOf(second(codes[0] ?? '', cookie))).toBe('TOO_MANY_REQUESTS')
    address = '203.0.113.200'
    expect(await outcomeOf(second(codes[0] ?? '', cookie))).toBe('done')
  })

  it('is asked for none by a shared account', async () => {
    await test.app.db.user.update({ where: { id: userId }, data: { shared: true } })
    expect((await first()).outcome).toBe('done')
  })

  it('is asked for in every other way in: next-auth and programs, and a link that sets the password', async () => {
    const { username } = person.viewer
    const program = await signIn(test.app, { username, password: PASSWORD, address, userAgent: '' })
    expect(program).toMatchObject({ outcome: 'second-step', methods: ['totp', 'recovery'] })
    const root = test.as(await test.person({ role: 'superadmin' }))
    const link = (await root.user.resetPassword({ id: userId })).url.split('/').at(-1) ?? ''
    const repeated = `${PASSWORD} of now`
    expect(await outcomeOf(post({ kind: 'password', link, password: repeated, repeated }))).toBe('second-step')
    expect(await sessions()).toBe(0)
  })
})

describe('a code of an authenticator app', () => {
  const codeIn = (minutes: number) => currentCode(SECRET, Date.now() + minutes * 60_000)
  const enter = async (answer: string, cookie?: string) =>
    second(answer, cookie ?? (await first()).cookie, { method: 'totp' })

  it('is taken once: not again, and by one of two at the same time', async () => {
    const code = codeIn(0)
    const cookies = [(await first()).cookie, (await first()).cookie]
    const outcomes = await Promise.all(cookies.map((cookie) => outcomeOf(enter(code, cookie))))
    expect(outcomes.toSorted()).toEqual(['done', 'wrong-second-step'])
    expect(await outcomeOf(enter(code))).toBe('wrong-second-step')
    expect(await sessions()).toBe(1)
  })

  it('may be one step early or late, and none before the last one is taken', async () => {
    expect(await outcomeOf(enter(codeIn(0.5)))).toBe('done')
    expect(await outcomeOf(enter(codeIn(-0.5)))).toBe('wrong-second-step')
  })

  it('that is old says that a clock may be behind, and none says when it will be right', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const textOf = async (minutes: number) => {
      const outcome = await enter(codeIn(minutes))
      return outcome.outcome === 'failed' ? outcome.failure.data.text : outcome.outcome
    }
    expect(await textOf(-4)).toEqual({ code: 'totp-clock-behind', params: { minutes: 4 } })
    expect(await textOf(4)).toEqual({ code: 'wrong-totp', params: {} })
    expect(await sessions()).toBe(0)
  })

  it('is refused after ten guesses from anywhere, but not on a known device, and recovery codes go on', async () => {
    const outcome = await second(codes[0] ?? '', (await first()).cookie)
    const device = outcome.outcome === 'done' ? toCookie(outcome.cookies.slice(1, 2)) : ''
    const { cookie } = await first()
    for (let at = 0; at < 10; at += 1) {
      address = `203.0.113.${at}`
      expect(await outcomeOf(enter('000 000', cookie))).toBe('wrong-second-step')
    }
    address = '203.0.113.99'
    expect(await outcomeOf(enter(codeIn(0), cookie))).toBe('TOO_MANY_REQUESTS')
    expect(await outcomeOf(second(codes[1] ?? '', cookie))).toBe('done')
    expect(await outcomeOf(enter(codeIn(0), (await first(person, device)).cookie))).toBe('done')
  })

  it('of an app that was sealed with another secret of the site says so, and a recovery code works', async () => {
    const sealedSecret = sealSecret({ secret: 'another secret' }, SECRET, `totp/${userId}`)
    await test.app.db.totpFactor.update({ where: { userId }, data: { sealedSecret } })
    const { cookie } = await first()
    expect(await outcomeOf(enter(codeIn(0), cookie))).toBe('totp-ended')
    expect(await outcomeOf(second(codes[0] ?? '', cookie))).toBe('done')
  })
})

describe('a trusted device', () => {
  it('needs no second step for 30 days, and is trusted only by choice', async () => {
    const trust = async (trusts: boolean) => {
      const { cookie } = await first()
      const outcome = await second(codes[trusts ? 0 : 1] ?? '', cookie, { trusts })
      return outcome.outcome === 'done' ? toCookie(outcome.cookies.slice(0, 2)) : expect.unreachable(outcome.outcome)
    }
    expect((await first(person, await trust(false))).outcome).toBe('second-step')
    const cookie = await trust(true)
    expect((await first(person, cookie)).outcome).toBe('done')
    const [device] = await test.app.db.device.findMany({ where: { userId, trustedUntil: { not: null } } })
    expect([device?.userAgent, device?.address]).toEqual(['a browser', address])
    await test.app.db.device.updateMany({ where: { userId }, data: { trustedUntil: new Date() } })
    expect((await first(person, cookie)).outcome).toBe('second-step')
  })

  it('is trusted by its own account only, and until the sessions are ended', async () => {
    const { cookie: pending } = await first()
    const outcome = await second(codes[0] ?? '', pending, { trusts: true })
    const cookie = outcome.outcome === 'done' ? toCookie(outcome.cookies.slice(0, 2)) : ''
    const other = await test.person({ password: PASSWORD })
    await giveFactor(other.viewer.userId)
    expect((await first(other, cookie)).outcome).toBe('second-step')
    await test.as(person).account.signOutEverywhere()
    expect((await first(person, cookie)).outcome).toBe('second-step')
  })
})
