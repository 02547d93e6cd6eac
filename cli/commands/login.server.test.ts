import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPasskey } from '#testing/accounts/passkey.ts'
import { currentCode } from '#testing/accounts/second-factor.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { commandHome } from '#testing/sluice/sluice-command.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'
import { createApi } from '../connection/api.ts'
import { SignedIn } from '../connection/sign-in.ts'

const PASSWORD = 'long enough to pass'
const noCode = () => expect.unreachable('no code is asked for')
let sluice: SluiceServer
beforeAll(async () => {
  const port = `${await freePort()}`
  // By a name: browsers have no passkeys for an address in figures.
  const place = { PORT: port, SLUICE_ORIGIN: `http://localhost:${port}` }
  const owner = { SLUICE_ADMIN_USERNAME: 'Sue', SLUICE_ADMIN_PASSWORD: PASSWORD }
  sluice = await startSluiceServer({ env: { ...place, ...owner } })
})
afterAll(() => sluice[Symbol.asyncDispose]())

it('a login creates a token and leaves no session, and a logout revokes it', async () => {
  await using home = await commandHome()
  const args = [
    'login',
    '--url',
    sluice.origin,
    '--user',
    'sue',
    '--password-stdin',
    '--name',
    'a laptop',
    '--days',
    '30',
  ]
  const wrong = await home.call(args, { stdin: 'not the password\n' })
  expect([wrong.code, wrong.stderr]).toEqual([3, 'sluice: Wrong user name or password.\n'])

  const short = args.map((word) => word.replace('http://', ''))
  const right = await home.call(short, { stdin: `${PASSWORD}\n` })
  const path = join(home.folder, '.config/sluice/config.json')
  expect([right.code, right.stderr]).toEqual([
    0,
    `The server is ${sluice.origin}.\nSigned in to ${sluice.origin} as sue. The token “a laptop” expires in 30 days and is saved in ${path}.\n`,
  ])
  const { token } = JSON.parse(await readFile(path, 'utf8'))
  expect((await home.call(['list'])).code).toBe(0)
  const mine = await createApi(sluice.origin, { authorization: `Bearer ${token}` }).account.me.query()
  expect(mine.viewer).toMatchObject({ username: 'Sue', token: { scopes: ['upload', 'read', 'manage'] } })
  const session = await SignedIn.by(sluice.origin, 'sue', PASSWORD, noCode)
  const sessions = await createApi(sluice.origin, session.headers).account.sessions.query()
  expect(sessions.items.length).toBe(1)

  expect(await home.call(['logout'])).toMatchObject({ code: 0, stderr: `Signed out of ${sluice.origin}.\n` })
  expect((await home.call(['list'])).code).toBe(3)
  const after = await home.call(['list'], { env: { SLUICE_URL: sluice.origin, SLUICE_TOKEN: token } })
  expect([after.code, after.stderr]).toEqual([
    3,
    'sluice: This token is not valid. It has expired or been revoked. Run sluice login.\n',
  ])
})

it('a login that cannot save its token leaves none on the server', async () => {
  await using home = await commandHome()
  await writeFile(join(home.folder, '.config'), 'a file where a folder should be')
  const args = ['login', '--url', sluice.origin, '--user', 'sue', '--password-stdin', '--name', 'kept nowhere']
  const { code, stderr } = await home.call(args, { stdin: `${PASSWORD}\n` })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^sluice: ENOTDIR: .*, mkdir .*\n$/)])
  const session = await SignedIn.by(sluice.origin, 'sue', PASSWORD, noCode)
  const tokens = await createApi(sluice.origin, session.headers).token.list.query()
  expect(JSON.stringify(tokens)).not.toContain('kept nowhere')
  await session.end()
})

it('a login to an account with a second factor takes its code, or a recovery code', async () => {
  await using home = await commandHome()
  const session = await SignedIn.by(sluice.origin, 'sue', PASSWORD, noCode)
  const { identity } = createApi(sluice.origin, session.headers)
  const { setUp, secret } = await identity.beginTotp.mutate()
  const { recoveryCodes } = await identity.confirmTotp.mutate({ setUp, code: currentCode(secret) })
  const args = ['login', '--url', sluice.origin, '--user', 'sue', '--password-stdin']
  const logIn = (...more: string[]) => home.call([...args, ...more], { stdin: `${PASSWORD}\n` })
  expect(await logIn()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Code of the authenticator app, or a recovery code'),
  })
  expect(await logIn('--code', '12345')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('This code is wrong'),
  })
  // Each code is accepted once, and one step early is early enough.
  expect(await logIn('--code', currentCode(secret, Date.now() + 30_000))).toMatchObject({ code: 0 })
  expect(await logIn('--code', recoveryCodes[0] ?? '')).toMatchObject({ code: 0 })
  expect(await logIn('--code', recoveryCodes[0] ?? '')).toMatchObject({ code: 3 })
  await identity.removeTotp.mutate()
})

it('a login to an account whose second step is a passkey takes a recovery code, and says so once there is none', async () => {
  await using home = await commandHome()
  const session = await SignedIn.by(sluice.origin, 'sue', PASSWORD, noCode)
  const { identity } = createApi(sluice.origin, session.headers)
  const answer = createPasskey(sluice.origin).make(await identity.beginPasskey.mutate())
  const { id, recoveryCodes } = await identity.addPasskey.mutate({ answer, name: 'a passkey' })
  const args = ['login', '--url', sluice.origin, '--user', 'sue', '--password-stdin']
  const outcomes: unknown[] = []
  for (const code of recoveryCodes ?? [])
    outcomes.push((await home.call([...args, '--code', code], { stdin: `${PASSWORD}\n` })).code)
  expect(outcomes).toEqual(Array(10).fill(0))
  const last = await home.call(args, { stdin: `${PASSWORD}\n` })
  expect(last).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^sluice: The second step of this account is a passkey/),
  })
  await identity.removePasskey.mutate({ id })
})
