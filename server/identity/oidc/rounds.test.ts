import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NO_PASSWORD } from '#server/accounts/passwords.ts'
import { submitForm } from '#server/http/pages/forms/submit-form.ts'
import { createContext } from '#server/trpc/context.ts'
import { startOpenIdProvider, type TestProvider } from '#testing/accounts/openid-provider.ts'
import { ProviderBrowser } from '#testing/accounts/provider-browser.ts'
import { currentCode } from '#testing/accounts/second-factor.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { findProviderLogout } from './provider-session.ts'

let test: TestApp
let idp: TestProvider
let root: Person
beforeAll(async () => {
  test = await startApp()
  idp = await startOpenIdProvider(test.origin)
  root = await test.person({ role: 'superadmin' })
  await test.as(root).provider.create({
    ...{ name: 'one', label: 'One', issuer: idp.issuer, clientId: idp.clientId, clientSecret: idp.clientSecret },
    ...{ scopes: 'openid email profile', secondFactor: 'here' },
    ...{ opensAccounts: true, linksByEmail: true, endsSession: true, isEnabled: true },
  })
})
afterAll(async () => {
  await idp[Symbol.asyncDispose]()
  await test[Symbol.asyncDispose]()
})

let login: string
beforeEach(async () => {
  login = `p${crypto.randomUUID().slice(0, 8)}`
  idp.people[login] = { preferred_username: login, email: `${login}@example.org`, email_verified: true }
  await test.app.db.oidcProvider.update({
    where: { name: 'one' },
    data: { opensAccounts: true, linksByEmail: true, secondFactor: 'here', isEnabled: true },
  })
  await setRules({ SLUICE_SIGNUP: 'open', SLUICE_SECOND_FACTOR: 'offered', SLUICE_PASSWORDS: 'on' })
})

async function setRules(change: Readonly<Record<string, string>>): Promise<void> {
  const { version } = await test.as(root).site.settings()
  await test.as(root).site.update({ version, change })
}

const browse = (person?: Person) => new ProviderBrowser(test, person?.cookie)
const findUser = (username: string) => test.app.db.user.findUnique({ where: { usernameKey: username.toLowerCase() } })
const countIdentities = (userId: string) => test.app.db.linkedIdentity.count({ where: { userId } })

/** Links the person's account at the provider to theirs, as its page does. */
async function link(person: Person, as = login) {
  const browser = browse(person)
  const { path } = await test.as(person).identity.beginLink({ provider: 'one' })
  return browser.end(await idp.visit(await browser.startAt(path), as))
}

describe('a sign-in by a provider', () => {
  it('opens an account as the rule for sign-up allows, and signs in to it again', async () => {
    const browser = browse()
    expect(await browser.signIn(idp, login)).toBe('/albums')
    const viewer = await browser.viewer()
    expect(viewer).toMatchObject({ username: login, role: 'user', shared: false })
    expect(await findUser(login)).toMatchObject({ passwordHash: NO_PASSWORD, email: `${login}@example.org` })
    const again = browse()
    expect(await again.signIn(idp, login)).toBe('/albums')
    expect((await again.viewer())?.userId).toBe(viewer?.userId)
    const { items } = await test.as(root).audit.list({ account: login })
    expect(items.map(({ action, after }) => [action, after]).reverse()).toMatchObject([
      ['account.signUp', { role: 'user', invite: null, provider: 'one' }],
      ['account.linkIdentity', { provider: 'one', by: 'new-account' }],
      ['account.signIn', { provider: 'one' }],
      ['account.signIn', { provider: 'one' }],
    ])
  })

  it('asks for the code flow with PKCE, state and nonce, and comes back to the site’s own address', async () => {
    const query = new URL(await browse().start()).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${test.origin}/api/auth/oidc/one/callback`,
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(query.has('max_age')).toBe(false)
  })

  it('opens no account where sign-up is closed, or the provider may not', async () => {
    await setRules({ SLUICE_SIGNUP: 'closed' })
    expect(await browse().signIn(idp, login)).toBe('provider-no-account')
    await setRules({ SLUICE_SIGNUP: 'open' })
    await test.app.db.oidcProvider.update({ where: { name: 'one' }, data: { opensAccounts: false } })
    expect(await browse().signIn(idp, login)).toBe('provider-no-account')
    expect(await findUser(login)).toBeNull()
  })

  it('takes one use of an invite where one is needed', async () => {
    await setRules({ SLUICE_SIGNUP: 'invite' })
    expect(await browse().signIn(idp, login)).toBe('provider-needs-invite')
    const { code } = await test.as(root).invite.create({ uses: 1 })
    expect(await browse().signIn(idp, login, { invite: 'another' })).toBe('provider-needs-invite')
    expect(await browse().signIn(idp, login, { invite: code })).toBe('/albums')
    expect(await browse().signIn(idp, login)).toBe('/albums')
    idp.people[`${login}2`] = { preferred_username: `${login}2` }
    expect(await browse().signIn(idp, `${login}2`, { invite: code })).toBe('provider-needs-invite')
  })

  it('gives two people of one name two accounts', async () => {
    idp.people[`${login}2`] = { preferred_username: login }
    await browse().signIn(idp, login)
    const second = browse()
    await second.signIn(idp, `${login}2`)
    expect((await second.viewer())?.username).toBe(`${login}-2`)
  })

  it('is of one account however often its callback arrives at once', async () => {
    const [one, two] = [browse(), browse()]
    const callbacks = [await idp.visit(await one.start(), login), await idp.visit(await two.start(), login)] as const
    expect(await Promise.all([one.end(callbacks[0]), two.end(callbacks[1])])).toEqual(['/albums', '/albums'])
    expect((await one.viewer())?.userId).toBe((await two.viewer())?.userId)
  })

  it('tells a banned user why', async () => {
    const browser = browse()
    await browser.signIn(idp, login)
    const { userId = '' } = (await browser.viewer()) ?? {}
    await test.as(root).user.ban({ id: userId, reason: 'spam' })
    expect(await browse().signIn(idp, login)).toBe('banned-because')
  })

  it('is limited by address, from the start on', async () => {
    const browser = browse()
    for (let round = 0; round < 30; round += 1) await browser.start()
    const refused = await browser.take('start', new URLSearchParams())
    const limit = { ruleSet: 'provider-round' }
    expect(refused).toMatchObject({ outcome: 'failed', page: '/signin', failure: { data: { limit } } })
    expect(await browse().signIn(idp, login)).toBe('/albums')
  })

  it('says that the user has refused, and that a client secret is wrong', async () => {
    expect(await browse().signIn(idp, null)).toBe('provider-denied')
    idp.override('/token', (_req, res) => {
      res.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":"invalid_client"}')
    })
    expect(await browse().signIn(idp, login)).toBe('provider-failed')
    idp.override('/token', null)
    await test.app.failedSignIns.flush()
    expect(await test.app.db.auditEntry.count({ where: { action: 'account.signInFailed' } })).toBeGreaterThan(0)
  })
})

describe('a forged answer', () => {
  const seconds = () => Math.floor(Date.now() / 1_000)

  /** Answers the next code with an ID token of these claims, and ends the round. */
  async function forge(claims: Readonly<Record<string, unknown>>, key?: 'current' | 'unknown') {
    const browser = browse()
    const location = await browser.start()
    const nonce = new URL(location).searchParams.get('nonce')
    const honest = { iss: idp.issuer, aud: idp.clientId, sub: login, nonce, iat: seconds(), exp: seconds() + 300 }
    const idToken = idp.signToken({ ...honest, ...claims }, key)
    idp.override('/token', (_req, res) => {
      const body = { access_token: 'a', token_type: 'Bearer', id_token: idToken }
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
    idp.override('/me', (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ sub: login }))
    })
    try {
      return await browser.end(await idp.visit(location, login))
    } finally {
      idp.override('/token', null)
      idp.override('/me', null)
    }
  }

  it('is accepted only if nothing in it is forged', async () => {
    expect(await forge({})).toBe('/albums')
  })

  it.each([
    ['of another issuer', { iss: 'https://id.example.org' }],
    ['for another audience', { aud: 'another' }],
    ['for several audiences without saying for whom', { aud: ['sluice', 'another'] }],
    ['for another party', { aud: ['sluice', 'another'], azp: 'another' }],
    ['that has ended', { exp: Math.floor(Date.now() / 1_000) - 120 }],
    ['without an end', { exp: undefined }],
    ['of another round', { nonce: 'another' }],
    ['of no round', { nonce: undefined }],
    ['of nobody', { sub: '' }],
  ])('%s is refused', async (_name, claims) => {
    expect(await forge(claims)).toBe('provider-answer-invalid')
  })

  it('by a key that the provider does not publish is refused', async () => {
    expect(await forge({}, 'unknown')).toBe('provider-answer-invalid')
  })

  it('is refused once its key has ended, and one by a new key is accepted at once', async () => {
    expect(await browse().signIn(idp, login)).toBe('/albums')
    idp.rotateKey()
    expect(await browse().signIn(idp, login)).toBe('/albums')
    idp.override('/jwks', (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"keys":[]}')
    })
    expect(await browse().signIn(idp, login)).toBe('provider-answer-invalid')
    idp.override('/jwks', null)
    expect(await browse().signIn(idp, login)).toBe('/albums')
  })

  it('whose UserInfo is of somebody else is refused', async () => {
    idp.override('/me', (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"sub":"another","email":"root@example.org"}')
    })
    expect(await browse().signIn(idp, login)).toBe('provider-answer-invalid')
    idp.override('/me', null)
  })
})

describe('a callback', () => {
  it('works once', async () => {
    const browser = browse()
    const location = await browser.start()
    const before = browser.cookie
    const callback = await idp.visit(location, login)
    expect(await browser.end(callback)).toBe('/albums')
    expect(await browser.end(callback)).toBe('provider-expired')
    expect(await new ProviderBrowser(test, before).end(callback)).toBe('provider-expired')
  })

  it('signs nobody in in another browser, and does not end their own round', async () => {
    const attacker = browse()
    const callback = await idp.visit(await attacker.start(), login)
    const victim = browse()
    expect(await victim.end(callback)).toBe('provider-expired')
    const own = await victim.start()
    expect(await victim.viewer()).toBeNull()
    // The attacker leads the victim to the callback while the victim signs in: its state is not that of the round.
    const cookie = victim.cookie
    expect(await new ProviderBrowser(test, cookie).end(callback)).toBe('provider-expired')
    expect(await new ProviderBrowser(test, cookie).end(await idp.visit(own, login))).toBe('/albums')
  })

  it('of another provider, or that names another issuer, is refused', async () => {
    const browser = browse()
    const callback = await idp.visit(await browser.start(), login)
    expect(await browser.end(callback, 'two')).toBe('provider-expired')
    const mixed = browse()
    const other = await idp.visit(await mixed.start(), login)
    other.searchParams.set('iss', 'https://id.example.org')
    expect(await mixed.end(other)).toBe('provider-answer-invalid')
    const without = browse()
    const bare = await idp.visit(await without.start(), login)
    bare.searchParams.delete('iss')
    expect(await without.end(bare)).toBe('provider-answer-invalid')
  })

  it('with another state, or after ten minutes, is refused', async () => {
    const browser = browse()
    const callback = await idp.visit(await browser.start(), login)
    const forged = new URL(callback)
    forged.searchParams.set('state', 'another')
    expect(await browse().end(forged)).toBe('provider-expired')
    await test.app.db.oidcFlow.updateMany({ data: { expiresAt: new Date() } })
    expect(await browser.end(callback)).toBe('provider-expired')
  })

  it('to which another site has led is not begun', async () => {
    const browser = browse()
    const outcome = await browser.take('start', new URLSearchParams(), { isOwn: false })
    expect(outcome).toMatchObject({
      outcome: 'failed',
      page: '/signin',
      failure: { data: { reason: 'provider-expired' } },
    })
  })
})

describe('a verified address', () => {
  /** Gives an account the person's address, verified or not. */
  async function address({ viewer }: Person, isVerified = true): Promise<string> {
    const email = `${login}@example.org`
    const emailVerifiedAt = isVerified ? new Date() : null
    await test.app.db.user.update({ where: { id: viewer.userId }, data: { email, emailKey: email, emailVerifiedAt } })
    return viewer.userId
  }
  const signedInAs = async () => {
    const browser = browse()
    await browser.signIn(idp, login)
    return (await browser.viewer())?.userId
  }

  it('links the account that has it, if the owner says so', async () => {
    const person = await test.person()
    const userId = await address(person)
    await test.app.db.oidcProvider.update({ where: { name: 'one' }, data: { linksByEmail: false } })
    const stranger = await signedInAs()
    expect(stranger).not.toBe(userId)
    await test.app.db.user.delete({ where: { id: stranger ?? '' } })
    await test.app.db.oidcProvider.update({ where: { name: 'one' }, data: { linksByEmail: true } })
    expect(await signedInAs()).toBe(userId)
    const { items } = await test.as(person).audit.mine()
    expect(items.find(({ action }) => action === 'account.linkIdentity')?.after).toMatchObject({ by: 'email' })
  })

  it.each([
    ['the provider has not verified', { email_verified: false }, {}],
    ['the provider says nothing about', { email_verified: undefined }, {}],
    ['the provider calls verified in a text', { email_verified: 'true' }, {}],
    ['is an admin’s', {}, { role: 'admin' as const }],
    ['is a superadmin’s', {}, { role: 'superadmin' as const }],
    ['is of a shared account', {}, { shared: true }],
  ])('that %s links nothing', async (_name, claims, kind) => {
    const userId = await address(await test.person(kind))
    idp.people[login] = { ...idp.people[login], ...claims }
    expect(await signedInAs()).not.toBe(userId)
    expect(await countIdentities(userId)).toBe(0)
  })

  it('that is not verified here links nothing: somebody else may have entered it', async () => {
    const userId = await address(await test.person(), false)
    expect(await signedInAs()).not.toBe(userId)
    expect(await countIdentities(userId)).toBe(0)
  })
})

describe('linking', () => {
  it('is for who is signed in, and is shown and taken back on the account page', async () => {
    const person = await test.person({ role: 'admin', password: 'a password of one’s own' })
    expect(await link(person)).toBe('/albums')
    const browser = browse()
    await browser.signIn(idp, login)
    expect((await browser.viewer())?.userId).toBe(person.viewer.userId)
    const { items, available } = await test.as(person).identity.linked()
    expect([items[0]?.provider, items[0]?.email, available]).toEqual(['One', `${login}@example.org`, []])
    await test.as(person).identity.unlink({ id: items[0]?.id ?? '' })
    expect(await browse().signIn(idp, login)).toBe('/albums')
    expect(await countIdentities(person.viewer.userId)).toBe(0)
  })

  it('refuses an identity of another account, and is harmless twice', async () => {
    const [one, two] = [await test.person(), await test.person()]
    expect([await link(one), await link(one), await link(two)]).toEqual([
      '/albums',
      '/albums',
      'identity-linked-elsewhere',
    ])
  })

  it('is of the session that began it, and cannot be begun by another site', async () => {
    const [one, two] = [await test.person(), await test.person()]
    const { path } = await test.as(one).identity.beginLink({ provider: 'one' })
    await expect(browse(two).startAt(path)).rejects.toThrow(/Start it again/)
    await expect(browse().startAt(path)).rejects.toThrow(/Start it again/)
    await expect(browse(one).start({ round: 'forged' })).rejects.toThrow(/Start it again/)
    const browser = browse(one)
    const callback = await idp.visit(await browser.startAt(path), login)
    await test.as(one).account.signOutEverywhere()
    expect(await browser.end(callback)).toBe('provider-expired')
    expect(await countIdentities(one.viewer.userId)).toBe(0)
  })

  it('never removes the last way in', async () => {
    const browser = browse()
    await browser.signIn(idp, login)
    const viewer = await browser.viewer()
    const person = { viewer: viewer ?? root.viewer, sessionId: viewer?.sessionId ?? '' }
    const caller = test.as(person)
    const [identity] = (await caller.identity.linked()).items
    await expect(caller.identity.unlink({ id: identity?.id ?? '' })).rejects.toThrow(/the last way to sign in/)
    await caller.account.changePassword({ currentPassword: '', newPassword: 'a first password of one’s own' })
    await caller.identity.unlink({ id: identity?.id ?? '' })
    await expect(
      caller.account.changePassword({ currentPassword: '', newPassword: 'a second password of one’s own' }),
    ).rejects.toThrow(/current password is wrong/)
  })

  it('asks for a fresh proof', async () => {
    const { viewer, sessionId } = await test.person()
    const stale = { sessionId, viewer: { ...viewer, provedAt: new Date(0) } }
    await expect(test.as(stale).identity.beginLink({ provider: 'one' })).rejects.toThrow(/Confirm that it is you/)
    const id = crypto.randomUUID()
    await expect(test.as(stale).identity.unlink({ id })).rejects.toThrow(/Confirm that it is you/)
  })
})

describe('a second factor', () => {
  async function personWithFactor() {
    const browser = browse()
    await browser.signIn(idp, login)
    const viewer = await browser.viewer()
    if (!viewer) throw new Error('nobody is signed in')
    const caller = test.as({ viewer, sessionId: viewer.sessionId ?? '' })
    const { setUp, secret } = await caller.identity.beginTotp()
    const { recoveryCodes } = await caller.identity.confirmTotp({ setUp, code: currentCode(secret) })
    return { viewer, recoveryCodes }
  }
  const check = (secondFactor: string) =>
    test.app.db.oidcProvider.update({ where: { name: 'one' }, data: { secondFactor } })

  it('of an account is asked for after the provider', async () => {
    const { viewer, recoveryCodes } = await personWithFactor()
    const browser = browse()
    expect(await browser.signIn(idp, login)).toBe('/signin/verify?next=%2Falbums')
    expect(await browser.viewer()).toBeNull()
    const header = (name: string) => (name === 'cookie' ? browser.cookie : undefined)
    const facts = { viewer: null, address: browser.address, requestId: 'x', foreignOrigin: false, header }
    const form = { kind: 'verify', method: 'recovery', answer: recoveryCodes[0] ?? '', trusts: false } as const
    const signal = new AbortController().signal
    const done = await submitForm(test.app, form, { context: createContext(test.app, facts), signal })
    expect(done.outcome).toBe('done')
    const session = await test.app.db.session.findFirst({
      where: { userId: viewer.userId },
      orderBy: { createdAt: 'desc' },
    })
    expect(session).toMatchObject({ provider: 'one', hasProviderFactor: false })
    expect(session?.sealedIdToken).toMatch(/^v1\./)
  })

  it('is not asked for where the provider checks it, nor required of such a session', async () => {
    await personWithFactor()
    await check('claimed')
    expect(await browse().signIn(idp, login)).toMatch('/signin/verify')
    await check('there')
    expect(await browse().signIn(idp, login)).toBe('/albums')
    await setRules({ SLUICE_SECOND_FACTOR: 'required-all' })
    const other = `${login}2`
    idp.people[other] = { preferred_username: other }
    const browser = browse()
    await browser.signIn(idp, other)
    expect((await browser.viewer())?.needsFactor).toBe(false)
    await check('here')
    const again = browse()
    await again.signIn(idp, other)
    expect((await again.viewer())?.needsFactor).toBe(true)
  })
})

describe('a proof', () => {
  async function begin() {
    const browser = browse()
    await browser.signIn(idp, login)
    const viewer = await browser.viewer()
    if (!viewer?.sessionId) throw new Error('nobody is signed in')
    await test.app.db.session.update({ where: { id: viewer.sessionId }, data: { provedAt: new Date(0) } })
    const caller = test.as({ viewer, sessionId: viewer.sessionId })
    const { path } = await caller.identity.beginProof({ provider: 'one' })
    return { browser, caller, location: await browser.startAt(path) }
  }
  const isProven = async (browser: ProviderBrowser) =>
    Date.now() - ((await browser.viewer())?.provedAt?.getTime() ?? 0) < 60_000

  it('is a sign-in at the provider after it was asked for', async () => {
    const { browser, caller, location } = await begin()
    expect(await caller.identity.proofWays()).toEqual({ password: false, providers: [{ name: 'one', label: 'One' }] })
    const query = new URL(location).searchParams
    expect([query.get('max_age'), query.get('prompt')]).toEqual(['0', 'login'])
    // Signed in there already, and asked again all the same.
    expect(await browser.end(await idp.visit(location, login, browser.jar))).toBe('/signin/provider?proven=1')
    expect(await isProven(browser)).toBe(true)
  })

  it('is none if the provider has not asked again, or somebody else has signed in', async () => {
    const { browser, location } = await begin()
    const callback = await idp.visit(location, login, browser.jar)
    const claims = {
      iss: idp.issuer,
      aud: idp.clientId,
      sub: login,
      nonce: new URL(location).searchParams.get('nonce'),
    }
    const at = Math.floor(Date.now() / 1_000)
    const idToken = idp.signToken({ ...claims, iat: at, exp: at + 300, auth_time: at - 300 })
    idp.override('/token', (_req, res) => {
      const body = { access_token: 'a', token_type: 'Bearer', id_token: idToken }
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
    expect(await browser.end(callback)).toBe('provider-answer-invalid')
    idp.override('/token', null)
    const other = await begin()
    expect(await other.browser.end(await idp.visit(other.location, `${login}9`))).toBe('provider-other-identity')
    expect([await isProven(browser), await isProven(other.browser)]).toEqual([false, false])
  })

  it('is by the password for who has one, and not where passwords are off', async () => {
    const person = await test.person({ role: 'superadmin', password: 'a password of one’s own' })
    await link(person)
    expect(await test.as(person).identity.proofWays()).toEqual({ password: true, providers: [] })
    await link(root, `${login}r`)
    await setRules({ SLUICE_PASSWORDS: 'off' })
    expect((await test.as(person).identity.proofWays()).providers).toHaveLength(1)
    const wrong = test.as(person).identity.proveByPassword({ password: 'a password of one’s own' })
    await expect(wrong).rejects.toThrow(/does not sign in with passwords/)
  })

  it('deletes an account without a password', async () => {
    const { browser } = await begin()
    const viewer = (await browser.viewer()) ?? root.viewer
    const sessionId = viewer.sessionId ?? ''
    const stale = test.as({ viewer, sessionId }).account.delete({ username: login, password: '' })
    await expect(stale).rejects.toThrow(/Confirm that it is you/)
    const fresh = { viewer: { ...viewer, provedAt: new Date() }, sessionId }
    await test.as(fresh).account.delete({ username: login, password: '' })
    expect(await findUser(login)).toBeNull()
  })
})

describe('signing out', () => {
  it('ends the session at the provider, and leads back to this site alone', async () => {
    const browser = browse()
    await browser.signIn(idp, login)
    const sessionId = (await browser.viewer())?.sessionId ?? ''
    const location = new URL((await findProviderLogout(test.app, sessionId)) ?? '')
    expect(location.href.startsWith(`${idp.issuer}/session/end?`)).toBe(true)
    expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${test.origin}/signin`)
    const cookie = () => Array.from(browser.jar, ([name, value]) => `${name}=${value}`).join('; ')
    // The provider knows whose session it is, by the ID token, and lets it end.
    const page = await fetch(location, { headers: { cookie: cookie() } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/session/end/confirm')])
    await test.app.db.oidcProvider.update({ where: { name: 'one' }, data: { endsSession: false } })
    expect(await findProviderLogout(test.app, sessionId)).toBeNull()
    await test.app.db.oidcProvider.update({ where: { name: 'one' }, data: { endsSession: true } })
    expect(await findProviderLogout(test.app, root.sessionId)).toBeNull()
  })
})
