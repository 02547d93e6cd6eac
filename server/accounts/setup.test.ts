import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { setUpCode, UnfitOwner } from './owner.ts'

const PASSWORD = 'long enough to pass'

describe('set-up', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await startApp()
  })
  afterAll(() => test[Symbol.asyncDispose]())

  const setUp = (username: string, code = setUpCode(test.app.config.secret), password = PASSWORD) =>
    test.as(null, `198.51.100.${Math.floor(Math.random() * 256)}`).setup.createOwner({ code, username, password })

  it('requires the code and a good password', async () => {
    await expect(setUp('ann', 'AAAAA-AAAAA-AAAAA-AAAAA')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(setUp('ann', 'ä'.repeat(23))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(setUp('ann', undefined, 'password123')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(setUp('ann', undefined, 'short')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await test.app.db.user.count()).toBe(0)
    await test.app.failedSignIns.flush()
    const failed = await test.app.db.auditEntry.findMany({ where: { action: 'setup.codeFailed' } })
    expect(failed.reduce((sum, { times }) => sum + times, 0)).toBe(2)
    expect(failed[0]).toMatchObject({ target: 'site', accountId: null, after: { outcome: 'wrong-setup-code' } })
  })

  it('cannot be preempted by a sign-up', async () => {
    await using open = await startApp({ SLUICE_SIGNUP: 'open' })
    const stranger = open.as(null).account.signUp({ username: 'stranger', password: PASSWORD })
    await expect(stranger).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'This site is not set up yet.' })
    expect(await open.app.db.user.count()).toBe(0)
  })

  it('creates exactly one owner from two concurrent calls, and is closed afterwards', async () => {
    const both = await Promise.allSettled([setUp('ann'), setUp('bob')])
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await test.app.db.user.findMany({ select: { role: true } })).toEqual([{ role: 'superadmin' }])
    await expect(setUp('carl')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('an owner in the settings', () => {
  it.each([
    ['password123', /^SLUICE_ADMIN_PASSWORD: This password is too easy to guess/],
    ['short', /^SLUICE_ADMIN_PASSWORD: The password is too short. Use at least 10 characters/],
  ])('with the password %j prevents the start', async (password, message) => {
    const start = startApp({ SLUICE_ADMIN_USERNAME: 'ann', SLUICE_ADMIN_PASSWORD: password })
    await expect(start).rejects.toThrow(UnfitOwner)
    await expect(start).rejects.toThrow(message)
  })

  it('is created once', async () => {
    await using test = await startApp({ SLUICE_ADMIN_USERNAME: 'ann', SLUICE_ADMIN_PASSWORD: PASSWORD })
    expect(await test.app.db.user.findMany({ select: { username: true, role: true } })).toEqual([
      { username: 'ann', role: 'superadmin' },
    ])
  })
})
