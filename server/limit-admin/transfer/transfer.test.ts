import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ALL, catchFailure, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'
import { limitsCommands } from './limits-commands.ts'
import { limitsFileSchema } from './limits-file.ts'

let scene: LimitAdminScene
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene[Symbol.asyncDispose]())

const view = (limit: number) => ({
  ruleSet: 'view',
  target: ALL,
  terms: { rules: [{ limit, window: '1h' }] },
})
const extra = {
  name: 'extra',
  procedure: 'account.me',
  set: { by: 'user', rules: [{ limit: 5, window: '1h' }], mode: 'enforce', wait: '2s' },
}
const run = (file: unknown, dryRun = false) => scene.of(scene.root).import({ file, dryRun })
const stored = () => scene.of(scene.root).export()

describe('a file of limits', () => {
  it('comes back as it was, and then changes nothing', async () => {
    const { override, setRuleSet } = scene.of(scene.root)
    await override({ ...view(100), terms: { rules: [{ limit: 100, window: '1h' }] }, note: 'festival' })
    await override({
      ruleSet: 'account-view',
      procedure: 'account.me',
      target: { kind: 'role', role: 'user' },
      terms: { cost: 2, count: 'failures' },
    })
    await setRuleSet({
      name: 'extra',
      procedure: 'account.me',
      set: { by: 'user', rules: [{ limit: 5, window: '1h' }] },
    })
    const file = await stored()
    expect(file.overrides).toHaveLength(2)
    const { changes, problems } = await run(file, true)
    expect([changes.map(({ change }) => change), problems]).toEqual([['keep', 'keep', 'keep'], []])
    await scene.clear()
    await run(file)
    expect(await stored()).toEqual(file)
  })

  it('is what holds after its import; a dry run says so and changes nothing', async () => {
    const { override, history } = scene.of(scene.root)
    await override({ ruleSet: 'view', target: ALL, terms: { rules: [{ limit: 100, window: '1h' }] } })
    await override({ ruleSet: 'download', target: ALL, terms: { mode: 'shadow' } })
    const before = await stored()
    const file = {
      version: 1,
      overrides: [view(50), { ...view(60), target: { kind: 'role', role: 'user' } }],
      ruleSets: [extra],
    }
    const shown = (await run(file, true)).changes.map(({ change, ruleSet, isShadowed }) => [
      change,
      ruleSet,
      isShadowed,
    ])
    expect(shown).toEqual([
      ['change', 'view', false],
      ['add', 'view', false],
      ['add', 'extra', true],
      ['remove', 'download', false],
    ])
    expect(await stored()).toEqual(before)
    await run(file)
    expect((await stored()).ruleSets).toEqual([
      { ...extra, set: { by: 'user', rules: [{ limit: 5, window: '1h' }], mode: 'shadow' } },
    ])
    expect((await history({})).items.slice(0, 4).map(({ action }) => action)).toEqual([
      'limits.clear',
      'limits.setRuleSet',
      'limits.override',
      'limits.override',
    ])
    // What is known here by now may be enforced.
    await run(file)
    expect((await stored()).ruleSets).toEqual([extra])
  })

  it.each([
    [
      { overrides: [view(5), { ...view(5), ruleSet: 'nothing' }] },
      'Nothing was imported. overrides 2 (nothing): There is no rule set nothing.',
    ],
    [
      { overrides: [{ ...view(5), procedure: 'image.nothing' }] },
      'Nothing was imported. overrides 1 (view): image.nothing does not use view.',
    ],
    [
      { ruleSets: [extra, { ...extra, name: 'other', procedure: 'nowhere' }] },
      'Nothing was imported. ruleSets 2 (other): There is no procedure or route nowhere.',
    ],
    [{ overrides: [view(5), view(6)] }, 'Nothing was imported. overrides 2 (view): The same as overrides 1 (view).'],
    [
      { overrides: [{ ...view(5), limit: 3 }] },
      'Nothing was imported. overrides 1 (view): The entry is not valid: Unrecognized key: "limit"',
    ],
    [
      { overrides: [{ ...view(5), terms: { mode: 'shade' } }] },
      'Nothing was imported. overrides 1 (view): The entry is not valid: terms.mode: Invalid option: expected one of "enforce"|"shadow"|"degrade"',
    ],
    [
      { overrides: [7] },
      'Nothing was imported. overrides 1: The entry is not valid: Invalid input: expected object, received number',
    ],
    [{ version: 2 }, 'This is not a file of limits: version: Invalid input: expected 1'],
    [
      {
        overrides: Array.from({ length: 10_000 }, (_, at) => ({
          ...view(5),
          target: { kind: 'subject', subject: `10.0.${at >> 8}.${at & 255}` },
        })),
      },
      'Nothing was imported. The file has 10,000 entries, and a site can have 1,000: overrides 1001 (view) is one too many.',
    ],
  ])('is refused as a whole for an entry that cannot work', async (file, message) => {
    await run({ version: 1, overrides: [view(9)] })
    const before = await stored()
    expect(await catchFailure(run({ version: 1, ...file }))).toEqual({ code: 'BAD_REQUEST', message })
    expect(await stored()).toEqual(before)
  })

  it('names every entry that cannot work in a dry run', async () => {
    const file = { version: 1, overrides: [{ ...view(5), ruleSet: 'one' }, view(5), { ...view(5), ruleSet: 'two' }] }
    const { problems } = await run(file, true)
    expect(problems).toEqual([
      { entry: 'overrides 1 (one)', problem: { code: 'unknown-rule-set', params: { ruleSet: 'one' } } },
      { entry: 'overrides 3 (two)', problem: { code: 'unknown-rule-set', params: { ruleSet: 'two' } } },
    ])
  })

  it('has the schema that the docs have', async () => {
    const documented: unknown = JSON.parse(await readFile('docs/limits/overrides.schema.json', 'utf8'))
    expect(documented).toEqual(JSON.parse(JSON.stringify(limitsFileSchema())))
  })
})

describe('the commands on the server’s machine', () => {
  const commands = () => limitsCommands(scene.test.app.db, scene.test.app.limitAdmin.overrides)

  it('print the file, say what a file changes, and import it', async () => {
    const file = { version: 1, overrides: [view(50)], ruleSets: [extra] }
    expect(await commands().importLimits({ file, dryRun: true })).toEqual({
      done: '2 changes would be made.',
      printed: [
        'add  view  all  {"rules":[{"limit":50,"window":"1h"}]}',
        'add  extra  @ account.me  {"by":"user","rules":[{"limit":5,"window":"1h"}],"mode":"shadow"}  (in shadow mode: it is new here)',
      ].join('\n'),
    })
    expect((await stored()).overrides).toEqual([])
    expect(await commands().importLimits({ file, dryRun: false })).toMatchObject({ done: '2 changes made.' })
    const { done, printed } = { printed: '', done: '', ...(await commands().exportLimits()) }
    expect([done, JSON.parse(printed)]).toEqual(['1 override and 1 added rule set exported.', await stored()])
    expect(await commands().importLimits({ file: JSON.parse(printed), dryRun: true })).toEqual({
      done: 'Nothing would change.',
    })
  })

  it('refuse a file that cannot work, with each entry', async () => {
    const overrides = [{ ...view(5), ruleSet: 'one' }, view(5), { ...view(5), ruleSet: 'two' }]
    expect(await commands().importLimits({ file: { version: 1, overrides }, dryRun: true })).toEqual({
      refused: 'overrides 1 (one): There is no rule set one.\noverrides 3 (two): There is no rule set two.',
    })
    expect(await commands().importLimits({ file: { version: 1, overrides }, dryRun: false })).toEqual({
      refused: 'Nothing was imported. overrides 1 (one): There is no rule set one.',
    })
    expect(await commands().importLimits({ file: [], dryRun: false })).toEqual({
      refused: expect.stringMatching(/^This is not a file of limits: /),
    })
  })
})

describe('what sluice doctor finds', () => {
  const examine = () => limitsCommands(scene.test.app.db, scene.test.app.limitAdmin.overrides).examineLimits()

  it('is nothing where all of it is in force', async () => {
    await scene.of(scene.root).override({ ...view(5), terms: { rules: [{ limit: 5, window: '1h' }] } })
    expect(await examine()).toEqual({ done: 'All overrides and added rule sets are in force.' })
  })

  it('is what names nothing any more, cannot work, or has a rule in vain', async () => {
    const { db, limitAdmin } = scene.test.app
    const idle = [
      { limit: 10, window: '1s' },
      { limit: 1_000, window: '1m' },
    ]
    const stored: readonly (readonly [string, string, object])[] = [
      ['account-view', 'all', { rules: idle }],
      ['edit', 'procedure/image.nothing/all', { mode: 'shadow' }],
      ['of-before', 'role/guest', { mode: 'shadow' }],
      ['sent-bytes', 'all', { rules: [{ limit: '1MB', window: '1h' }] }],
      ['extra', 'added/image.nothing', { by: 'user', rules: [{ limit: 1, window: '1h' }] }],
      ['idle', 'added/account.me', { by: 'user', rules: idle }],
    ]
    await db.limitOverride.createMany({
      data: stored.map(([ruleSet, target, terms]) => {
        return { ruleSet, target, terms, changedAt: new Date(), changedBy: 'ann' }
      }),
    })
    await limitAdmin.overrides.announce()
    const mend = 'Correct or remove it at Admin > Limits.'
    const inVain = (name: string) =>
      `contradicts itself: ${name}-1m (1,000 per minute) never refuses, for ${name}-1s (10 per second) always does so first. Change or remove one of the rules at Admin > Limits.`
    const outcome = await examine()
    expect('printed' in outcome && outcome.printed?.split('\n')).toEqual([
      `The override of account-view for all ${inVain('account-view')}`,
      `The override of edit @ image.nothing for all is not in force. image.nothing does not use edit. ${mend}`,
      `The override of of-before for role/guest is not in force. There is no rule set of-before. ${mend}`,
      expect.stringMatching(/^The override of sent-bytes for all is not in force\. .*25 MiB.* Correct or remove it/),
      `The added rule set extra of image.nothing is not in force. There is no procedure or route image.nothing. ${mend}`,
      `The added rule set idle of account.me ${inVain('idle')}`,
    ])
  })
})
