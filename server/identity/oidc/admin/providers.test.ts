import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import { startOpenIdProvider, type TestProvider } from '#testing/accounts/openid-provider.ts'
import { insertProvider, providerSettings } from '#testing/accounts/provider-row.ts'
import { type Person, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'
import { Discoveries } from '../discovery.ts'
import { listEndedProviders } from '../ended-providers.ts'

let test: TestApp
let idp: TestProvider
let root: Person
let caller: TestCaller
beforeAll(async () => {
  test = await startApp()
  idp = await startOpenIdProvider(test.origin)
  root = await test.person({ role: 'superadmin' })
  caller = test.as(root)
})
afterAll(async () => {
  await idp[Symbol.asyncDispose]()
  await test[Symbol.asyncDispose]()
})
beforeEach(async () => {
  idp.override(DISCOVERY, null)
  await test.app.db.linkedIdentity.deleteMany()
  await test.app.db.oidcProvider.deleteMany()
})

const DISCOVERY = '/.well-known/openid-configuration'

const given = () => ({
  ...{ name: 'one', label: 'One', issuer: idp.issuer, clientId: 'sluice', clientSecret: 'a secret to keep' },
  ...{ scopes: 'openid email', secondFactor: 'here' as const },
  ...{ opensAccounts: false, linksByEmail: false, endsSession: true, isEnabled: true },
})
const changed = () => {
  const { issuer: _, clientSecret: __, ...change } = given()
  return { ...change, version: 1 }
}

/** Answers discovery with these members in place of the provider's. */
async function discover(members: Readonly<Record<string, unknown>>): Promise<void> {
  idp.override(DISCOVERY, null)
  const honest: unknown = await (await fetch(`${idp.issuer}${DISCOVERY}`)).json()
  idp.override(DISCOVERY, (_req, res) => {
    const body = JSON.stringify({ ...(honest instanceof Object && honest), ...members })
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
  })
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: { cause?: { text?: { code?: string } } }) => error.cause?.text?.code ?? String(error),
  )

describe('a provider', () => {
  it('is added, changed, moved and deleted, each in the audit without its secret', async () => {
    await caller.provider.create(given())
    await insertProvider(test.app.db, 'two')
    const { items } = await caller.provider.list()
    expect(items.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(items[0]).toMatchObject({ hasSecret: true, hasEnded: false, linked: 0, version: 1 })
    expect(items[0]?.callbackUrl).toBe(`${test.origin}/api/auth/oidc/one/callback`)
    expect(JSON.stringify(items)).not.toMatch(/a secret to keep|sealed/)
    await caller.provider.update({ ...changed(), label: 'Uno' })
    await caller.provider.order({ names: ['two', 'one'] })
    expect((await caller.provider.list()).items.map(({ label }) => label)).toEqual(['A', 'Uno'])
    await caller.provider.delete({ name: 'one' })
    const entries = (await caller.audit.list({ kind: 'provider' })).items
    expect(entries.map(({ action }) => action)).toEqual([
      'provider.delete',
      'provider.order',
      'provider.update',
      'provider.create',
    ])
    expect(JSON.stringify(entries)).not.toMatch(/a secret to keep|v1\./)
  })

  it('keeps its secret unless a new one is given, sealed about itself', async () => {
    await caller.provider.create(given())
    const sealed = async () => (await test.app.db.oidcProvider.findUnique({ where: { name: 'one' } }))?.sealedSecret
    const first = await sealed()
    expect(first).toMatch(/^v1\.[\w-]+$/)
    await caller.provider.update(changed())
    expect(await sealed()).toBe(first)
    await caller.provider.update({ ...changed(), version: 2, clientSecret: 'another one' })
    expect(await sealed()).not.toBe(first)
    await caller.provider.update({ ...changed(), version: 3, clientSecret: null })
    expect(await sealed()).toBeNull()
  })

  it('is not changed over somebody else’s change, nor added twice', async () => {
    await caller.provider.create(given())
    expect(await codeOf(caller.provider.create(given()))).toBe('provider-name-taken')
    expect(await codeOf(caller.provider.create({ ...given(), name: 'two' }))).toBe('provider-issuer-taken')
    await caller.provider.update(changed())
    expect(await codeOf(caller.provider.update(changed()))).toBe('provider-changed')
    expect(await codeOf(caller.provider.order({ names: ['one', 'two'] }))).toBe('provider-changed')
    expect(await codeOf(caller.provider.delete({ name: 'two' }))).toBe('provider-not-found')
  })

  it('takes what is linked at it along when it is deleted', async () => {
    await caller.provider.create(given())
    const data = { userId: root.viewer.userId, subject: 'a' }
    await test.app.db.linkedIdentity.createMany({
      data: [
        { ...data, issuer: idp.issuer },
        { ...data, issuer: 'https://id.example.org' },
      ],
    })
    expect((await caller.provider.delete({ name: 'one' })).unlinked).toBe(1)
    expect(await test.app.db.linkedIdentity.count()).toBe(1)
  })

  it.each([
    ['name', { name: 'One!' }],
    ['scopes', { scopes: 'email profile' }],
    ['scopes', { scopes: 'openid "email"' }],
    ['clientId', { clientId: ' ' }],
  ])('with a bad %s is refused', async (field, change) => {
    const refused = caller.provider.create({ ...given(), ...change })
    await expect(refused).rejects.toMatchObject({ cause: { issues: [{ path: [field] }] } })
  })
})

describe('an issuer', () => {
  it('is found by its discovery document, also as that was copied', async () => {
    const found = { issuer: idp.issuer, endsSession: true }
    expect(await caller.provider.test({ issuer: ` ${idp.issuer}/ ` })).toEqual(found)
    expect(await caller.provider.test({ issuer: `${idp.issuer}${DISCOVERY}` })).toEqual(found)
  })

  it.each(['', 'id.example.org', 'ftp://id.example.org', 'https://a:b@id.example.org', 'https://id.example.org/?a=b'])(
    '%j is none',
    async (issuer) => {
      expect(await codeOf(caller.provider.test({ issuer }))).toBe('provider-bad-issuer')
    },
  )

  it('is not reached over plain HTTP off this machine', async () => {
    expect(await codeOf(caller.provider.test({ issuer: 'http://192.0.2.7' }))).toBe('provider-insecure')
  })

  it('that cannot be reached, is no provider or says nonsense is named so', async () => {
    expect(await codeOf(caller.provider.test({ issuer: 'http://127.0.0.1:1' }))).toBe('provider-unreachable')
    expect(await codeOf(caller.provider.test({ issuer: `${idp.issuer}/elsewhere` }))).toBe('provider-no-discovery')
    idp.override(DISCOVERY, (_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{'))
    expect(await codeOf(caller.provider.test({ issuer: idp.issuer }))).toBe('provider-no-discovery')
    idp.override(DISCOVERY, (_req, res) => void res.writeHead(302, { Location: 'http://127.0.0.1/' }).end())
    expect(await codeOf(caller.provider.test({ issuer: idp.issuer }))).toBe('provider-no-discovery')
    idp.override(DISCOVERY, (_req, res) => void res.writeHead(200).end('x'.repeat(300_000)))
    expect(await codeOf(caller.provider.test({ issuer: idp.issuer }))).toBe('provider-too-large')
  })

  it.each([
    ['provider-other-issuer', { issuer: 'https://id.example.org' }],
    ['provider-without-code', { response_types_supported: ['id_token'] }],
    ['provider-without-code', { token_endpoint: undefined }],
    ['provider-without-keys', { id_token_signing_alg_values_supported: ['HS256', 'none'] }],
    ['provider-without-keys', { jwks_uri: undefined }],
    ['provider-insecure', { authorization_endpoint: 'javascript:alert(1)' }],
    ['provider-insecure', { end_session_endpoint: 'http://192.0.2.7/end' }],
  ])('is refused as %s', async (code, members) => {
    await discover(members)
    expect(await codeOf(caller.provider.create(given()))).toBe(code)
    expect(await test.app.db.oidcProvider.count()).toBe(0)
  })

  it('that hangs is given up at a deadline, and asked again the next time', async () => {
    const discoveries = new Discoveries({ site: test.app.config, deadlineMs: 50 })
    idp.override(DISCOVERY, () => undefined)
    const provider = { ...providerSettings, name: 'one', issuer: idp.issuer, sealedSecret: null }
    expect(await codeOf(discoveries.open(provider))).toBe('provider-silent')
    idp.override(DISCOVERY, null)
    const patient = new Discoveries({ site: test.app.config })
    expect((await patient.open(provider)).serverMetadata().issuer).toBe(idp.issuer)
    idp.override(DISCOVERY, () => undefined)
    expect((await patient.open(provider)).serverMetadata().issuer).toBe(idp.issuer)
  })

  it('on the internet leads nobody into the site’s network, by an address or by a name', async () => {
    const resolve = (name: string, answer: (error: null, found: { address: string; family: number }[]) => void) =>
      answer(null, [{ address: name === 'id.example.org' ? '8.8.8.8' : '10.0.0.7', family: 4 }])
    const { createProviderFetch } = await import('../provider-fetch.ts')
    const fetch = createProviderFetch({ issuer: new URL('https://id.example.org'), deadlineMs: 1_000, resolve })
    const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
    for (const url of ['https://10.0.0.7/token', 'https://[::1]/token', 'https://inside.example.org/token'])
      expect(await codeOf(fetch(url, options))).toBe('provider-private')
    expect(await codeOf(fetch('http://id.example.org/token', options))).toBe('provider-insecure')
  })
})

describe('a site without passwords', () => {
  const setPasswords = async (value: 'on' | 'off') => {
    const { version } = await caller.site.settings()
    return caller.site.update({ version, change: { SLUICE_PASSWORDS: value } })
  }
  const linkRoot = () =>
    test.app.db.linkedIdentity.create({ data: { userId: root.viewer.userId, issuer: idp.issuer, subject: 'root' } })

  it('has an enabled provider, and whoever switches passwords off can sign in by it', async () => {
    expect(await codeOf(setPasswords('off'))).toBe('passwords-need-provider')
    await caller.provider.create(given())
    expect(await codeOf(setPasswords('off'))).toBe('passwords-lock-you-out')
    await linkRoot()
    await setPasswords('off')
    expect(test.app.site.read().passwords).toBe(false)
    expect(await codeOf(caller.provider.update({ ...changed(), isEnabled: false }))).toBe('last-provider')
    expect(await codeOf(caller.provider.delete({ name: 'one' }))).toBe('last-provider')
    expect(await test.app.db.oidcProvider.count({ where: { isEnabled: true } })).toBe(1)
    const form = { username: root.viewer.username, password: 'x', address: '192.0.2.7', userAgent: 'a browser' }
    expect(await signIn(test.app, form)).toEqual({ outcome: 'passwords-off' })
    expect(await codeOf(test.as(null).account.signUp({ username: 'ada', password: 'x'.repeat(20) }))).not.toBe(
      'accepted',
    )
    await setPasswords('on')
    await caller.provider.delete({ name: 'one' })
  })
})

it('names the providers whose secret another SLUICE_SECRET does not open', async () => {
  await caller.provider.create(given())
  await insertProvider(test.app.db, 'two')
  const { db, config } = test.app
  expect(await listEndedProviders(db, config.secret)).toEqual([])
  expect([await listEndedProviders(db, 'another'), await listEndedProviders(db, null)]).toEqual([['One'], ['One']])
  const provider = await db.oidcProvider.findUniqueOrThrow({ where: { name: 'one' } })
  expect(await codeOf(new Discoveries({ site: { secret: 'another' } }).open(provider))).toBe('provider-ended')
})
