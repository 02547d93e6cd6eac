import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginPasskey } from '#server/http/pages/forms/begin-passkey.ts'
import { createPageBridge } from '#server/http/pages/page-bridge.ts'
import { addPasskey, type SoftwarePasskey, type Twist } from '#testing/accounts/passkey.ts'
import { outcomeOf, postForm, senderOf, toCookie } from '#testing/http/post-form.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const PASSWORD = 'a password of one’s own'

let test: TestApp
let root: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
})
afterAll(() => test[Symbol.asyncDispose]())

let person: Person
let userId: string
let passkey: SoftwarePasskey
let address: string
let addresses = 0
beforeEach(async () => {
  person = await test.person({ password: PASSWORD })
  userId = person.viewer.userId
  passkey = await addPasskey(test, person)
  addresses += 1
  address = `198.51.100.${addresses}`
})

/** Asks what to sign, as a browser with this Cookie header. Returns it with the Cookie header that the browser then has. */
async function begin(cookie?: string) {
  const begun = await beginPasskey(test.app, senderOf(test, { address, cookie }))
  if (begun.outcome === 'failed') return expect.unreachable(begun.failure.message)
  const { challenge, ...options } = begun.options
  return { options: { challenge, ...options }, rest: options, header: begun.cookie, cookie: toCookie([begun.cookie]) }
}

const finish = (answer: string, cookie: string | undefined) =>
  postForm(test, { kind: 'passkey', answer }, { address, cookie })

/** Signs in by the passkey alone. */
async function signIn(twist?: Twist, by = passkey) {
  const { options, cookie } = await begin()
  return finish(by.answer(options, twist), cookie)
}

const sessions = () => test.app.db.session.count({ where: { userId, userAgent: 'a browser' } })
const failures = async () => {
  await test.app.failedSignIns.flush()
  const { items } = await test.as(person).audit.mine()
  return items.flatMap(({ action, after, times }) => (action === 'account.signInFailed' ? [[after, times]] : []))
}

describe('a passkey alone', () => {
  it('signs in as both steps, and its use is recorded', async () => {
    await test.app.db.totpFactor.create({ data: { userId, sealedSecret: '' } })
    const outcome = await signIn({ counter: 7, isBackedUp: true })
    if (outcome.outcome !== 'done') return expect.unreachable(outcome.outcome)
    expect((await test.app.findViewer({ cookie: toCookie(outcome.cookies) }))?.userId).toBe(userId)
    const { counter, isBackedUp, lastUsedAt } = await test.app.db.passkey.findFirstOrThrow({ where: { userId } })
    expect([counter, isBackedUp, lastUsedAt instanceof Date]).toEqual([7n, true, true])
    await signIn({ counter: 8 })
    const { items } = await test.as(person).audit.mine()
    expect(items.slice(0, 3).map(({ action, times }) => [action, times])).toEqual([
      ['account.signIn', 2],
      ['account.usePasskey', 2],
      ['account.addPasskey', 1],
    ])
  })

  it('is asked for in the same words whoever asks, in a cookie that no script reads', async () => {
    const [one, two] = [await begin(), await begin()]
    expect(one.rest).toEqual(two.rest)
    expect(one.rest).toEqual({ rpId: 'localhost', timeout: 600_000, userVerification: 'required' })
    expect(one.header).toMatch(/^sluice\.passkey=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/)
  })

  it('is asked for in two pages of a browser, and each can end the sign-in', async () => {
    const first = await begin()
    const second = await begin(first.cookie)
    expect(second.cookie).toBe(first.cookie)
    expect(await outcomeOf(finish(passkey.answer(first.options), first.cookie))).toBe('done')
    expect(await outcomeOf(finish(passkey.answer(second.options), first.cookie))).toBe('done')
  })

  it.each<readonly [string, Twist, string]>([
    ['of another origin', { origin: 'https://evil.example' }, 'passkey-other-origin'],
    ['of another host name', { rpId: 'evil.example' }, 'passkey-other-origin'],
    ['that has not verified its user', { isVerified: false }, 'passkey-unverified'],
    ['with the handle of another account', { userHandle: 'AAAA' }, 'passkey-unknown'],
    ['for a challenge that nobody has asked for', { challenge: 'x'.repeat(43) }, 'passkey-expired'],
  ])('%s is refused', async (_, twist, reason) => {
    expect(await outcomeOf(signIn(twist))).toBe(reason)
    expect(await sessions()).toBe(0)
  })

  it('is refused if it counts backwards or not on, as a copy would', async () => {
    await signIn({ counter: 7 })
    for (const counter of [7, 6, 0]) expect(await outcomeOf(signIn({ counter }))).toBe('passkey-copied')
    expect(await outcomeOf(signIn({ counter: 8 }))).toBe('done')
    expect(await failures()).toEqual([[{ outcome: 'wrong-passkey' }, 3]])
  })

  it('answers a challenge once, right or wrong, and in the browser that began', async () => {
    const { options, cookie } = await begin()
    const answer = passkey.answer(options)
    for (const foreign of [undefined, 'sluice.passkey=', (await begin()).cookie])
      expect(await outcomeOf(finish(answer, foreign))).toBe('passkey-expired')
    const twice = await Promise.all([outcomeOf(finish(answer, cookie)), outcomeOf(finish(answer, cookie))])
    expect(twice.toSorted()).toEqual(['done', 'passkey-expired'])
    const wrong = await begin()
    expect(await outcomeOf(finish(passkey.answer(wrong.options, { isVerified: false }), wrong.cookie))).toBe(
      'passkey-unverified',
    )
    expect(await outcomeOf(finish(passkey.answer(wrong.options), wrong.cookie))).toBe('passkey-expired')
    const late = await begin()
    await test.app.db.passkeyChallenge.updateMany({ data: { expiresAt: new Date() } })
    expect(await outcomeOf(finish(passkey.answer(late.options), late.cookie))).toBe('passkey-expired')
  })

  it('is refused with a signature by another key, or with none', async () => {
    const other = await addPasskey(test, await test.person())
    const { options, cookie } = await begin()
    const stolen = { ...JSON.parse(other.answer(options)), id: passkey.id, rawId: passkey.id }
    delete stolen.response.userHandle
    expect(await outcomeOf(finish(JSON.stringify(stolen), cookie))).toBe('wrong-passkey')
    for (const answer of ['', 'null', '{}', '{"type":"public-key"}', '\0'])
      expect(await outcomeOf(finish(answer, cookie))).toBe('wrong-passkey')
    expect(await sessions()).toBe(0)
  })

  it('does not sign in once it is removed, its account is deleted, or the account is shared', async () => {
    await test.app.db.user.update({ where: { id: userId }, data: { shared: true } })
    expect(await outcomeOf(signIn())).toBe('passkey-unknown')
    await test.app.db.user.update({ where: { id: userId }, data: { shared: false } })
    const [{ id = '' } = {}] = (await test.as(person).identity.passkeys()).items
    await test.as(person).identity.removePasskey({ id })
    expect(await outcomeOf(signIn())).toBe('passkey-unknown')
    const other = await test.person({ password: PASSWORD })
    const others = await addPasskey(test, other)
    await test.as(other).account.delete({ username: other.viewer.username, password: PASSWORD })
    expect(await outcomeOf(signIn({}, others))).toBe('passkey-unknown')
  })

  it('of a banned account says so, and only if it is right', async () => {
    await test.as(root).user.ban({ id: userId, reason: 'spam' })
    const outcome = await signIn()
    if (outcome.outcome !== 'failed') return expect.unreachable(outcome.outcome)
    expect(outcome.failure.data.text).toEqual({ code: 'banned-because', params: { reason: 'spam' } })
    expect(await outcomeOf(signIn({ isVerified: false }))).toBe('passkey-unverified')
    expect(await sessions()).toBe(0)
  })

  it('is refused after sixty wrong answers from its address, and not elsewhere', async () => {
    for (let at = 0; at < 60; at += 1) await finish('wrong', undefined)
    expect(await outcomeOf(signIn())).toBe('TOO_MANY_REQUESTS')
    address = '203.0.113.200'
    expect(await outcomeOf(signIn())).toBe('done')
  })

  it('is asked for sixty times a minute from an address', async () => {
    for (let at = 0; at < 60; at += 1) await begin()
    const begun = await beginPasskey(test.app, senderOf(test, { address }))
    expect(begun).toMatchObject({ outcome: 'failed', failure: { data: { httpStatus: 429 } } })
  })
})

describe('a passkey as the second step', () => {
  const first = async ({ viewer }: Person = person) => {
    const form = { kind: 'sign-in', username: viewer.username, password: PASSWORD } as const
    const outcome = await postForm(test, form, { address })
    return outcome.outcome === 'second-step' ? toCookie(outcome.cookies) : expect.unreachable(outcome.outcome)
  }
  const pending = (cookie: string) => createPageBridge(test.app).pendingSignIn(new Headers({ cookie }))
  const optionsOf = async (cookie: string) =>
    (await pending(cookie))?.passkey ?? expect.unreachable('no passkey is asked for')
  const second = (answer: string, cookie: string) =>
    postForm(test, { kind: 'verify', method: 'passkey', answer, trusts: false }, { address, cookie })

  it('is offered first, for the account’s own, and opens the session', async () => {
    await test.app.db.totpFactor.create({ data: { userId, sealedSecret: '' } })
    const cookie = await first()
    expect((await pending(cookie))?.methods).toEqual(['passkey', 'totp', 'recovery'])
    const options = await optionsOf(cookie)
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([passkey.id])
    expect(await optionsOf(cookie)).toEqual(options)
    expect(await outcomeOf(second(passkey.answer(options), cookie))).toBe('done')
    expect(await outcomeOf(second(passkey.answer(options), cookie))).toBe('sign-in-expired')
    expect(await sessions()).toBe(1)
  })

  it('is of this sign-in, this account and this site', async () => {
    const cookie = await first()
    const options = await optionsOf(cookie)
    const other = await test.person({ password: PASSWORD })
    const others = await addPasskey(test, other)
    const alone = await begin()
    const answers = [
      passkey.answer(await optionsOf(await first())),
      passkey.answer(alone.options),
      others.answer(options),
      passkey.answer(options, { origin: 'https://evil.example' }),
      passkey.answer(options, { isVerified: false }),
      'no answer',
    ]
    const outcomes: string[] = []
    for (const answer of answers) outcomes.push(await outcomeOf(second(answer, cookie)))
    expect(outcomes).toEqual([
      'passkey-expired',
      'passkey-expired',
      'passkey-unknown',
      'passkey-other-origin',
      'passkey-unverified',
      'wrong-passkey',
    ])
    expect(await sessions()).toBe(0)
    expect(await outcomeOf(second(passkey.answer(options), cookie))).toBe('done')
    expect(await failures()).toEqual([[{ outcome: 'wrong-second-step' }, 6]])
  })
})
