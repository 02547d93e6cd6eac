import { describe, expect, onTestFinished, test } from 'vitest'
import { type Asked, askStore } from '#testing/limits/asked.ts'
import { makeCharge, plainFacts, plainRule } from '#testing/limits/charges.ts'
import { distantStore } from '#testing/limits/distant-store.ts'
import type { SetFacts } from '../../rules/compiled.ts'
import type { Charge } from '../../store.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { partitionsOver } from '../open-store.ts'
import { PartitionedStore } from '../partitioned-store.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { FailoverStore, LimitStoreUnavailable } from './failover-store.ts'

/** A store for all processes. Its clock is a day ahead of theirs, and it fails when a test says so. */
function scene() {
  const shared = new MemoryStore({ now: () => 86_400_000 })
  const outage = { now: false }
  const time = { now: 0 }
  const clock = { now: () => time.now }
  const store = distantStore(shared, clock, { isGone: () => outage.now })
  const startProcess = (processes = 1) => {
    const local = new MemoryStore(clock)
    const partitioned = new PartitionedStore({
      partitionOf: partitionsOver(local, store, false),
      deadlineMs: 1_000,
      close: async () => {},
    })
    const breaker = new CircuitBreaker(partitioned, clock, () => {})
    onTestFinished(() => breaker.close())
    return askStore(new FailoverStore(partitioned, breaker, local, () => processes))
  }
  return { outage, time, startProcess }
}

function charge(key: string, limit: number, facts: Partial<SetFacts> = {}): Charge {
  const own = makeCharge('sliding-window-log', key, [{ ...plainRule(limit, 60_000), policy: key }])
  return { ...own, facts: { ...plainFacts, name: key, ...facts } }
}

const instance = (limit: number, facts: Partial<SetFacts> = {}) =>
  charge('instance', limit, { scope: 'instance', ...facts })

test('a set of scope instance is counted by each process separately, others by all together', async () => {
  const { startProcess } = scene()
  const refusedBy = []
  for (const decider of [startProcess(), startProcess()]) {
    for (let i = 0; i < 3; i += 1) {
      const { decision } = await decider.take([charge('all', 3), instance(2)])
      refusedBy.push([decision.refusedBy?.policy, ...decision.rules.map((rule) => rule.remaining)])
    }
  }
  expect(refusedBy).toEqual([
    [undefined, 2, 1],
    [undefined, 1, 0],
    ['instance', 1, 0],
    [undefined, 0, 1],
    ['all', 0, 1],
    ['all', 0, 1],
  ])
})

test('what is counted in the process knows no outage, whatever its set says of one', async () => {
  const { outage, startProcess } = scene()
  const decider = startProcess()
  outage.now = true
  const denying = instance(1, { onStoreFailure: 'deny' })
  expect((await decider.take([denying])).decision).toMatchObject({ allowed: true, decidedBy: 'store' })
  expect((await decider.peek([denying])).allowed).toBe(false)
  await decider.reset([denying])
  expect((await decider.take([denying, charge('all', 1)])).decision).toMatchObject({
    allowed: true,
    decidedBy: 'local',
  })
  const refused = await decider.take([denying, charge('other', 1)])
  expect(refused.decision.refusedBy?.policy).toBe('instance')
  expect((await decider.peek([charge('other', 1)])).allowed).toBe(true)
})

test('an outage starts from what the store admitted, minus refunds, plus forced charges', async () => {
  const { outage, startProcess } = scene()
  const decider = startProcess()
  const left = async () => (await decider.peek([charge('all', 9), instance(9)])).rules.map((rule) => rule.remaining)
  const first = await decider.take([charge('all', 9), instance(9)])
  const second = await decider.take([charge('all', 9), instance(9)])
  await first.refund()
  await decider.force(second, 3)
  expect(await left()).toEqual([5, 5])
  outage.now = true
  expect(await left()).toEqual([5, 5])
  await second.refund()
  expect(await left()).toEqual([6, 6])
})

test('a reset that the store cannot do says so; one that it can reaches the process too', async () => {
  const { outage, startProcess } = scene()
  const decider = startProcess()
  await decider.take([charge('all', 1)])
  await decider.reset([charge('all', 1)])
  expect((await decider.take([charge('all', 1)])).decision.allowed).toBe(true)
  outage.now = true
  await expect(decider.reset([charge('all', 1)])).rejects.toThrow(LimitStoreUnavailable)
  expect((await decider.take([charge('all', 1)])).decision.allowed).toBe(false)
})

test('whom the store has blocked an outage does not free, and for no longer', async () => {
  const { outage, startProcess } = scene()
  const blocking = makeCharge('sliding-window-log', 'block', [{ ...plainRule(1, 1_000), blockMs: 60_000 }])
  const [other, decider] = [startProcess(), startProcess()]
  await other.take([blocking])
  expect((await decider.take([blocking])).decision.retryAfterMs).toBe(60_000)
  outage.now = true
  const { decision } = await decider.take([blocking])
  expect([decision.allowed, decision.retryAfterMs, decision.decidedBy]).toEqual([false, 60_000, 'local'])
  outage.now = false
})

/** How many of so many calls pass. */
async function admitted(decider: Asked, charge: Charge, calls: number): Promise<number> {
  let passed = 0
  for (let i = 0; i < calls; i += 1) passed += (await decider.take([charge])).decision.allowed ? 1 : 0
  return passed
}

describe('an outage of four processes', () => {
  const [PROCESSES, LIMIT] = [4, 10]

  test.each([
    ['a log', charge('all', LIMIT)],
    ['a bucket', makeCharge('token-bucket', 'all', [{ ...plainRule(LIMIT, 60_000), leak: 1, scale: 6_000 }])],
  ])(
    'admits of %s in each its share, less what it had there, and so at most one limit more in all',
    async (_, call) => {
      const { outage, startProcess } = scene()
      const processes = Array.from({ length: PROCESSES }, () => startProcess(PROCESSES))
      const [first, second] = processes
      if (!first || !second) throw new Error('no processes')
      expect(await admitted(first, call, 1)).toBe(1)
      expect(await admitted(second, call, 3)).toBe(3)
      outage.now = true
      const meanwhile = []
      for (const process of processes) meanwhile.push(await admitted(process, call, 20))
      // floor(10 / 4) each.
      expect(meanwhile).toEqual([1, 0, 2, 2])
    },
  )

  test('reads a bucket by its whole rate up to the outage, and by the share of it from then on', async () => {
    const { outage, time, startProcess } = scene()
    const decider = startProcess(2)
    // A permit each second.
    const call = makeCharge('token-bucket', 'all', [{ ...plainRule(10, 10_000), leak: 1, scale: 1_000 }])
    expect(await admitted(decider, call, 10)).toBe(10)
    time.now = 7_000
    outage.now = true
    // 3 of 10 are used still, and the share is 5.
    expect(await admitted(decider, call, 5)).toBe(2)
    time.now = 8_999
    expect(await admitted(decider, call, 5)).toBe(0)
    time.now = 9_000
    expect(await admitted(decider, call, 5)).toBe(1)
    time.now = 19_000
    expect(await admitted(decider, call, 10)).toBe(5)
  })

  test('admits of each process one call, however small its share, and a call that costs more than that', async () => {
    const { outage, startProcess } = scene()
    const decider = startProcess(20)
    outage.now = true
    expect(await admitted(decider, charge('small', LIMIT), 5)).toBe(1)
    expect(await admitted(decider, { ...charge('heavy', LIMIT), cost: 7 }, 5)).toBe(1)
  })

  test('does not divide sets of scope instance, and reports limits as declared', async () => {
    const { outage, startProcess } = scene()
    const decider = startProcess(PROCESSES)
    outage.now = true
    const { decision } = await decider.take([charge('all', LIMIT), instance(LIMIT)])
    expect(decision.rules.map(({ limit, remaining }) => [limit, remaining])).toEqual([
      [LIMIT, 1],
      [LIMIT, 9],
    ])
  })

  test('reports a set that allows every call as unused, and charges nothing', async () => {
    const { outage, startProcess } = scene()
    const decider = startProcess(2)
    outage.now = true
    const free = charge('free', LIMIT)
    const allowing = { ...free, facts: { ...free.facts, onStoreFailure: 'allow' as const } }
    for (let call = 0; call < LIMIT + 1; call += 1) {
      const { decision, receipt } = await decider.take([allowing])
      expect(decision).toMatchObject({
        allowed: true,
        decidedBy: 'policy',
        rules: [{ limit: LIMIT, remaining: LIMIT }],
      })
      expect(receipt.lines.map(({ isTaken }) => isTaken)).toEqual([false])
    }
    const { decision } = await decider.take([charge('counted', LIMIT), { ...allowing, key: 'other' }])
    expect(decision.rules.map(({ remaining }) => remaining)).toEqual([4, LIMIT])
  })

  test('a refund and a further charge count by the share too', async () => {
    const { outage, startProcess } = scene()
    const decider = startProcess(2)
    outage.now = true
    const call = makeCharge('token-bucket', 'all', [{ ...plainRule(10, 10_000), leak: 1, scale: 1_000 }])
    const left = async () => (await decider.peek([call])).rules.map(({ remaining }) => remaining)
    const taken = await decider.take([{ ...call, cost: 2 }])
    expect(await left()).toEqual([3])
    await taken.refund()
    expect(await left()).toEqual([5])
    await decider.force(taken, 4)
    expect(await left()).toEqual([1])
  })
})
