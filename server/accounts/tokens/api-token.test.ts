import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { makeToken, readBearerToken } from './api-token.ts'

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

async function call(path: string, headers: Record<string, string>) {
  const answer = await fetch(`${test.origin}/api/trpc/${path}`, { headers })
  return { status: answer.status, ...JSON.parse(await answer.text()) }
}

describe('a token', () => {
  it('has 256 random bits, and only its hash and ending are stored', () => {
    const { token, tokenHash, ending } = makeToken()
    expect(Buffer.from(token.slice(4), 'base64url').length).toBe(32)
    expect({ tokenHash, ending }).toEqual({ tokenHash: hash('sha256', token), ending: token.slice(-4) })
  })

  it('is recognized by its prefix', () => {
    expect(readBearerToken('bearer slu_x')).toBe('slu_x')
    for (const none of [undefined, '', 'Basic slu_x', 'Bearer eyJhbGciOi', 'slu_x'])
      expect(readBearerToken(none)).toBeNull()
  })

  it('acts for its owner, always as a user, and records when and by which client it was used', async () => {
    const person = await test.person({ role: 'superadmin' })
    const { id, headers } = await insertToken(test, person, ['read'])
    const { result } = await call('account.me', headers)
    expect(result.data.viewer).toMatchObject({
      userId: person.viewer.userId,
      role: 'user',
      token: { scopes: ['read'] },
    })
    const { lastUsedAt, lastUsedBy } = await test.app.db.apiToken.findUniqueOrThrow({ where: { id } })
    expect([lastUsedAt !== null, lastUsedBy]).toEqual([true, 'ShareX/17'])
  })

  it('can call procedures of its scopes, and none without a scope', async () => {
    const { headers } = await insertToken(test, await test.person({ role: 'superadmin' }), ['upload', 'manage'])
    expect(await call('image.list', headers)).toMatchObject({
      status: 403,
      error: { message: 'This token does not have the scope “read”.', data: { reason: 'token-scope' } },
    })
    expect(await call('user.list', headers)).toMatchObject({
      status: 403,
      error: { message: 'Tokens cannot do this. Sign in instead.' },
    })
  })

  it('is void at once when it is revoked or expires, or its owner is banned or shared', async () => {
    const person = await test.person()
    const users = test.app.db.user
    const where = { id: person.viewer.userId }
    const { id, headers } = await insertToken(test, person, ['read'])
    const isVoid = { status: 401, error: { data: { reason: 'void-token' } } }
    expect(await call('account.me', headers)).toMatchObject({ status: 200 })
    for (const data of [{ bannedAt: new Date() }, { shared: true }]) {
      await users.update({ where, data })
      expect(await call('account.me', headers)).toMatchObject(isVoid)
      await users.update({ where, data: { bannedAt: null, shared: false } })
    }
    const late = await insertToken(test, person, ['read'], { expiresAt: new Date(Date.now() - 1) })
    expect(await call('account.me', late.headers)).toMatchObject(isVoid)
    expect(await call('account.me', headers)).toMatchObject({ status: 200 })
    await test.app.db.apiToken.delete({ where: { id } })
    expect(await call('account.me', headers)).toMatchObject(isVoid)
    expect(await call('account.me', { authorization: 'Bearer slu_' })).toMatchObject(isVoid)
  })

  it('is charged together with its owner, and exempt if the owner is', async () => {
    const names = async (person: Person) => {
      const { headers } = await insertToken(test, person, ['read'])
      const answer = await fetch(`${test.origin}/api/trpc/image.list`, { headers })
      return answer.headers.get('ratelimit-policy')
    }
    expect(await names(await test.person())).toMatch(/"view-1s".*"token-read-/)
    expect(await names(await test.person({ role: 'superadmin' }))).toMatch(/^"exempt";/)
  })
})
