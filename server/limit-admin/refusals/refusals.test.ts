import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLimiter } from '#server/limits/limiter.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { createFleet } from '#testing/limits/fleet.ts'
import { type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'
import { FleetRefusals } from './fleet-refusals.ts'
import { RefusalLog } from './refusal-log.ts'

const sets = compileRuleSets('image.list', [
  { name: 'view', by: 'subject', rules: [{ limit: 2, window: '1m', blockFor: '5m' }] },
  { name: 'try', by: 'ip', mode: 'shadow', rules: [{ limit: 20, window: '1h' }] },
])
const caller = { address: '192.0.2.7', userId: null, shared: false }

/** A process of a fleet, with what it keeps. */
function startProcess(log = new RefusalLog()) {
  const limiter = createLimiter({ onRefused: log.note })
  const call = (requestId?: string) => limiter.reserve([{ sets, caller, cost: 1 }], { label: 'image.list', requestId })
  return { log, limiter, call }
}

const refuse = async ({ call }: ReturnType<typeof startProcess>, requestId: string) => {
  await call('first')
  await call('second')
  await call(requestId)
}

afterEach(() => void vi.useRealTimers())

describe('what is kept of refusals', () => {
  it('is the last ones, with every rule that was asked', async () => {
    const process = startProcess(new RefusalLog(2))
    await refuse(process, 'a')
    expect([process.log.find('first'), process.log.find('a').length]).toEqual([[], 1])
    await process.call()
    await process.call('b')
    await process.call('c')
    expect(['a', 'b', 'c'].map((id) => process.log.find(id).length)).toEqual([0, 1, 1])
  })
})

describe('a refusal of another process', () => {
  const [mine, other, third] = createFleet(3)
  if (!mine || !other || !third) throw new Error('a fleet of three')
  const asking = new FleetRefusals(new RefusalLog(), mine)
  const keeping = startProcess()
  new FleetRefusals(keeping.log, other)
  new FleetRefusals(new RefusalLog(), third)

  it('is found, as it was decided', async () => {
    await refuse(keeping, 'theirs')
    const [refusal, ...others] = await asking.find('theirs')
    expect(others).toEqual([])
    expect(refusal).toEqual({
      at: expect.any(String),
      procedure: 'image.list',
      subject: '192.0.2.7',
      decidedBy: 'store',
      retryAfterMs: 300_000,
      waitedMs: 0,
      rules: [
        expect.objectContaining({
          ...{ ruleSet: 'view', policy: 'view-1m', mode: 'enforce', limit: 2, cost: 1, used: 2, remaining: 0 },
          ...{ waitMs: 300_000, blockedMs: 300_000, override: null },
          parts: { limit: 2, unit: 'calls', window: 60_000 },
        }),
        expect.objectContaining({ ruleSet: 'try', mode: 'shadow', used: 2, remaining: 18, waitMs: 0, blockedMs: 0 }),
      ],
    })
  })

  it('is none once all have answered, without waiting', async () => {
    vi.useFakeTimers()
    expect(await asking.find('nobody’s')).toEqual([])
  })

  it('is none when a process does not answer in time, and nonsense is no answer', async () => {
    vi.useFakeTimers()
    const [alone, silent] = createFleet(2)
    if (!alone || !silent) throw new Error('a fleet of two')
    silent.hear('refusal-wanted', () => {
      for (const nonsense of ['{', '{}', '{"question":1,"refusals":[]}']) silent.tell('refusal-found', nonsense)
    })
    const found = new FleetRefusals(new RefusalLog(), alone).find('a')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await found).toEqual([])
  })
})

describe('limits.refusal', () => {
  let scene: LimitAdminScene
  beforeAll(async () => {
    scene = await startLimitAdminScene()
  })
  afterAll(() => scene[Symbol.asyncDispose]())

  it('tells superadmins who was refused, by which override and since when', async () => {
    const person = await scene.test.person()
    const { userId, username } = person.viewer
    await scene.of(scene.root).override({
      ruleSet: 'account-view',
      target: { kind: 'subject', subject: userId },
      terms: { rules: [{ limit: 1, window: '1h' }] },
    })
    const me = () => fetch(`${scene.test.origin}/api/trpc/account.me`, { headers: { cookie: person.cookie } })
    expect((await me()).status).toBe(200)
    const refused = await me()
    const { error } = await refused.json()
    expect([refused.status, error.data.requestId]).toEqual([429, refused.headers.get('x-request-id')])
    const refusals = await scene.of(scene.root).refusal({ requestId: ` ${error.data.requestId} ` })
    expect(refusals).toMatchObject([
      {
        procedure: 'account.me',
        subject: { key: userId, kind: 'user', name: username },
        rules: [{ policy: 'account-view-1h', used: 1, remaining: 0, override: { kind: 'subject', subject: userId } }],
      },
    ])
    expect(await scene.of(scene.root).refusal({ requestId: 'unknown' })).toEqual([])
  })
})
