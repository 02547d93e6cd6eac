import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OWNER_LANE } from '#server/accounts/password-lanes.ts'
import { verifyPassword } from '#server/accounts/passwords.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { createAccount, setAccountPassword } from './accounts.ts'
import { CONTROL } from './control-path.ts'
import { isListening, listenOnControl } from './control-socket.ts'

describe('the socket', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-control-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    ['an ordinary folder', 'data'],
    ['a path that is too long for a socket', 'a-folder-with-a-long-name'.repeat(6)],
  ])('is private, replaces one left by a crash, and is removed on close: %s', async (_, name) => {
    const dataDir = join(folder, name)
    await mkdir(dataDir)
    expect(await isListening(dataDir)).toBe(false)
    await writeFile(join(dataDir, CONTROL), '')
    expect(await isListening(dataDir)).toBe(false)
    const server = createServer()
    const remove = await listenOnControl(server, dataDir)
    const { mode } = await stat(join(dataDir, CONTROL))
    expect((mode & 0o777).toString(8)).toBe('600')
    expect(await isListening(dataDir)).toBe(true)
    // Another process over the same folder leaves it in place.
    expect(await listenOnControl(createServer(), dataDir)).toBe(null)
    expect(await isListening(dataDir)).toBe(true)
    await remove?.()
    expect(await isListening(dataDir)).toBe(false)
    server.close()
  })

  test('is not removed once it belongs to another process', async () => {
    const [one, other] = [createServer(), createServer()]
    const remove = await listenOnControl(one, folder)
    await rm(join(folder, CONTROL))
    await listenOnControl(other, folder)
    await remove?.()
    expect(await isListening(folder)).toBe(true)
    one.close()
    other.close()
  })

  test('cannot be reached by another user', async () => {
    // Only root can become another user.
    if (process.getuid?.() !== 0) return
    const open = await mkdtemp(join(tmpdir(), 'sluice-control-open-'))
    await chmod(open, 0o777)
    const server = createServer()
    await listenOnControl(server, open)
    const script = `require('net').connect(${JSON.stringify(join(open, CONTROL))}).on('error', (e) => console.log(e.code)).on('connect', () => console.log('connected') ?? process.exit())`
    const child = spawn(process.execPath, ['-e', script], { uid: 65_534, gid: 65_534 })
    const [output] = await once(child.stdout, 'data')
    expect(String(output).trim()).toBe('EACCES')
    server.close()
    await rm(open, { recursive: true })
  })

  test('is left alone if another program listens on it', async () => {
    const own = join(folder, 'foreign')
    await mkdir(own)
    const foreign = createSocketServer().listen(join(own, CONTROL))
    await once(foreign, 'listening')
    expect(await listenOnControl(createServer(), own)).toBe(null)
    foreign.close()
  })
})

describe('account commands', () => {
  let served: TestApp
  beforeAll(async () => {
    served = await startApp()
  })
  afterAll(() => served[Symbol.asyncDispose]())

  test('reset the last superadmin’s password, end sessions and tokens, and are audited', async () => {
    const { db } = served.app
    const { viewer, sessionId } = await served.person({ role: 'superadmin', password: 'what was it, again' })
    const { userId, username } = viewer
    const token = { userId, name: 'x', tokenHash: 'x', ending: 'x', scopes: ['read'] }
    await db.apiToken.create({ data: token })
    await db.user.update({ where: { id: userId }, data: { bannedAt: new Date() } })

    const outcome = await setAccountPassword(db, {
      username: username.toUpperCase(),
      password: 'a quite different one',
    })
    const done = `${username} has a new password; all sessions, tokens, deletion links and invites have ended. The account is still banned.`
    expect(outcome).toEqual({ done })
    const user = await db.user.findUniqueOrThrow({ where: { id: userId } })
    expect(await verifyPassword(user.passwordHash, 'a quite different one', { lane: OWNER_LANE })).toBe(true)
    expect(await db.session.count({ where: { id: sessionId } })).toBe(0)
    expect(await db.apiToken.count({ where: { userId } })).toBe(0)
    const entry = await db.auditEntry.findFirstOrThrow({ where: { action: 'admin.resetPassword' } })
    expect(entry).toMatchObject({ actorName: 'the command line', target: `user/${userId}` })
  })

  test('refuse the same input as the pages', async () => {
    const { db } = served.app
    const password = 'a quite different one'
    expect(await setAccountPassword(db, { username: 'nobody', password })).toEqual({
      refused: 'There is no account nobody.',
    })
    const refused = 'The password is too short. Use at least 10 characters.'
    expect(await setAccountPassword(db, { username: 'nobody', password: 'short' })).toEqual({ refused })
    expect(await createAccount(db, { username: 'Ann', password: 'short', role: 'user' })).toEqual({ refused })
    expect(await createAccount(db, { username: '-', password, role: 'user' })).toEqual({
      refused: expect.stringContaining('A user name has 3 to 32 letters'),
    })
  })

  test('create an account with a role, once', async () => {
    const { db } = served.app
    const user = { username: 'Ann', password: 'a quite different one', role: 'admin' } as const
    expect(await createAccount(db, user)).toEqual({ done: 'Ann has an account, as admin.' })
    expect(await createAccount(db, { ...user, username: 'ANN' })).toEqual({ refused: 'This user name is taken.' })
    const { id } = await db.user.findUniqueOrThrow({ where: { usernameKey: 'ann', role: 'admin' } })
    const entry = await db.auditEntry.findFirstOrThrow({ where: { action: 'user.create' } })
    expect(entry).toMatchObject({ target: `user/${id}`, after: { username: 'Ann', role: 'admin' } })
  })
})
