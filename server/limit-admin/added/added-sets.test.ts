import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { ALL, catchFailure, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'
import { type addedSetSchema, inShadow } from './added-set.ts'
import { countableArguments } from './arguments.ts'

let scene: LimitAdminScene
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene[Symbol.asyncDispose]())

type Written = z.input<typeof addedSetSchema>

const place = { name: 'extra', procedure: 'account.me' }
const set = { by: 'user', rules: [{ limit: 1, window: '1h' }] } satisfies Written

describe('limits.setRuleSet', () => {
  it('adds a set that counts and refuses nothing, until it is enforced, and that can be removed', async () => {
    const { setRuleSet, removeRuleSet, list, explain, override, clear } = scene.of(scene.root)
    const user = await scene.test.person()
    const { account } = scene.test.as(user)
    await setRuleSet({ ...place, set, note: 'a crawler' })
    await account.me()
    await account.me()
    const { ruleSets, procedures, added } = await list()
    expect(added).toMatchObject([{ ...place, set: { ...set, mode: 'shadow' }, note: 'a crawler', problem: null }])
    expect(ruleSets.find(({ name }) => name === 'extra')).toMatchObject({ by: 'user', usedBy: ['account.me'] })
    expect(procedures.find(({ path }) => path === 'account.me')?.ruleSets).toContain('extra')
    const { rules } = await explain({ procedure: 'account.me', subject: user.viewer.userId })
    expect(rules.find(({ ruleSet }) => ruleSet === 'extra')).toMatchObject({ mode: 'shadow', used: 1, remaining: 0 })
    await setRuleSet({ ...place, set: { ...set, mode: 'enforce' } })
    expect((await catchFailure(account.me())).message).toMatch(/^Limit reached: extra allows 1 per hour\./)
    await account.sessions()
    await override({ ruleSet: 'extra', target: ALL, terms: { rules: [{ limit: 2, window: '1h' }] } })
    await account.me()
    await removeRuleSet(place)
    await account.me()
    expect((await list()).leftOver).toMatchObject([{ ruleSet: 'extra', target: ALL }])
    await clear({ ruleSet: 'extra', target: ALL })
    expect((await list()).added).toEqual([])
  })

  it('counts an argument', async () => {
    const { setRuleSet } = scene.of(scene.root)
    const of = { name: 'of-one', procedure: 'image.delete' }
    const counted: Written = { by: { input: 'id', per: 'subject' }, rules: [{ limit: 1, window: '1h' }] }
    await setRuleSet({ ...of, set: counted })
    await setRuleSet({ ...of, set: { ...counted, mode: 'enforce' } })
    const { image } = scene.test.as(await scene.test.person())
    const [one, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
    expect((await catchFailure(image.delete({ id: one }))).code).toBe('NOT_FOUND')
    expect((await catchFailure(image.delete({ id: one }))).code).toBe('TOO_MANY_REQUESTS')
    expect((await catchFailure(image.delete({ id: other }))).code).toBe('NOT_FOUND')
  })

  it('adds a set to a route', async () => {
    const { setRuleSet } = scene.of(scene.root)
    await setRuleSet({
      name: 'slow-bytes',
      procedure: 'image bytes (small)',
      set: { ...set, by: { input: 'slug', per: 'subject' } },
    })
    const { limiter } = scene.test.app
    const caller = { address: '192.0.2.7', userId: null, shared: false }
    const states = await limiter.states([{ procedure: 'image bytes (small)', sets: [], caller, input: { slug: 'x' } }])
    expect(states.rules.map(({ facts }) => facts.name)).toEqual(['slow-bytes'])
  })

  it('is recorded', async () => {
    const { setRuleSet, removeRuleSet, history } = scene.of(scene.root)
    await setRuleSet({ ...place, set, note: 'a crawler' })
    await removeRuleSet(place)
    expect((await history({ ruleSet: 'extra' })).items).toMatchObject([
      { action: 'limits.removeRuleSet', procedure: 'account.me', setBefore: { by: 'user' }, setAfter: null },
      { action: 'limits.setRuleSet', procedure: 'account.me', setAfter: { by: 'user' }, note: 'a crawler' },
    ])
  })

  it.each([
    [{ set: { ...set, mode: 'enforce' } }, /^A new rule set begins in shadow mode\. Save extra with mode shadow/],
    [{ procedure: 'image.nothing' }, /^There is no procedure or route image\.nothing\.$/],
    [{ name: 'view' }, /^There is a rule set view already\. Choose another name\.$/],
    [{ set: { ...set, by: { input: 'id' } } }, /^account\.me has no argument id that can be counted\.$/],
    [{ set: { ...set, by: 'site' } }, /^extra counts all callers together\. Say how many networks/],
    [{ set: { ...set, networks: 3, by: 'site' } }, /^Enter how many networks it takes to use the limit up/],
    [{ set: { ...set, cost: 2 } }, /^Rule 1: one call costs 2, more than the limit of 1\.$/],
    [{ set: { ...set, mode: 'degrade' } }, /^A new rule set begins in shadow mode/],
    [{ set: { ...set, wait: '5s' } }, /^A wait must be from 1ms to 1h, and only/],
    [{ set: { ...set, rules: [{ limit: 1, window: '1x' }] } }, /^Rule 1: the window must be from 1ms to 366d\.$/],
    [
      {
        set: {
          ...set,
          rules: [
            { limit: 1, window: '1h' },
            { limit: 2, window: '1h' },
          ],
        },
      },
      /extra-1h/,
    ],
    [
      { procedure: 'pages', set: { ...set, rules: [{ concurrent: 3 }] } },
      /^pages is a route\. Rules for concurrent calls/,
    ],
    [{ procedure: 'pages', set: { ...set, count: 'failures' } }, /^pages is charged before it is known/],
  ] satisfies [{ name?: string; procedure?: string; set?: Written }, RegExp][])(
    'refuses %j',
    async (wrong, message) => {
      const failure = await catchFailure(scene.of(scene.root).setRuleSet({ ...place, set, ...wrong }))
      expect(failure).toEqual({ code: 'BAD_REQUEST', message: expect.stringMatching(message) })
      expect((await scene.of(scene.root).list()).added).toEqual([])
    },
  )
})

describe('the arguments that can be counted', () => {
  const of = (path: string) => {
    const part = scene.test.app.limitAdmin.catalogue.byPath.get(path)
    return part ? countableArguments(part) : null
  }

  it('are values and lists of values', () => {
    expect(of('image.delete')).toEqual(['id'])
    // One of two inputs, each without the argument of the other.
    expect(of('image.get')).toEqual([])
    expect(of('limits.override')).toEqual(expect.arrayContaining(['ruleSet', 'procedure', 'target.kind', 'note']))
    expect(of('limits.override')).not.toContain('terms.rules')
  })

  it('are the slug of image bytes, and none of other routes and of uploads', () => {
    expect([of('image bytes (small)'), of('pages'), of('image.upload')]).toEqual([['slug'], [], []])
  })
})

it('in shadow mode a set neither waits nor refuses when the store fails', () => {
  const strict = { ...set, mode: 'enforce', wait: '5s', onStoreFailure: 'deny' } as const
  expect(inShadow({ ...strict, rules: [{ limit: 1, window: '1h' }] })).toEqual({ ...set, mode: 'shadow' })
  expect(inShadow({ ...strict, rules: [{ limit: 1, window: '1h' }], onStoreFailure: 'allow' }).onStoreFailure).toBe(
    'allow',
  )
})
