import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { catchFailure, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'

let scene: LimitAdminScene
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene[Symbol.asyncDispose]())

const blocks = async () => (await scene.of(scene.root).blocks()).blocks
const override = (...[input]: Parameters<ReturnType<LimitAdminScene['of']>['override']>) =>
  scene.of(scene.root).override(input)

describe('limits.blocks', () => {
  it('is empty while nobody is blocked', async () => {
    expect(await scene.of(scene.root).blocks()).toEqual({ blocks: [], isWhole: true })
  })

  it('lists a block that the rule of a set has begun, which a reset of its key lifts', async () => {
    const person = await scene.test.person()
    const { account } = scene.test.as(person)
    const rules = [{ limit: 1, window: '1m' as const, blockFor: '2h' as const }]
    await override({ ruleSet: 'account-view', target: { kind: 'all' }, terms: { rules } })
    await account.me()
    expect((await catchFailure(account.me())).code).toBe('TOO_MANY_REQUESTS')
    const [block, ...others] = await blocks()
    expect(others).toEqual([])
    expect(block).toMatchObject({
      ...{ kind: 'rule', ruleSet: 'account-view', policy: 'account-view-1m', by: null, argument: null },
      subject: { key: person.viewer.userId, kind: 'user', name: person.viewer.username },
    })
    expect(Date.parse(block?.until ?? '') - Date.parse(block?.since ?? '')).toBe(7_200_000)
    await scene.of(scene.root).reset({ key: block?.id ?? '' })
    await account.me()
    expect(await blocks()).toEqual([])
    expect((await catchFailure(scene.of(scene.root).reset({ key: 'RATE:LIMIT:{x}:nothing:12345678' }))).code).toBe(
      'BAD_REQUEST',
    )
  })

  it('says nothing of a block that no rule in force has any more', async () => {
    const { account } = scene.test.as(await scene.test.person())
    const rules = [{ limit: 1, window: '1m' as const, blockFor: '2h' as const }]
    await override({ ruleSet: 'account-view', target: { kind: 'all' }, terms: { rules } })
    await account.me()
    await catchFailure(account.me())
    expect(await blocks()).toHaveLength(1)
    await override({ ruleSet: 'account-view', target: { kind: 'all' }, terms: { rules, mode: 'shadow' } })
    expect(await blocks()).toEqual([])
  })

  it('lists a subject that an override blocks, with who has made it, until it ends or is cleared', async () => {
    const person = await scene.test.person()
    const { account } = scene.test.as(person)
    const target = { kind: 'subject', subject: person.viewer.userId } as const
    const blockedUntil = new Date(Date.now() + 3_600_000).toISOString()
    await override({ ruleSet: 'account-view', target, terms: { blockedUntil }, note: 'scripts' })
    expect((await catchFailure(account.me())).code).toBe('TOO_MANY_REQUESTS')
    expect(await blocks()).toMatchObject([
      {
        ...{ kind: 'override', ruleSet: 'account-view', target, until: blockedUntil, note: 'scripts' },
        ...{ by: scene.root.viewer.username, subject: { name: person.viewer.username } },
      },
    ])
    const { rules } = await scene.of(scene.root).explain({ procedure: 'account.me', subject: person.viewer.userId })
    expect(rules[0]?.blockedMs).toBeGreaterThan(3_000_000)
    await override({ ruleSet: 'account-view', target, terms: { blockedUntil: new Date(1).toISOString() } })
    await account.me()
    expect(await blocks()).toEqual([])
  })

  it('shows no override whose block has ended, and of others what is left', async () => {
    const ended = { blockedUntil: new Date(1).toISOString() }
    const place = { ruleSet: 'account-view', target: { kind: 'role', role: 'user' } } as const
    const other = { ruleSet: 'account-view', target: { kind: 'role', role: 'guest' } } as const
    await override({ ...place, terms: ended })
    await override({ ...other, terms: { ...ended, mode: 'shadow' } })
    const { list, export: exported } = scene.of(scene.root)
    const stored = async () => (await list()).ruleSets.find(({ name }) => name === 'account-view')?.overrides
    expect(await stored()).toMatchObject([{ target: other.target, terms: { mode: 'shadow' } }])
    expect((await exported()).overrides).toEqual([{ ...other, terms: { mode: 'shadow' } }])
    // The next change removes it.
    const rows = () => scene.test.app.db.limitOverride.count({ where: { target: 'role/user' } })
    expect(await rows()).toBe(0)
  })

  it('lists banned accounts and blocked addresses', async () => {
    const person = await scene.test.person()
    await scene.test.as(scene.root).user.ban({ id: person.viewer.userId, reason: 'spam' })
    await scene.test.as(scene.root).access.setRule({ cidr: '198.51.100.0/24', verdict: 'deny', note: 'a botnet' })
    await scene.test.as(scene.root).access.setRule({ cidr: '198.51.100.7', verdict: 'allow' })
    const by = scene.root.viewer.username
    const everything = { ruleSet: null, until: null, by }
    expect(await blocks()).toMatchObject([
      { ...everything, kind: 'range', id: '198.51.100.0/24', note: 'a botnet', subject: null },
      { ...everything, kind: 'ban', id: person.viewer.userId, note: 'spam', subject: { name: person.viewer.username } },
    ])
    await scene.test.as(scene.root).user.unban({ id: person.viewer.userId })
    await scene.test.as(scene.root).access.removeRule({ cidr: '198.51.100.0/24' })
    expect(await blocks()).toEqual([])
  })
})

describe('what is counted of an argument', () => {
  // Counts each original for each subject.
  const place = { ruleSet: 'download-again', target: { kind: 'all' } } as const
  const terms = { rules: [{ limit: 1, window: '1m' as const, blockFor: '2h' as const }] }
  beforeEach(() => override({ ...place, terms }))
  const seenBy = async (by: LimitAdminScene['root']) =>
    (await scene.of(by).stats()).mostRefused.filter(({ ruleSet }) => ruleSet === place.ruleSet)

  it('is shown by what it is, in blocks, rankings and explanations, and can be reset', async () => {
    const { of, root, admin, test } = scene
    const owner = await test.person()
    const { id } = await insertBareImage(test.app.db, owner.viewer.userId, { visibility: 'private' })
    await test.app.db.image.update({ where: { id }, data: { title: 'Dune' } })
    const { image } = test.as(owner)
    await image.download({ id })
    expect((await catchFailure(image.download({ id }))).code).toBe('TOO_MANY_REQUESTS')
    const dune = { kind: 'image', title: 'Dune', owner: owner.viewer.username, input: 'id', value: id }
    const [block] = await blocks()
    expect(block).toMatchObject({ ruleSet: 'download-again', argument: dune, subject: { name: owner.viewer.username } })
    expect(block?.argument?.href).toMatch(/^\/image\//)
    expect(block?.argument?.thumbnail).toContain('/i/')
    expect((await seenBy(root)).map(({ argument }) => argument)).toMatchObject([dune])
    // An admin may not read it, and learns no more than whose image it is.
    expect((await seenBy(admin)).map(({ argument }) => argument)).toEqual([
      {
        ...{ input: 'id', value: null, kind: 'image', title: '', owner: owner.viewer.username },
        ...{ href: null, thumbnail: null },
      },
    ])
    const question = { procedure: 'image.download', subject: owner.viewer.userId }
    const asked = await of(root).explain({ ...question, argument: id })
    expect(asked.rules.find(({ ruleSet }) => ruleSet === 'download-again')).toMatchObject({ used: 1, argument: dune })
    expect((await of(root).explain(question)).unasked).toContainEqual({ ruleSet: 'download-again', needs: 'argument' })
    await of(root).reset({ key: block?.id ?? '' })
    await image.download({ id })
  })

  it('is blocked for everyone by hand, whoever has counted it', async () => {
    const { of, root, admin, test } = scene
    const owner = await test.person()
    const { id } = await insertBareImage(test.app.db, owner.viewer.userId, { visibility: 'public' })
    await test.app.db.image.update({ where: { id }, data: { title: 'Dune' } })
    const target = { kind: 'argument', value: id } as const
    const blockedUntil = new Date(Date.now() + 3_600_000).toISOString()
    const block = { ruleSet: 'download-again', target, terms: { blockedUntil } }
    await override({ ...block, note: 'hotlinked' })
    const error = await catchFailure(test.as(await test.person()).image.download({ id }))
    expect(error.code).toBe('TOO_MANY_REQUESTS')
    const dune = { kind: 'image', title: 'Dune', value: id }
    expect(await blocks()).toMatchObject([
      { kind: 'override', target, subject: null, argument: dune, until: blockedUntil, note: 'hotlinked' },
    ])
    const question = { procedure: 'image.download', subject: owner.viewer.userId, argument: id }
    const rule = (await of(root).explain(question)).rules.find(({ ruleSet }) => ruleSet === 'download-again')
    expect(rule).toMatchObject({ override: target, argument: dune })
    expect(rule?.blockedMs).toBeGreaterThan(3_000_000)
    expect((await of(root).history({})).items[0]).toMatchObject({ target, subjectName: 'Dune' })
    const shownTo = async (by: typeof root) =>
      (await of(by).list()).ruleSets
        .find(({ name }) => name === 'download-again')
        ?.overrides.find((each) => each.target.kind === 'argument')
    expect(await shownTo(root)).toMatchObject({ target, subjectName: 'Dune' })
    await test.app.db.image.update({ where: { id }, data: { visibility: 'private' } })
    expect(await shownTo(admin)).toMatchObject({ target: { kind: 'argument', value: '…' }, subjectName: null })
    expect((await of(root).export()).overrides).toContainEqual({ ...block, note: 'hotlinked' })
    // It has no rules of its own, and holds in all procedures; only sets that count an argument have values.
    const refused = [
      { ...block, terms: { ...block.terms, mode: 'shadow' as const } },
      { ...block, ruleSet: 'account-view' },
      { ...block, procedure: 'image.download' },
    ]
    for (const each of refused) expect((await catchFailure(override(each))).code).toBe('BAD_REQUEST')
    await of(root).clear({ ruleSet: 'download-again', target })
    await test.as(owner).image.download({ id })
  })

  it('stays readable when it names nothing', async () => {
    const { root, admin, test } = scene
    const person = await test.person()
    const id = '00000000-0000-4000-8000-000000000009'
    const { image } = test.as(person)
    await catchFailure(image.download({ id }))
    expect((await catchFailure(image.download({ id }))).code).toBe('TOO_MANY_REQUESTS')
    const argumentBy = async (by: typeof root) =>
      (await seenBy(by)).find(({ subject }) => subject.key === person.viewer.userId)?.argument
    expect(await argumentBy(root)).toMatchObject({ kind: null, input: 'id', value: id, title: '', href: null })
    expect(await argumentBy(admin)).toMatchObject({ kind: null, input: 'id', value: null })
  })
})
