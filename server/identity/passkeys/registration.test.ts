import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPasskey, createPasskey, insertPasskey, type Twist } from '#testing/accounts/passkey.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { viewerOfSession } from '../../accounts/sessions/sessions.ts'
import { listMethods } from '../second-step/methods.ts'
import { MAX_PASSKEYS } from './add-passkey.ts'
import { listEndedPasskeys } from './ended-passkeys.ts'
import { canHavePasskeys } from './relying-party.ts'

const BITWARDEN = 'd548826e79b4db40a3d811116f7e8349'

let test: TestApp
let root: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
  await insertPasskey(test, root)
})
afterAll(() => test[Symbol.asyncDispose]())

let person: Person
let userId: string
beforeEach(async () => {
  person = await test.person()
  userId = person.viewer.userId
})

const refused = (reason: string) => ({ cause: { text: { code: reason } } })
const as = (who = person) => test.as(who).identity
const items = async () => (await as().passkeys()).items

/** Another session of the person: another browser. */
async function otherBrowser(): Promise<Person> {
  const { id: sessionId } = await test.app.db.session.create({
    data: {
      userId,
      address: '192.0.2.7',
      userAgent: '',
      expiresAt: new Date(Date.now() + 60_000),
      provedAt: new Date(),
    },
  })
  const viewer = await viewerOfSession(test.app, sessionId)
  return viewer ? { ...person, sessionId, viewer } : expect.unreachable('the session has no viewer')
}

async function setRule(rule: 'off' | 'offered' | 'required-all') {
  const { version } = await test.as(root).site.settings()
  await test.as(root).site.update({ version, change: { SLUICE_SECOND_FACTOR: rule } })
}

/** Makes a passkey and adds it. */
async function add(twist?: Twist, passkey = createPasskey(test.origin)) {
  return as().addPasskey({ answer: passkey.make(await as().beginPasskey(), twist), name: 'Chrome on Linux' })
}

describe('a passkey', () => {
  it('is asked for at the site’s own host name, verified and discoverable, and by a handle that tells nothing', async () => {
    const options = await as().beginPasskey()
    const { rp, user, authenticatorSelection, attestation } = options
    expect([rp, user.name, attestation]).toEqual([{ name: 'Sluice', id: 'localhost' }, person.viewer.username, 'none'])
    expect(authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
    expect(user.id).toMatch(/^[\w-]{43}$/)
    expect((await as().beginPasskey()).user.id).toBe(user.id)
    expect((await as(await test.person()).beginPasskey()).user.id).not.toBe(user.id)
  })

  it('is added with the name of what keeps it, or else the one that is given, and comes with codes once', async () => {
    const first = await add({ isBackedUp: true }, createPasskey(test.origin, BITWARDEN))
    const second = await add()
    expect([first.name, first.recoveryCodes?.length]).toEqual(['Bitwarden', 10])
    expect([second.name, second.recoveryCodes]).toEqual(['Chrome on Linux', null])
    expect(
      (await items()).map(({ name, isBackedUp, lastUsedAt, worksAt }) => [name, isBackedUp, lastUsedAt, worksAt]),
    ).toEqual([
      ['Chrome on Linux', false, null, null],
      ['Bitwarden', true, null, null],
    ])
    expect((await as().show()).factors).toEqual({ totp: false, passkeys: 2, recoveryCodes: 10 })
    const { items: acts } = await test.as(person).audit.mine()
    expect(acts.slice(0, 2).map(({ action, after }) => [action, after])).toEqual([
      ['account.addPasskey', { name: 'Chrome on Linux', isBackedUp: false }],
      ['account.addPasskey', { name: 'Bitwarden', isBackedUp: true }],
    ])
  })

  it('is not added twice: the browser is told which there are, and the server knows them', async () => {
    const passkey = createPasskey(test.origin)
    await add({}, passkey)
    const options = await as().beginPasskey()
    const known = { id: passkey.id, type: 'public-key', transports: ['internal', 'hybrid'] }
    expect(options.excludeCredentials).toEqual([known])
    await expect(add({}, passkey)).rejects.toMatchObject(refused('passkey-present'))
    const other = await test.person()
    const answer = passkey.make(await as(other).beginPasskey())
    await expect(as(other).addPasskey({ answer, name: 'a' })).rejects.toMatchObject(refused('passkey-present'))
  })

  it.each<readonly [string, Twist, string]>([
    ['of another origin', { origin: 'https://evil.example' }, 'passkey-other-origin'],
    ['of the same host by another scheme', { origin: 'https://localhost' }, 'passkey-other-origin'],
    ['of another host name', { rpId: 'evil.example' }, 'passkey-other-origin'],
    ['that has not verified its user', { isVerified: false }, 'passkey-unverified'],
    ['for a challenge that nobody has asked for', { challenge: 'x'.repeat(43) }, 'passkey-expired'],
  ])('%s is refused', async (_, twist, reason) => {
    await expect(add(twist)).rejects.toMatchObject(refused(reason))
    expect(await items()).toEqual([])
  })

  it('is made once for a challenge, in the session that began, for this purpose and in time', async () => {
    const passkey = createPasskey(test.origin)
    const options = await as().beginPasskey()
    const answer = passkey.make(options)
    const foreign = as(await otherBrowser()).addPasskey({ answer, name: 'a' })
    await expect(foreign).rejects.toMatchObject(refused('passkey-expired'))
    await as().addPasskey({ answer, name: 'a' })
    await expect(as().addPasskey({ answer, name: 'a' })).rejects.toMatchObject(refused('passkey-expired'))
    const proof = await as().beginPasskeyProof()
    const mixed = passkey.make(options, { challenge: proof.challenge })
    await expect(as().addPasskey({ answer: mixed, name: 'a' })).rejects.toMatchObject(refused('passkey-expired'))
    const late = createPasskey(test.origin).make(await as().beginPasskey())
    await test.app.db.passkeyChallenge.updateMany({ data: { expiresAt: new Date() } })
    await expect(as().addPasskey({ answer: late, name: 'a' })).rejects.toMatchObject(refused('passkey-expired'))
  })

  it('is begun in two browsers, which hinder each other in nothing', async () => {
    const other = as(await otherBrowser())
    const begun = [await as().beginPasskey(), await other.beginPasskey()] as const
    const answers = begun.map((options) => createPasskey(test.origin).make(options))
    const both = [
      other.addPasskey({ answer: answers[1] ?? '', name: 'b' }),
      as().addPasskey({ answer: answers[0] ?? '', name: 'a' }),
    ]
    const codes = (await Promise.all(both)).map(({ recoveryCodes }) => recoveryCodes?.length ?? 0)
    expect(codes.toSorted((one, two) => one - two)).toEqual([0, 10])
    expect((await items()).map(({ name }) => name).toSorted()).toEqual(['a', 'b'])
  })

  it('is made of nothing but an authenticator’s answer', async () => {
    for (const answer of ['', 'null', '{}', '[]', '{"id":1}', '\0', 'x'.repeat(20_000)]) {
      const call = as().addPasskey({ answer, name: 'a' })
      await expect(call, answer).rejects.toMatchObject(refused('wrong-passkey'))
    }
  })

  it('is one of twenty at most, has a name of one line, and can be had where the site offers factors', async () => {
    for (let at = 0; at < MAX_PASSKEYS; at += 1) await insertPasskey(test, person)
    await expect(add()).rejects.toMatchObject(refused('too-many-passkeys'))
    const id = (await items())[0]?.id ?? ''
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(61)])
      await expect(as().renamePasskey({ id, name })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await setRule('off')
    await expect(as().beginPasskey()).rejects.toMatchObject(refused('factors-off'))
    expect((await as().passkeys()).isOff).toBe(true)
    await setRule('offered')
  })

  it('can be had over HTTPS or on this machine, and by a name', () => {
    const origins = [
      'https://a.example',
      'http://localhost:3000',
      'http://a.example',
      'https://192.0.2.1',
      'http://[::1]:1',
    ]
    expect(origins.map((origin) => canHavePasskeys({ origin }))).toEqual([true, true, false, false, false])
  })

  it('is renamed and removed by its owner alone', async () => {
    const { id } = await add()
    const other = as(await test.person())
    await expect(other.renamePasskey({ id, name: 'b' })).rejects.toMatchObject(refused('passkey-not-found'))
    await expect(other.removePasskey({ id })).rejects.toMatchObject(refused('passkey-not-found'))
    await as().renamePasskey({ id, name: ' A key ' })
    expect((await items()).map(({ name }) => name)).toEqual(['A key'])
    await as().removePasskey({ id })
    expect(await items()).toEqual([])
    const { items: acts } = await test.as(person).audit.mine()
    expect(acts.slice(0, 2).map(({ action, before, after }) => [action, before, after])).toEqual([
      ['account.removePasskey', { name: 'A key', isBackedUp: false }, null],
      ['account.renamePasskey', { name: 'Chrome on Linux' }, { name: 'A key' }],
    ])
  })
})

describe('the last second factor', () => {
  it('takes recovery codes with it as it is removed, and not before', async () => {
    await test.app.db.totpFactor.create({ data: { userId, sealedSecret: '' } })
    const { id } = await add()
    await as().removeTotp()
    expect((await as().show()).factors.recoveryCodes).toBe(10)
    await as().removePasskey({ id })
    expect((await as().show()).factors).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0 })
  })

  it('stays where the site requires one, which a passkey satisfies', async () => {
    await setRule('required-all')
    const needs = async () => (await viewerOfSession(test.app, person.sessionId))?.needsFactor
    expect(await needs()).toBe(true)
    const viewer = await viewerOfSession(test.app, person.sessionId)
    const led = as(viewer ? { ...person, viewer } : person)
    const passkey = createPasskey(test.origin)
    const { id } = await led.addPasskey({ answer: passkey.make(await led.beginPasskey()), name: 'a' })
    expect(await needs()).toBe(false)
    await expect(as().removePasskey({ id })).rejects.toMatchObject(refused('factor-required'))
    expect((await items()).length).toBe(1)
    const second = await add()
    await as().removePasskey({ id: second.id })
    await setRule('offered')
  })
})

describe('a proof by a passkey', () => {
  const forget = () => test.app.db.session.updateMany({ where: { userId }, data: { provedAt: null } })
  const isProven = async () => (await viewerOfSession(test.app, person.sessionId))?.provedAt !== null

  it('is asked of the account’s own, and is fresh for this session', async () => {
    const passkey = await addPasskey(test, person)
    await forget()
    const options = await as().beginPasskeyProof()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([passkey.id])
    await as().proveByPasskey({ answer: passkey.answer(options) })
    expect(await isProven()).toBe(true)
    const { items: acts } = await test.as(person).audit.mine()
    expect(acts.slice(0, 2).map(({ action }) => action)).toEqual(['account.usePasskey', 'account.addPasskey'])
    expect((await items())[0]?.lastUsedAt).not.toBeNull()
  })

  it('is not given by another’s passkey, another session’s challenge, or an answer of before', async () => {
    const passkey = await addPasskey(test, person)
    const other = await test.person()
    const others = await addPasskey(test, other)
    await forget()
    const prove = (answer: string, who = person) => as(who).proveByPasskey({ answer })
    const foreign = prove(others.answer(await as().beginPasskeyProof()))
    await expect(foreign).rejects.toMatchObject(refused('passkey-unknown'))
    const borrowed = passkey.answer(await as(other).beginPasskeyProof())
    await expect(prove(borrowed)).rejects.toMatchObject(refused('passkey-expired'))
    const unverified = passkey.answer(await as().beginPasskeyProof(), { isVerified: false })
    await expect(prove(unverified)).rejects.toMatchObject(refused('passkey-unverified'))
    await expect(prove(unverified)).rejects.toMatchObject(refused('passkey-expired'))
    expect(await isProven()).toBe(false)
    await test.app.failedSignIns.flush()
    const { items: acts } = await test.as(person).audit.mine()
    const failed = acts.filter(({ action }) => action === 'account.confirmFailed')
    expect(failed.map(({ after, times }) => [after, times])).toEqual([[{ outcome: 'wrong-passkey-proof' }, 2]])
  })

  it('needs a passkey that works here', async () => {
    await expect(as().beginPasskeyProof()).rejects.toMatchObject(refused('no-passkey-here'))
  })
})

it('passkeys of another address of the site are named, offered for nothing, and still a factor', async () => {
  const { id } = await add()
  const moved = { db: test.app.db, config: { origin: 'https://new.example' } }
  expect(await listMethods(test.app, userId)).toEqual(['passkey', 'recovery'])
  expect(await listMethods(moved, userId)).toEqual(['recovery'])
  expect(await listEndedPasskeys(test.app.db, moved.config)).toContain(person.viewer.username)
  expect(await listEndedPasskeys(test.app.db, test.app.config)).toEqual([])
  await test.app.db.passkey.update({ where: { id }, data: { rpId: 'old.example' } })
  expect((await items())[0]?.worksAt).toBe('old.example')
  expect((await as().show()).factors.passkeys).toBe(1)
})
