import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { declaredRoutes } from '#server/http/declared-routes.ts'
import { createPageBridge } from '#server/http/pages/page-bridge.ts'
import { resetPassword } from '#testing/accounts/reset-password.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { hashPassword, MAX_RUNNING, MAX_WAITING } from '../passwords.ts'
import { openSession } from './sessions.ts'
import { signIn } from './sign-in.ts'

const PASSWORD = 'a password of one’s own'
let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

const attempt = (username: string, password: string, address = '203.0.113.1') =>
  signIn(test.app, { username, password, address, userAgent: 'test' })

describe('a sign-in', () => {
  it('opens a new session each time, whatever the case of the name', async () => {
    const { viewer } = await test.person({ password: PASSWORD })
    const first = await attempt(viewer.username.toUpperCase(), PASSWORD)
    const second = await attempt(viewer.username, PASSWORD)
    if (first.outcome !== 'signed-in' || second.outcome !== 'signed-in') return expect.unreachable()
    expect(first.userId).toBe(viewer.userId)
    expect(new Set([first.sessionId, second.sessionId, viewer.sessionId]).size).toBe(3)
  })

  it('fails alike for an unknown name, a wrong password, and a wrong password of a banned account', async () => {
    const { viewer } = await test.person({ password: PASSWORD })
    const banned = await test.person({ password: PASSWORD })
    await test.app.db.user.update({ where: { id: banned.viewer.userId }, data: { bannedAt: new Date() } })
    const answers = [
      await attempt(viewer.username, 'not the password', '203.0.113.2'),
      await attempt('nobody-here', PASSWORD, '203.0.113.2'),
      await attempt(banned.viewer.username, 'not the password', '203.0.113.2'),
      await attempt('', '', '203.0.113.2'),
    ]
    expect(answers).toEqual(Array(4).fill({ outcome: 'wrong' }))
  })

  it('tells the owner of a banned account why, after the right password', async () => {
    const owner = await test.person({ role: 'superadmin' })
    const { viewer } = await test.person({ password: PASSWORD })
    const bridge = createPageBridge(test.app)
    const enter = (password: string) =>
      bridge.signIn({ username: viewer.username, password, address: '203.0.113.9', userAgent: 'test' })
    await test.as(owner).user.ban({ id: viewer.userId, reason: ' Spam\u202e,\nagain ' })
    expect(await enter(PASSWORD)).toEqual({
      outcome: 'refused',
      status: 403,
      headers: {},
      body: { error: 'Banned', message: 'This account has been banned. Reason: Spam, again', reason: 'Spam, again' },
    })
    expect(await enter('not the password')).toEqual({ outcome: 'wrong' })
    await test.as(owner).user.ban({ id: viewer.userId })
    expect(await enter(PASSWORD)).toMatchObject({ body: { reason: null } })
    await test.as(owner).user.unban({ id: viewer.userId })
    expect(await enter(PASSWORD)).toMatchObject({ outcome: 'signed-in' })
  })

  it('is counted under the names of its listed rule sets', async () => {
    const { viewer } = await test.person({ password: PASSWORD })
    const form = { username: viewer.username, password: PASSWORD, address: '203.0.113.3', userAgent: 'test' }
    const first = await signIn(test.app, form)
    if (first.outcome !== 'signed-in') return expect.unreachable()
    using reserve = vi.spyOn(test.app.limiter, 'reserve')
    await signIn(test.app, { ...form, cookie: first.deviceCookie.split(';', 1)[0] })
    const counted = reserve.mock.calls.map(([requests, { label } = {}]) => [
      label,
      requests.flatMap(({ sets }) => sets),
    ])
    const listed = declaredRoutes.filter(({ label }) => label.startsWith('sign-in ('))
    expect(counted).toEqual(listed.map(({ label, sets }) => [label, sets]))
  })

  it('is refused after ten failures a minute per account and address, whether the account exists or not', async () => {
    const { viewer } = await test.person({ password: PASSWORD })
    for (const username of [viewer.username, 'nobody-at-all']) {
      const address = `198.51.100.${username.length}`
      for (let at = 0; at < 10; at += 1) expect(await attempt(username, 'guess', address)).toEqual({ outcome: 'wrong' })
      const refused = await attempt(username, PASSWORD, address)
      if (refused.outcome !== 'limited') return expect.unreachable()
      expect(refused.decision.refusedBy).toMatchObject({ policy: 'sign-in-1m', limit: 10 })
    }
    expect((await attempt(viewer.username, PASSWORD, '198.51.100.200')).outcome).toBe('signed-in')
  })

  it('with the right password is never charged, and does not clear earlier failures', async () => {
    const { viewer } = await test.person({ password: PASSWORD })
    const from = (password: string) => attempt(viewer.username, password, '198.51.100.210')
    for (let at = 0; at < 12; at += 1) expect((await from(PASSWORD)).outcome).toBe('signed-in')
    for (let at = 0; at < 9; at += 1) expect((await from('guess')).outcome).toBe('wrong')
    expect((await from(PASSWORD)).outcome).toBe('signed-in')
    expect((await from('guess')).outcome).toBe('wrong')
    expect((await from(PASSWORD)).outcome).toBe('limited')
  })

  it('is charged in advance, so that concurrent guesses are refused too', async () => {
    const { viewer } = await test.person({ password: PASSWORD })
    const guesses = Array.from({ length: 14 }, () => attempt(viewer.username, 'guess', '198.51.100.211'))
    const outcomes = (await Promise.all(guesses)).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual([...Array(4).fill('limited'), ...Array(10).fill('wrong')])
  })

  it('stays charged if the server is busy', async () => {
    // Those that wait are each in a network of its own, so that none has more waiting than the next attempt has.
    const flood = new AbortController()
    const queue = Array.from({ length: MAX_WAITING + MAX_RUNNING }, (_, at) =>
      hashPassword(PASSWORD, { lane: ['networks', `${at}`, ''], signal: flood.signal }),
    )
    // Synchronously, so that no hash finishes before all are refused.
    const attempts = Array.from({ length: 11 }, () => attempt('', PASSWORD, '198.51.100.212'))
    const outcomes = (await Promise.all(attempts)).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual([...Array(10).fill('busy'), 'limited'])
    expect((await attempt('', PASSWORD, '198.51.100.212')).outcome).toBe('limited')
    flood.abort()
    await Promise.allSettled(queue)
  })

  it('is delayed but not refused for an account that is attacked from many addresses', async () => {
    const { viewer } = await test.person({ password: PASSWORD })
    for (let at = 0; at < 30; at += 1) await attempt(viewer.username, 'guess', `192.0.2.${at}`)
    const slept: number[] = []
    const attempt31 = { username: viewer.username, password: PASSWORD, address: '192.0.2.99', userAgent: 'test' }
    const { outcome } = await signIn(test.app, attempt31, async (ms) => slept.push(ms))
    expect(outcome).toBe('signed-in')
    // The successful sign-in has not cleared the guesses.
    await signIn(test.app, attempt31, async (ms) => slept.push(ms))
    expect(slept).toEqual([5_000, 5_000])
  })

  it('opens no session if the password has changed since it was checked', async () => {
    const owner = await test.person({ role: 'superadmin' })
    const { viewer } = await test.person({ password: PASSWORD })
    const { passwordHash } = await test.app.db.user.findUniqueOrThrow({ where: { id: viewer.userId } })
    await resetPassword(test, owner, viewer.userId, 'quite another password')
    const from = { address: '', userAgent: '' }
    expect(await openSession(test.app.db, { id: viewer.userId, passwordHash }, from)).toBeNull()
  })

  it('fails for an invalid user name', async () => {
    for (const [at, name] of ['a\0b', 'x'.repeat(5_000), '%', "' OR 1=1 --"].entries()) {
      expect(await attempt(name, PASSWORD, `192.0.2.${200 + at}`)).toEqual({ outcome: 'wrong' })
    }
  })

  it('is refused without details if the database fails', async () => {
    await using broken = await startApp()
    await broken.app.db.$executeRawUnsafe('ALTER TABLE "User" RENAME TO "Elsewhere"')
    const bridge = createPageBridge(broken.app)
    // It is not charged either: the eleventh attempt is not limited.
    for (let at = 0; at < 11; at += 1) {
      expect(
        await bridge.signIn({ username: 'someone', password: PASSWORD, address: '192.0.2.1', userAgent: '' }),
      ).toEqual({
        outcome: 'refused',
        status: 503,
        headers: { 'Retry-After': '5' },
        body: { error: 'Unavailable', message: 'Sign-in is unavailable. Try again in a few seconds.' },
      })
    }
  })
})
