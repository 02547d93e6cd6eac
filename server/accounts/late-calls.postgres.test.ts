import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { type Person, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'

const PASSWORD = 'long enough to pass'
const opened = new AsyncDisposableStack()
let test: TestApp
let owner: Person
let other: Client
beforeAll(async () => {
  const url = await createPostgresDatabase()
  test = opened.use(await startApp({ DATABASE_URL: url }))
  owner = await test.person({ role: 'superadmin' })
  other = new Client({ connectionString: url })
  await other.connect()
  opened.defer(() => other.end())
})
afterAll(() => opened.disposeAsync())

/** Calls a procedure over HTTP, sending its input only after `meanwhile`, and returns the answer's status. */
async function callLate(
  path: string,
  input: object,
  as: { readonly cookie: string } | { readonly authorization: string },
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  using seen = vi.spyOn(test.app, 'findViewer')
  const body = JSON.stringify(input)
  const headers = { ...as, 'content-type': 'application/json', 'content-length': body.length }
  const req = request(`${test.origin}/api/trpc/${path}`, { method: 'POST', headers })
  req.write(body.slice(0, 1))
  await expect.poll(() => seen.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled'])
  await meanwhile()
  req.end(body.slice(1))
  const [answer] = await once(req, 'response')
  await text(answer)
  return answer.statusCode
}

/** Returns the users and the number of invites and tokens. */
async function readAccounts() {
  const { user, invite, apiToken } = test.app.db
  const users = await user.findMany({ orderBy: { id: 'asc' } })
  return { users, invites: await invite.count(), tokens: await apiToken.count() }
}

/** Returns whether a transaction is waiting for a lock. */
const hasWaiters = async () => (await other.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length > 0

const name = () => `n${crypto.randomUUID().slice(0, 12)}`

describe('a call whose caller was banned before its input arrived', () => {
  const calls: readonly [string, (id: string) => object][] = [
    ['user.create', () => ({ username: name(), password: PASSWORD, role: 'superadmin' })],
    ['user.update', (id) => ({ id, role: 'superadmin' })],
    ['user.ban', (id) => ({ id })],
    ['user.unban', (id) => ({ id })],
    ['user.resetPassword', (id) => ({ id })],
    ['user.delete', (id) => ({ id })],
    ['invite.create', () => ({})],
  ]
  it.each(calls)('%s changes nothing', async (path, makeInput) => {
    const thief = await test.person({ role: 'superadmin' })
    const { userId } = (await test.person()).viewer
    const before = await readAccounts()
    const status = await callLate(path, makeInput(userId), { cookie: thief.cookie }, () =>
      test.as(owner).user.ban({ id: thief.viewer.userId }),
    )
    await test.app.db.user.update({ where: { id: thief.viewer.userId }, data: { bannedAt: null } })
    expect([status, await readAccounts()]).toEqual([401, before])
  })

  it('is refused too if its caller has signed out or lost the admin role', async () => {
    const { userId } = (await test.person()).viewer
    for (const end of [
      (admin: Person) => test.as(admin).account.signOutEverywhere(),
      (admin: Person) => test.as(owner).user.update({ id: admin.viewer.userId, role: 'user' }),
    ]) {
      const admin = await test.person({ role: 'admin' })
      expect(await callLate('user.ban', { id: userId }, { cookie: admin.cookie }, () => end(admin))).toBe(401)
    }
    expect((await test.app.db.user.findUniqueOrThrow({ where: { id: userId } })).bannedAt).toBeNull()
  })

  it('by session or token deletes no image, but succeeds if they are still valid', async () => {
    const person = await test.person()
    const { id: tokenId, headers } = await insertToken(test, person, ['manage'])
    const { userId } = person.viewer
    const { id } = await insertBareImage(test.app.db, userId, { trashed: true })
    const purge = (as: Parameters<typeof callLate>[2], meanwhile: () => Promise<unknown>) =>
      callLate('image.purgeMany', { ids: [id] }, as, meanwhile)
    const { apiToken, session } = test.app.db
    const { cookie } = person
    expect(await purge({ cookie }, () => session.delete({ where: { id: person.sessionId } }))).toBe(401)
    expect(await purge(headers, () => apiToken.delete({ where: { id: tokenId } }))).toBe(401)
    expect(await test.app.db.image.count({ where: { id } })).toBe(1)
    const { headers: good } = await insertToken(test, person, ['manage'])
    expect(await purge(good, async () => {})).toBe(200)
    expect(await test.app.db.image.count({ where: { id } })).toBe(0)
  })
})

describe('a call that waits for its caller’s row while the caller is banned', () => {
  const calls: readonly [string, (caller: TestCaller, id: string) => Promise<unknown>][] = [
    ['user.create', ({ user }) => user.create({ username: name(), password: PASSWORD, role: 'superadmin' })],
    ['user.update', ({ user }, id) => user.update({ id, role: 'superadmin' })],
    ['user.resetPassword', ({ user }, id) => user.resetPassword({ id })],
    ['user.delete', ({ user }, id) => user.delete({ id })],
    ['invite.create', ({ invite }) => invite.create({})],
    ['token.create', ({ token }) => token.create({ name: 'a', scopes: ['read'], expiresInDays: null })],
  ]
  it.each(calls)('%s changes nothing', async (_, call) => {
    const thief = await test.person({ role: 'superadmin' })
    const { userId } = (await test.person()).viewer
    const before = await readAccounts()
    await other.query('BEGIN')
    await other.query(`UPDATE "User" SET role = 'user' WHERE id = $1`, [thief.viewer.userId])
    await other.query('DELETE FROM "Session" WHERE "userId" = $1', [thief.viewer.userId])
    const refused = expect(call(test.as(thief), userId)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect.poll(hasWaiters).toBe(true)
    await other.query('COMMIT')
    await refused
    await test.app.db.user.delete({ where: { id: thief.viewer.userId } })
    expect(await readAccounts()).toEqual({
      ...before,
      users: before.users.filter(({ id }) => id !== thief.viewer.userId),
    })
  })
})
