import { type ChildProcess, execFile } from 'node:child_process'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OWNER_LANE } from '#server/accounts/password-lanes.ts'
import { verifyPassword } from '#server/accounts/passwords.ts'
import { findSignInLink, signInByLink } from '#server/accounts/sessions/sign-in-by-link.ts'
import { loadConfig } from '#server/config.ts'
import { sealSecret } from '#server/identity/seal.ts'
import { checkData } from '#server/images/maintenance/check-data.ts'
import type { ControlServer } from '#server/owner/control-server.ts'
import { listenOnControl } from '#server/owner/control-socket.ts'
import { openDirectly } from '#server/owner/open-directly.ts'
import { serveOwner } from '#server/owner/serve-owner.ts'
import { sealTexts } from '#server/site/secret-settings.ts'
import { insertPasskey } from '#testing/accounts/passkey.ts'
import { insertTrusted } from '#testing/accounts/second-factor.ts'
import { uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { mountSmallDisk } from '#testing/servers/small-disk.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { type CommandHome, commandHome } from '#testing/sluice/sluice-command.ts'

let served: TestApp
let control: ControlServer
let home: CommandHome
let owner: Person
beforeAll(async () => {
  served = await startApp()
  control = await serveOwner(served.app)
  home = await commandHome({ SLUICE_DATA: served.dataDir })
  owner = await served.person({ role: 'superadmin' })
})
afterAll(async () => {
  await control.close()
  await home[Symbol.asyncDispose]()
  await served[Symbol.asyncDispose]()
})

const PASSWORD = 'a quite different one'

test('sluice doctor has the running server look at its stored limits', async () => {
  const { db, limitAdmin } = served.app
  const stored = { ruleSet: 'of-before', target: 'all', terms: { mode: 'shadow' } }
  await db.limitOverride.create({ data: { ...stored, changedAt: new Date(), changedBy: 'ann' } })
  await limitAdmin.overrides.announce()
  const { code, stdout } = await home.call(['doctor'])
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    'warning  limits: The override of of-before for all is not in force. There is no rule set of-before. Correct or remove it at Admin > Limits.',
  ])
  await db.limitOverride.deleteMany()
  await limitAdmin.overrides.announce()
})

describe('accounts, through the running server', () => {
  test('creates an account, and resets its password', async () => {
    const made = await home.call(['user', 'create', 'Ann', '--role', 'admin'], { stdin: `${PASSWORD}\n` })
    expect(made).toMatchObject({ code: 0, stdout: '', stderr: 'Ann has an account, as admin.\n' })
    const find = () => served.app.db.user.findUniqueOrThrow({ where: { usernameKey: 'ann' } })
    expect(await verifyPassword((await find()).passwordHash, PASSWORD, { lane: OWNER_LANE })).toBe(true)

    const { code, stdout, stderr } = await home.call(['admin', 'reset-password', 'ann', '--generate'])
    expect([code, stderr]).toEqual([
      0,
      'Ann has a new password; all sessions, tokens, deletion links and invites have ended.\n',
    ])
    expect(stdout).toMatch(/^[\w-]{20}\n$/)
    expect(await verifyPassword((await find()).passwordHash, stdout.trim(), { lane: OWNER_LANE })).toBe(true)
  })

  test('ends the second factors of an account that has lost them', async () => {
    const { viewer } = await served.person()
    const { userId, username } = viewer
    const reset = () => home.call(['admin', 'reset-factors', username.toUpperCase()])
    expect(await reset()).toMatchObject({ code: 0, stderr: `${username} has no second factor.\n` })
    await served.app.db.totpFactor.create({ data: { userId, sealedSecret: '' } })
    await served.app.db.recoveryCode.create({ data: { userId, codeHash: '' } })
    await insertPasskey(served, { viewer })
    await insertTrusted(served, { viewer, sessionId: '' })
    const stderr = `The second factors of ${username} have ended. The password alone signs in.\n`
    expect(await reset()).toEqual({ code: 0, stdout: '', stderr })
    const { totpFactor, passkey, recoveryCode, device, auditEntry } = served.app.db
    const left = await Promise.all([
      totpFactor.count({ where: { userId } }),
      passkey.count({ where: { userId } }),
      recoveryCode.count({ where: { userId } }),
      device.count({ where: { userId, trustedUntil: { not: null } } }),
    ])
    expect(left).toEqual([0, 0, 0, 0])
    const entry = await auditEntry.findFirst({ where: { action: 'admin.resetFactors', accountId: userId } })
    expect(entry?.before).toEqual({ totp: true, passkeys: 1, codesLeft: 1 })
    expect(await home.call(['admin', 'reset-factors', 'nobody'])).toMatchObject({
      code: 4,
      stderr: 'sluice: There is no account nobody.\n',
    })
  })

  test('makes a link that signs in to an account once, also where passwords are off', async () => {
    const { viewer } = await served.person({ role: 'superadmin' })
    const { username, userId } = viewer
    const made = await home.call(['admin', 'sign-in-link', username])
    expect(made).toMatchObject({ code: 0, stderr: `This link signs in to ${username} once, within 30 minutes:\n` })
    const [, link = ''] = /^\S+\/signin\/link\/([\w-]{43})\n$/.exec(made.stdout) ?? []
    const attempt = { link, address: '192.0.2.7', userAgent: 'a browser', requestId: 'x', cookie: undefined }
    const { db } = served.app
    expect(await findSignInLink(db, link)).toBe(username)
    expect(await signInByLink(served.app, attempt)).toMatchObject({ outcome: 'signed-in', userId })
    await expect(signInByLink(served.app, attempt)).rejects.toThrow(/not valid, has expired or has been used/)
    expect(await findSignInLink(db, link)).toBeNull()
    const entry = await db.auditEntry.findFirst({ where: { action: 'admin.signInLink', accountId: userId } })
    expect(entry?.actorName).toBe('the command line')
    expect(await home.call(['admin', 'sign-in-link', 'nobody'])).toMatchObject({ code: 4, stdout: '' })
    await db.user.update({ where: { id: userId }, data: { bannedAt: new Date() } })
    expect(await home.call(['admin', 'sign-in-link', username])).toMatchObject({ code: 4, stdout: '' })
    await db.user.delete({ where: { id: userId } })
  })

  test.each([
    [['admin', 'reset-password', 'nobody'], PASSWORD, 4, 'sluice: There is no account nobody.\n'],
    [['user', 'create', 'Bob'], 'short', 4, 'sluice: The password is too short. Use at least 10 characters.\n'],
    [
      ['user', 'create', 'Bob', '--role', 'king'],
      '',
      2,
      'sluice: --role must be user, admin or superadmin, not king.\nSee: sluice help user create\n',
    ],
  ])('%j is refused', async (args, stdin, code, stderr) => {
    expect(await home.call(args, { stdin })).toMatchObject({ code, stdout: '', stderr })
  })
})

describe('backups, through the running server', () => {
  const send = async (seed: number) =>
    uploadAccepted(served, owner, await picture({ format: 'png', width: 60, height: 40, seed }))

  test('a backup restores the site as it was at the start, while images are added and deleted', async () => {
    const { db } = served.app
    const as = served.as(owner)
    const images = await Promise.all([1, 2, 3, 4].map(send))
    const { userId, username } = owner.viewer
    const sealedSecret = sealSecret(served.app.config, 'JBSWY3DPEHPK3PXP', `totp/${userId}`)
    await db.totpFactor.create({ data: { userId, sealedSecret } })
    const { SLUICE_MAIL_PASSWORD = '' } = sealTexts(served.app.config, {}, {}, PASSWORD)
    const settings = { terms: { SLUICE_MAIL_PASSWORD }, changedAt: new Date(), changedBy: 'owner', version: 1 }
    await db.siteSettings.create({ data: { id: 1, ...settings } })
    const sealedClientSecret = sealSecret(served.app.config, 'a client secret', 'oidc/family')
    await db.oidcProvider.create({
      data: {
        ...{ name: 'family', issuer: 'https://id.example.org', clientId: 'a', sealedSecret: sealedClientSecret },
        ...{ scopes: 'openid', label: 'Family', secondFactor: 'here', position: 0, isEnabled: true },
        ...{ opensAccounts: false, linksByEmail: false, endsSession: true },
      },
    })
    await insertPasskey(served, owner, 'images.example.org')
    const isRunning = { now: true }
    const busy = async (from: number) => {
      for (let seed = from; isRunning.now; seed += 1) {
        const { id } = await send(seed)
        await as.image.delete({ id })
        await as.image.purge({ id })
      }
    }
    const others = busy(1_000)
    const written = await home.run(['backup', 'site.tar'])
    isRunning.now = false
    await others
    expect([written.code, written.stdout]).toEqual([0, 'site.tar\n'])
    expect(written.stderr).toMatch(
      /^Backup written and verified: created .* by Sluice .*, \d+ accounts?, \d+ images?, .*\)\.$/m,
    )
    expect((await stat(join(home.folder, 'site.tar'))).mode & 0o777).toBe(0o600)
    expect(await db.removalPause.count()).toBe(0)

    await using elsewhere = await commandHome()
    await mkdir(join(elsewhere.folder, 'data'))
    const file = join(home.folder, 'site.tar')
    const restored = await elsewhere.run(['backup', 'restore', file])
    expect(restored).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Restored the backup: created /m),
    })
    expect(restored.stderr).toContain(
      `The authenticator app of 1 account has ended, because the site’s secret is another one: ${username}.`,
    )
    expect(restored.stderr).toContain(
      'The stored password of the mail server has ended, because the site’s secret is another',
    )
    expect((await readFile(file)).includes(PASSWORD)).toBe(false)
    expect(restored.stderr).toContain('1 sign-in provider has ended, because the site’s secret is another one: Family.')
    expect(restored.stderr).toContain(
      `The passkeys of 1 account were made for another address and do not work at http://localhost:3000: ${username}.`,
    )
    {
      const config = await loadConfig({ SLUICE_DATA: join(elsewhere.folder, 'data') })
      await using opened = await openDirectly(config, 'same', () => undefined)
      expect((await checkData(opened)).findings).toEqual([])
    }
    // Now without a server: the command opens the data itself.
    const again = await elsewhere.run(['backup', 'again.tar'])
    expect([again.code, again.stdout]).toEqual([0, 'again.tar\n'])
    const listed = await promisify(execFile)('tar', ['-tf', join(elsewhere.folder, 'again.tar')])
    expect(listed.stdout.split('\n')).toEqual(expect.arrayContaining(images.map(({ sha256 }) => `objects/${sha256}`)))
  })

  test('overwrites no file, and restores nothing under a running server', async () => {
    await promisify(execFile)('touch', [join(home.folder, 'there.tar')])
    const stderr = 'sluice: there.tar already exists.\n'
    expect(await home.run(['backup', 'there.tar'])).toMatchObject({ code: 4, stderr })
    const nowhere = 'sluice: The folder no does not exist.\n'
    expect(await home.run(['backup', 'no/x.tar'])).toMatchObject({ code: 1, stderr: nowhere })
    expect(await home.run(['backup', 'restore', 'there.tar'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('A server is running'),
    })
    expect(await home.run(['backup', 'restore', '--check', 'there.tar'])).toMatchObject({
      code: 1,
      stderr: 'sluice: there.tar could not be verified. It is truncated: its manifest is missing.\n',
    })
  })

  test('two backups to one name at the same time leave one complete file', async () => {
    const twice = await Promise.all([1, 2].map(() => home.run(['backup', 'twice.tar'])))
    const [whole, refused] = twice.toSorted((a, b) => Number(a.code) - Number(b.code))
    expect(whole).toMatchObject({ code: 0, stdout: 'twice.tar\n' })
    expect(refused).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('twice.tar already exists.'),
    })
    expect((await home.run(['backup', 'restore', '--check', 'twice.tar'])).code).toBe(0)
    expect((await readdir(home.folder)).filter((name) => name.startsWith('twice'))).toEqual(['twice.tar'])
  })

  test('a backup fails if the reader stops or the disk is full', async () => {
    const { folder } = home
    const piped = promisify(execFile)(
      'bash',
      [
        '-c',
        'set -o pipefail; "$0" "$1" backup - | true',
        process.execPath,
        join(import.meta.dirname, '../launch.mjs'),
      ],
      { cwd: folder, env: { ...process.env, NODE_ENV: 'production', HOME: folder, SLUICE_DATA: served.dataDir } },
    )
    const unread =
      'sluice: The backup failed. The reader closed standard output early: what it received is incomplete.\n'
    await expect(piped).rejects.toMatchObject({ code: 1, stderr: unread })

    await using small = await mountSmallDisk(16_384)
    if (!small) return
    const full = join(small.path, 'site.tar')
    const stderr = `sluice: The backup failed. No space left for ${full}.\n`
    expect(await home.run(['backup', full])).toMatchObject({ code: 1, stdout: '', stderr })
    expect(await readdir(small.path)).toEqual([])
  })

  test('creates nothing without a database', async () => {
    await using nowhere = await commandHome()
    const stderr = 'sluice: There is no database of Sluice here yet. Are these the settings of the server?\n'
    expect(await nowhere.run(['backup', 'x.tar'])).toMatchObject({ code: 1, stderr })
    const reset = ['admin', 'reset-password', 'ann', '--generate']
    expect(await nowhere.call(reset)).toMatchObject({ code: 1, stdout: '', stderr })
    const short = 'sluice: The password is too short. Use at least 10 characters.\n'
    const created = await nowhere.call(['user', 'create', 'Ann'], { stdin: 'short' })
    expect(created).toMatchObject({ code: 4, stderr: short })
    const gone = 'sluice: The restore failed. x.tar does not exist.\n'
    expect(await nowhere.run(['backup', 'restore', 'x.tar'])).toMatchObject({ code: 1, stderr: gone })
    expect(await readdir(nowhere.folder)).toEqual([])
  })
})

test('a killed server is reported, and leaves no file', async () => {
  await using place = await commandHome()
  const dying = createServer((_req, res) => {
    res.writeHead(200, { 'Sluice-Objects': 1, 'Sluice-Bytes': 1 }).write('the beginning', () => res.destroy())
  })
  await mkdir(join(place.folder, 'data'))
  const remove = await listenOnControl(dying, join(place.folder, 'data'))
  const stderr = 'sluice: The server closed the connection. Its log may have the reason.\n'
  expect(await place.run(['backup', 'x.tar'])).toMatchObject({ code: 1, stdout: '', stderr })
  expect(await readdir(place.folder)).toEqual(['data'])
  await remove?.()
  dying.close()
})

describe('a backup in progress', () => {
  const pauses = () => served.app.db.removalPause.count()
  const settled = { timeout: 60_000 }

  /** Starts a backup that waits for the image store. */
  async function begin() {
    const { store } = served.app.images
    const { open } = store
    const held = Promise.withResolvers<void>()
    Object.assign(store, { open: (...given: Parameters<typeof open>) => held.promise.then(() => open(...given)) })
    const started = Promise.withResolvers<ChildProcess>()
    const run = home.run(['backup', 'broken.tar'], { onStart: started.resolve })
    await expect.poll(pauses, settled).toBe(1)
    const release = () => {
      Object.assign(store, { open })
      held.resolve()
    }
    return { run, child: await started.promise, release }
  }

  test('ends when its command is killed, and when the server stops', async () => {
    await uploadAccepted(served, owner, await picture({ seed: 77 }))
    const killed = await begin()
    killed.child.kill('SIGKILL')
    await killed.run
    killed.release()
    await expect.poll(pauses, settled).toBe(0)
    const stopped = await begin()
    const closed = control.close()
    stopped.release()
    await closed
    expect(await stopped.run).toMatchObject({ code: 1, stderr: expect.stringContaining('The server was stopped.') })
    expect(await pauses()).toBe(0)
    expect((await readdir(home.folder)).filter((name) => name.startsWith('broken'))).toEqual([])
  })
})
