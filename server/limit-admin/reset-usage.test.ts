import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { catchFailure, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'
import type { Person } from '#testing/sluice/sluice-app.ts'

let scene: LimitAdminScene
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene[Symbol.asyncDispose]())

const ADDRESS = '203.0.113.7'

describe('limits.reset', () => {
  const fill = async (person: Person, address?: string) => {
    const { limits } = scene.test.as(person, address)
    for (let i = 0; i < 2; i += 1) await limits.stats()
    return async () => (await catchFailure(limits.stats())).code
  }
  beforeEach(async () => {
    await scene.of(scene.root).override({
      ruleSet: 'operations-view',
      target: { kind: 'role', role: 'admin' },
      terms: { rules: [{ limit: 2, window: '1h' }] },
    })
  })

  it('resets what a user has used under the limits of their role, and is audited', async () => {
    const person = await scene.test.person({ role: 'admin' })
    const refused = await fill(person)
    expect(await refused()).toBe('TOO_MANY_REQUESTS')
    await scene.of(scene.root).reset({ ruleSet: 'operations-view', subject: person.viewer.userId })
    await fill(person)
    expect(await refused()).toBe('TOO_MANY_REQUESTS')
    const { items } = await scene.of(scene.root).history({})
    expect(items[0]).toMatchObject({
      action: 'limits.reset',
      target: { kind: 'subject', subject: person.viewer.userId },
      subjectName: person.viewer.username,
      before: null,
      after: null,
    })
  })

  it('resets what a token has used under its own override, and names it', async () => {
    const person = await scene.test.person()
    const { id, headers } = await insertToken(scene.test, person, ['read'], { name: 'phone' })
    const subject = `token/${id}`
    const terms = { rules: [{ limit: 2, window: '1h' as const }] }
    await scene.of(scene.root).override({ ruleSet: 'token-read', target: { kind: 'subject', subject }, terms })
    const list = async () => (await fetch(`${scene.test.origin}/api/trpc/image.list`, { headers })).status
    expect([await list(), await list(), await list()]).toEqual([200, 200, 429])
    const named = { subject: { key: subject, kind: 'token', name: `phone (${person.viewer.username})` } }
    expect((await scene.of(scene.root).stats()).mostRefused).toContainEqual(expect.objectContaining(named))
    await scene.of(scene.root).reset({ ruleSet: 'token-read', subject })
    expect([await list(), await list(), await list()]).toEqual([200, 200, 429])
    const { items } = await scene.of(scene.root).history({ limit: 1 })
    expect(items[0]).toMatchObject({ target: { kind: 'subject', subject }, subjectName: named.subject.name })
  })

  it('resets what one address of a shared account has used, and no other', async () => {
    const person = await scene.test.person({ role: 'admin', shared: true })
    const [here, there] = [await fill(person, '192.0.2.1'), await fill(person, '198.51.100.2')]
    await scene.of(scene.root).reset({ ruleSet: 'operations-view', subject: `192.0.2.1:${person.viewer.userId}` })
    await fill(person, '192.0.2.1')
    expect([await here(), await there()]).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'])
  })

  it('resets what all addresses of a shared account have used together, given its ID', async () => {
    const person = await scene.test.person({ shared: true })
    const { userId } = person.viewer
    const sets = scene.test.app.limitAdmin.catalogue.ruleSets.get('moderate-shared')?.compiled ?? []
    const caller = (address: string) => ({ address, userId, shared: true, role: 'user' })
    // Twenty times the two of one address or network.
    for (let i = 0; i < 40; i += 1) await scene.test.app.limiter.take(sets, caller(`10.0.${i}.1`))
    const next = async () =>
      (await scene.test.app.limiter.peek([{ sets, caller: caller('192.0.2.99') }])).refusedBy?.policy
    expect(await next()).toBe('moderate-shared-total-1m')
    await scene.of(scene.root).reset({ ruleSet: 'moderate-shared', subject: userId })
    expect(await next()).toBeUndefined()
    const first = await scene.test.app.limiter.peek([{ sets, caller: caller('10.0.0.1') }])
    expect(first.rules.find(({ policy }) => policy === 'moderate-shared-1m')?.remaining).toBe(1)
  })

  it('resets what an address has used, for all callers at it', async () => {
    const sets = scene.test.app.limitAdmin.catalogue.ruleSets.get('sign-up')?.compiled ?? []
    const caller = { address: '192.0.2.3', userId: null, shared: false, role: 'guest' }
    await scene.of(scene.root).override({
      ruleSet: 'sign-up',
      target: { kind: 'role', role: 'guest' },
      terms: { rules: [{ limit: 2, window: '2h' }] },
    })
    const left = async () => (await scene.test.app.limiter.take(sets, caller)).rules[0]?.remaining
    expect([await left(), await left()]).toEqual([1, 0])
    await scene.of(scene.root).reset({ ruleSet: 'sign-up', subject: '192.0.2.3' })
    expect(await left()).toBe(1)
  })

  it.each([
    ['nothing', ADDRESS, 'There is no rule set nothing.'],
    [
      'page',
      '01234567-89ab-4def-8123-456789abcdef',
      'page counts addresses, and 01234567-89ab-4def-8123-456789abcdef is not an address.',
    ],
    [
      'download-of-one',
      ADDRESS,
      'The usage of download-of-one cannot be reset for a caller, because it counts the argument “slug”. Reset one of its counts by its key.',
    ],
    ['moderate', '192.0.2.1:nobody', 'Enter a user ID, an address, both as address:id, token/id or share/id.'],
    ['view', 'site', 'view counts callers separately. The subject “site” has no effect.'],
    ['view', 'ann', 'Enter a user ID, an address, both as address:id, token/id or share/id.'],
  ])('of %s for %s is rejected', async (ruleSet, subject, message) => {
    expect(await catchFailure(scene.of(scene.root).reset({ ruleSet, subject }))).toEqual({
      code: 'BAD_REQUEST',
      message,
    })
  })
})
