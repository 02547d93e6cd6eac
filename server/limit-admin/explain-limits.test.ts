import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { catchFailure, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'
import type { Person } from '#testing/sluice/sluice-app.ts'

let scene: LimitAdminScene
let person: Person
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(async () => {
  await scene.clear()
  person = await scene.test.person()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** By a superadmin, who may ask more often than an admin in a second. */
const explain = (procedure: string, subject: string, by = scene.root) => scene.of(by).explain({ procedure, subject })
const override = (ruleSet: string, subject: string | null, terms: Parameters<typeof apply>[0]['terms']) =>
  apply({ ruleSet, target: subject === null ? { kind: 'all' } : { kind: 'subject', subject }, terms })
const apply = (input: Parameters<ReturnType<LimitAdminScene['of']>['override']>[0]) =>
  scene.of(scene.root).override(input)

describe('limits.explain', () => {
  it('states of each rule what is used, what remains and when more returns, and charges nothing', async () => {
    const { viewer } = person
    await override('account-view', null, { rules: [{ limit: 5, window: '1h' }] })
    const { account } = scene.test.as(person)
    for (let call = 0; call < 3; call += 1) await account.me()
    const explained = await explain('account.me', viewer.userId)
    expect(explained).toEqual({
      procedure: 'account.me',
      kind: 'query',
      subject: { key: viewer.userId, kind: 'user', name: viewer.username },
      isExempt: false,
      waitMs: 0,
      answeredBy: 'store',
      rules: [
        {
          ruleSet: 'account-view',
          policy: 'account-view-1h',
          unit: 'calls',
          mode: 'enforce',
          key: expect.stringMatching(`^RATE:LIMIT:\\{${viewer.userId}\\}:account-view:[\\w-]{8}$`),
          algorithm: 'sliding-window-log',
          parts: { limit: 5, unit: 'calls', window: 3_600_000 },
          words: '5 per hour',
          limit: 5,
          windowMs: 3_600_000,
          used: 3,
          remaining: 2,
          resetMs: expect.any(Number),
          waitMs: 0,
          blockedMs: 0,
          override: { kind: 'all' },
          subject: { key: viewer.userId, kind: 'user', name: viewer.username },
          argument: null,
        },
      ],
      unasked: [],
    })
    expect(explained.rules[0]?.resetMs).toBeGreaterThan(3_000_000)
    expect((await explain('account.me', viewer.userId)).rules[0]?.used).toBe(3)
  })

  it('finds a user by the name for signing in, in any case, and names the override that holds', async () => {
    const { userId, username } = person.viewer
    await override('account-view', userId, { rules: [{ limit: 1, window: '1h' }] })
    await scene.test.as(person).account.me()
    const { subject, waitMs, rules } = await explain('account.me', ` ${username.toUpperCase()} `, scene.admin)
    expect([subject.key, rules[0]?.override]).toEqual([userId, { kind: 'subject', subject: userId }])
    expect(waitMs).toBeGreaterThan(3_000_000)
    expect(waitMs).toBe(rules[0]?.waitMs)
    await scene.clear()
    expect((await explain('account.me', username)).rules[0]).toMatchObject({ override: null })
  })

  it('shows a block with what was used behind it', async () => {
    const { userId } = person.viewer
    await override('account-view', userId, { rules: [{ limit: 2, window: '1h', blockFor: '1d' }] })
    const { account } = scene.test.as(person)
    await account.me()
    await account.me()
    const before = (await explain('account.me', userId)).rules[0]
    expect(before).toMatchObject({ used: 2, blockedMs: 0 })
    expect(before?.waitMs).toBeLessThanOrEqual(3_600_000)
    await catchFailure(account.me())
    const [rule] = (await explain('account.me', userId)).rules
    expect(rule).toMatchObject({ used: 2, remaining: 0 })
    expect(rule?.blockedMs).toBeGreaterThan(86_000_000)
    expect(rule?.waitMs).toBe(rule?.blockedMs)
  })

  it('says which sets need an argument or an address', async () => {
    const { userId } = person.viewer
    const download = await explain('image.download', userId)
    expect(download.unasked).toEqual([{ ruleSet: 'download-again', needs: 'argument' }])
    expect(download.rules.map(({ ruleSet }) => ruleSet)).toEqual(expect.arrayContaining(['view', 'download']))
    const upload = await explain('guest.upload', userId)
    expect(upload.rules.map(({ ruleSet }) => ruleSet)).toEqual([
      'guest-upload-of-site',
      'guest-upload-of-site',
      'guest-upload-bytes-of-site',
    ])
    expect(upload.unasked).toContainEqual({ ruleSet: 'guest-upload', needs: 'address' })
    // Of what all callers share, the part of the network that the call will come from.
    expect(upload.unasked).toContainEqual({ ruleSet: 'guest-upload-of-site-network', needs: 'address' })
    const guest = await explain('guest.upload', '198.51.100.9')
    expect([guest.subject.kind, guest.unasked]).toEqual(['address', []])
    expect(guest.rules.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('{198.51.100.9}:guest-upload:'),
        expect.stringContaining('{198.51.100.0/24}:network-guest-upload:'),
        expect.stringContaining('{site}:guest-upload-of-site-network:198.51.100.0/24:'),
      ]),
    )
    const subjects = guest.rules.map(({ ruleSet, subject }) => [ruleSet, subject.key])
    expect(subjects).toContainEqual(['guest-upload-of-site', 'site'])
    expect(subjects).toContainEqual(['guest-upload-of-site-network', '198.51.100.0/24'])
  })

  it('adds to a token’s own rules those of its owner, where it may make the call', async () => {
    const { id } = await insertToken(scene.test, person, ['read'])
    const read = await explain('image.list', `token/${id}`)
    expect(read.rules.map(({ ruleSet }) => ruleSet)).toEqual(['view', 'view', 'view', 'token-read'])
    expect(read.rules.at(-1)?.key).toContain(`{token/${id}}`)
    const upload = await explain('image.upload', `token/${id}`)
    expect(upload.rules.map(({ ruleSet }) => new Set([ruleSet]))).toEqual(
      Array.from({ length: upload.rules.length }, () => new Set(['token-upload'])),
    )
    const own = await explain('api tokens (read)', `token/${id}`)
    expect(own.rules.map(({ ruleSet }) => ruleSet)).toEqual(['token-read'])
    expect(await catchFailure(explain('api tokens (read)', person.viewer.userId))).toMatchObject({
      code: 'BAD_REQUEST',
    })
  })

  it('counts a shared account by address, and all of its addresses', async () => {
    const shared = await scene.test.person({ shared: true })
    await scene.test.as(shared, '198.51.100.20').account.me()
    const { userId } = shared.viewer
    const one = await explain('account.me', `198.51.100.20:${userId}`)
    const used = one.rules.map(({ ruleSet, used: count }) => `${ruleSet} ${count}`)
    expect(new Set(used)).toEqual(new Set(['account-view 1', 'account-view-total 1', 'account-view-network 1']))
    const all = await explain('account.me', userId)
    expect(new Set(all.rules.map(({ ruleSet }) => ruleSet))).toEqual(new Set(['account-view-total']))
  })

  it('says that a superadmin is exempt, except before it is known who calls', async () => {
    const { userId } = scene.root.viewer
    expect(await explain('image.list', userId)).toMatchObject({ isExempt: true, rules: [], unasked: [], waitMs: 0 })
    const pages = await explain('pages', userId)
    expect(pages).toMatchObject({ isExempt: false, rules: [] })
    expect(pages.unasked).toContainEqual({ ruleSet: 'page', needs: 'address' })
  })

  it('refuses what does not exist, and tells it nobody who may not know', async () => {
    const missing = '00000000-0000-4000-8000-000000000000'
    expect(await catchFailure(explain('image.nothing', missing))).toEqual({
      code: 'BAD_REQUEST',
      message: 'There is no procedure or route image.nothing.',
    })
    for (const subject of [missing, `token/${missing}`, `198.51.100.1:${missing}`, 'nobody.at.all']) {
      expect(await catchFailure(explain('image.list', subject))).toEqual({
        code: 'NOT_FOUND',
        message: 'There is no such user or token.',
      })
    }
    for (const stranger of [person, scene.sharedAdmin]) {
      const answers = await Promise.all(
        [missing, person.viewer.userId].map((subject) => catchFailure(explain('image.list', subject, stranger))),
      )
      expect(answers[0]).toEqual(answers[1])
      expect(answers[0]?.code).toBe('FORBIDDEN')
    }
  })
})
