import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { catchFailure, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'

let scene: LimitAdminScene
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene[Symbol.asyncDispose]())

const TRIAL = { kind: 'trial' } as const
const place = { ruleSet: 'account-view', target: TRIAL }
const terms = { rules: [{ limit: 3, window: '1h' as const }] }
const counts = async () =>
  (await scene.of(scene.root).stats()).trials.map(({ ruleSet, asked, refused }) => ({ ruleSet, asked, refused }))

it('a trial counts over every procedure that shares its set, refuses nothing, and begins anew when it is changed', async () => {
  const { override, list, clear, history } = scene.of(scene.root)
  const { account } = scene.test.as(await scene.test.person())
  await override({ ...place, terms, note: 'too lax?' })
  for (let i = 0; i < 3; i += 1) await account.me()
  for (let i = 0; i < 2; i += 1) await account.sessions()
  expect(await counts()).toEqual([{ ruleSet: 'account-view', asked: 5, refused: 2 }])
  const set = (await list()).ruleSets.find(({ name }) => name === 'account-view')
  expect(set).toMatchObject({ overrides: [], trial: { terms, note: 'too lax?', problem: null } })
  const [stats] = (await scene.of(scene.root).stats()).trials
  expect(stats?.version).toBe(set?.trial?.changedAt)
  // Another change of the limits leaves its counts alone.
  await override({ ruleSet: 'view', target: { kind: 'all' }, terms: { rules: [{ limit: 900, window: '1m' }] } })
  await account.me()
  expect(await counts()).toEqual([{ ruleSet: 'account-view', asked: 6, refused: 3 }])
  await override({ ...place, terms: { rules: [{ limit: 5, window: '1h' }] } })
  expect(await counts()).toEqual([{ ruleSet: 'account-view', asked: 0, refused: 0 }])
  await clear(place)
  expect(await counts()).toEqual([])
  await account.me()
  const { items } = await history({ ruleSet: 'account-view' })
  expect(items.map(({ action, target }) => [action, target])).toEqual([
    ['limits.clear', TRIAL],
    ['limits.override', TRIAL],
    ['limits.override', TRIAL],
  ])
})

it('a trial says rules only, for all procedures, and is carried as a file', async () => {
  const { override, export: exported, import: imported } = scene.of(scene.root)
  const failing = [{ ...terms, mode: 'shadow' as const }, { wait: null }]
  for (const wrong of failing) {
    expect((await catchFailure(override({ ...place, terms: wrong }))).message).toMatch(/^A trial of account-view says/)
  }
  expect((await catchFailure(override({ ...place, procedure: 'account.me', terms }))).code).toBe('BAD_REQUEST')
  await override({ ...place, terms })
  const file = await exported()
  expect(file.overrides).toEqual([{ ...place, terms }])
  await scene.clear()
  await imported({ file, dryRun: false })
  expect(await counts()).toEqual([{ ruleSet: 'account-view', asked: 0, refused: 0 }])
})
