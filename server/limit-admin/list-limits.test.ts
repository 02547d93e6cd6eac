import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ALL, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'
import type { Person } from '#testing/sluice/sluice-app.ts'

let scene: LimitAdminScene
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene[Symbol.asyncDispose]())

const findRuleSet = async (name: string, person = scene.root) => {
  const { ruleSets } = await scene.of(person).list()
  const found = ruleSets.find((set) => set.name === name)
  if (!found) throw new Error(`no rule set ${name}`)
  return found
}

describe('limits.list', () => {
  it('lists every procedure and route by path, with what the code declares', async () => {
    const { procedures, ruleSets, leftOver } = await scene.of(scene.admin).list()
    const paths = procedures.map(({ path }) => path)
    expect(paths).toEqual(paths.toSorted())
    expect(procedures.find(({ path }) => path === 'image.upload')).toEqual({
      path: 'image.upload',
      kind: 'mutation',
      ruleSets: ['upload', 'uploading', 'upload-bytes'],
      arguments: [],
    })
    expect(procedures.find(({ path }) => path === 'image bytes (original)')).toEqual({
      path: 'image bytes (original)',
      kind: 'route',
      ruleSets: ['revalidate', 'download', 'download-of-one', 'sent-bytes'],
      arguments: ['slug'],
    })
    expect(procedures.find(({ path }) => path === 'limits.live')?.kind).toBe('subscription')
    const names = ruleSets.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(ruleSets.find(({ name }) => name === 'upload-bytes')).toEqual({
      name: 'upload-bytes',
      by: 'subject',
      unit: 'bytes',
      count: 'all',
      scope: 'cluster',
      declared: {
        rules: [{ limit: '20GB', window: '1d', algorithm: 'fixed-window', align: 'day' }],
        mode: 'enforce',
        wait: null,
        onStoreFailure: 'local',
      },
      canDegrade: false,
      rules: [
        {
          policy: 'upload-bytes-day',
          parts: { limit: 21_474_836_480, unit: 'bytes', window: 86_400_000, calendar: 'day' },
          algorithm: 'fixed-window',
          limit: 20 * 1024 ** 3,
          windowMs: 86_400_000,
        },
      ],
      usedBy: ['image.upload'],
      targets: ['all', 'role', 'subject'],
      overrides: [],
      trial: null,
    })
    expect(leftOver).toEqual([])
  })

  it.each([
    ['page', 'ip', ['all', 'subject'], ['pages']],
    ['download-of-one', { input: 'slug', per: null }, ['all', 'argument'], ['image bytes (original)', 'zip']],
    ['token-manage', 'token', ['all', 'subject'], ['api tokens (manage)']],
    ['download-again', { input: 'id', per: 'subject' }, ['all', 'role', 'subject', 'argument'], ['image.download']],
  ])('says what %s counts', async (name, by, targets, usedBy) => {
    expect(await findRuleSet(name)).toMatchObject({ by, targets, usedBy })
  })

  it('shows the override in force, with the user’s name', async () => {
    const user = await scene.test.person()
    const { userId, username } = user.viewer
    const terms = { rules: [{ limit: 3, window: '1m' }] }
    await scene
      .of(scene.root)
      .override({ ruleSet: 'view', target: { kind: 'subject', subject: userId }, terms, note: 'a scraper' })
    await scene.of(scene.root).override({ ruleSet: 'view', target: ALL, terms: { mode: 'shadow' } })
    const { declared, rules, overrides } = await findRuleSet('view')
    expect([declared.mode, rules.length]).toEqual(['enforce', 3])
    expect(overrides).toEqual([
      {
        target: ALL,
        subjectName: null,
        terms: { mode: 'shadow' },
        rules,
        problem: null,
        note: null,
        changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        changedBy: scene.root.viewer.username,
      },
      {
        target: { kind: 'subject', subject: userId },
        subjectName: username,
        terms,
        rules: [
          {
            policy: 'view-1m',
            parts: { limit: 3, unit: 'calls', window: 60_000 },
            algorithm: 'sliding-window-log',
            limit: 3,
            windowMs: 60_000,
          },
        ],
        problem: null,
        note: 'a scraper',
        changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        changedBy: scene.root.viewer.username,
      },
    ])
  })

  it('shows no address to users of a shared account', async () => {
    await scene.of(scene.root).override({
      ruleSet: 'view',
      target: { kind: 'subject', subject: '::ffff:192.0.2.1' },
      terms: { mode: 'shadow' },
    })
    const targetFor = async (person: Person) => (await findRuleSet('view', person)).overrides[0]?.target
    expect(await targetFor(scene.admin)).toEqual({ kind: 'subject', subject: '192.0.2.1' })
    expect(await targetFor(scene.sharedAdmin)).toEqual({ kind: 'subject', subject: 'hidden' })
    const subject = `192.0.2.1:${scene.sharedAdmin.viewer.userId}`
    const row = { target: `subject/${subject}`, terms: { mode: 'shadow' }, note: null, changedAt: new Date(0) }
    await scene.test.app.db.limitOverride.create({ data: { ...row, ruleSet: 'page', changedBy: 'Sue' } })
    const problemFor = async (person: Person) => (await findRuleSet('page', person)).overrides[0]?.problem
    const problem = (shown: string) => ({
      code: 'subject-must-be-address',
      params: { ruleSet: 'page', subject: shown },
    })
    expect(await problemFor(scene.admin)).toEqual(problem(subject))
    expect(await problemFor(scene.sharedAdmin)).toEqual(problem(scene.sharedAdmin.viewer.userId))
  })

  it('shows overrides that the code no longer allows, and why', async () => {
    const row = { target: 'all', note: null, changedAt: new Date(0), changedBy: 'Sue' }
    await scene.test.app.db.limitOverride.createMany({
      data: [
        { ...row, ruleSet: 'gone', terms: { mode: 'shadow' } },
        { ...row, ruleSet: 'sign-up', terms: { mode: 'shadow' } },
        { ...row, ruleSet: 'view', terms: { plan: 'gold' } },
      ],
    })
    const problem = async (name: string) => (await findRuleSet(name)).overrides.map(({ problem }) => problem)
    expect(await problem('sign-up')).toMatchObject([{ code: 'rule-set-outage' }])
    expect(await problem('view')).toEqual([{ code: 'unknown-terms', params: {} }])
    const { leftOver } = await scene.of(scene.root).list()
    expect(leftOver).toMatchObject([{ ruleSet: 'gone', rules: null, problem: { code: 'unknown-rule-set' } }])
    await scene.of(scene.root).clear({ ruleSet: 'gone', target: ALL })
    expect((await scene.of(scene.root).list()).leftOver).toEqual([])
  })
})
