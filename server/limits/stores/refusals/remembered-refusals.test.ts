import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Asked, askStore } from '#testing/limits/asked.ts'
import { makeCharge, plainFacts, plainRule } from '#testing/limits/charges.ts'
import { distantStore } from '#testing/limits/distant-store.ts'
import { createFleet } from '#testing/limits/fleet.ts'
import type { Clock } from '../../clock.ts'
import { decide } from '../../decision.ts'
import type { Permit } from '../../permit.ts'
import { Returns } from '../../returns.ts'
import type { SetFacts } from '../../rules/compiled.ts'
import type { Charge, LimitStore } from '../../store.ts'
import { CircuitBreaker } from '../failover/circuit-breaker.ts'
import { FailoverStore } from '../failover/failover-store.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { PartitionedStore } from '../partitioned-store.ts'
import { RememberedRefusals } from './remembered-refusals.ts'

/** Processes with a cache each over one store, how often the store was asked to take, and whether it fails now. */
function scene({ processes = 1, maxKeys = 1_000 } = {}) {
  const clock = { time: 0, now: () => clock.time }
  const store = new MemoryStore(clock)
  const state = { isFailing: false, asked: 0, after: async () => {} }
  const back = async ({ type }: { readonly type: string }) => {
    if (type !== 'take') return
    state.asked += 1
    await state.after()
  }
  const fleets = createFleet(processes)
  const deciders = fleets.map((fleet) => {
    const returns = new Returns(fleet)
    const distant = distantStore(store, clock, { back, isGone: () => state.isFailing })
    const refusals = new RememberedRefusals(clock, returns, maxKeys)
    const around = returns.around(failoverOver(distant, clock, refusals))
    return { ...askStore(around), store: around, forgetAll: () => refusals.forgetAll() }
  })
  const [first] = deciders
  if (!first) throw new Error('no process')
  return { clock, state, fleets, deciders, first }
}

function failoverOver(store: LimitStore, clock: Clock, refusals: RememberedRefusals): LimitStore {
  const breaker = new CircuitBreaker(store, clock, () => {})
  onTestFinished(() => breaker.close())
  return new FailoverStore(store, breaker, new MemoryStore(clock), () => 1, refusals)
}

function limited(key: string, limit: number, facts: Partial<SetFacts> = {}, cost = 1): Charge {
  const own = makeCharge('sliding-window-log', key, [plainRule(limit, 60_000)], cost)
  return { ...own, facts: { ...plainFacts, ...facts } }
}

/** By whom a take was decided, and for how long it is refused; 0 when it is not. */
async function told(decider: Asked, ...charges: Charge[]) {
  const { decision } = await decider.take(charges)
  return [decision.decidedBy, decision.retryAfterMs]
}

test('a flood that is refused already asks the store no more, until the refused call passes: to the millisecond', async () => {
  const { clock, state, first } = scene()
  await first.take([limited('a', 1)])
  clock.time = 1_000
  expect(await told(first, limited('a', 1))).toEqual(['store', 59_000])
  for (let time = 1_000; time < 60_000; time += 1) {
    clock.time = time
    const receipt = first.store.apply({ type: 'take', charges: [limited('a', 1)] })
    if (receipt instanceof Promise) throw new Error('not at once')
    const { decidedBy, retryAfterMs } = decide(receipt)
    expect([decidedBy, retryAfterMs]).toEqual(['cache', 60_000 - time])
  }
  expect(state.asked).toBe(2)
  clock.time = 60_000
  expect((await first.take([limited('a', 1)])).decision.allowed).toBe(true)
})

test('a remembered refusal answers like the store, with its times reduced by its age', async () => {
  const { clock, first } = scene()
  await first.take([limited('a', 1), limited('b', 5)])
  const { decision } = await first.take([limited('a', 1), limited('b', 5)])
  clock.time = 20_000
  const remembered = (await first.take([limited('b', 5), limited('a', 1)])).decision
  const [report] = decision.rules
  expect(remembered).toEqual({
    ...decision,
    rules: [{ ...report, resetMs: 40_000 }],
    refusedBy: { ...report, resetMs: 40_000 },
    retryAfterMs: 40_000,
    decidedBy: 'cache',
  })
})

test('of several remembered charges of a call the one that lasts longest refuses it', async () => {
  const { clock, first } = scene()
  await first.take([limited('a', 1)])
  clock.time = 5_000
  await first.take([limited('b', 1)])
  await first.take([limited('b', 1)])
  await first.take([limited('a', 1)])
  expect(await told(first, limited('a', 1), limited('b', 1))).toEqual(['cache', 60_000])
})

test('holds for charges that cost as much or more; a lighter one is asked', async () => {
  const { state, first } = scene()
  await first.take([limited('a', 10, {}, 5)])
  expect(await told(first, limited('a', 10, {}, 6))).toEqual(['store', 60_000])
  expect(await told(first, limited('a', 10, {}, 6))).toEqual(['cache', 60_000])
  expect(await told(first, limited('a', 10, {}, 9))).toEqual(['cache', 60_000])
  expect(await told(first, limited('a', 10, {}, 5))).toEqual(['store', 0])
  expect(state.asked).toBe(3)
})

test('holds for the same limits only: callers of one key may have others', async () => {
  const { first } = scene()
  await first.take([limited('a', 1)])
  await first.take([limited('a', 1)])
  expect(await told(first, limited('a', 2))).toEqual(['store', 0])
  expect(await told(first, limited('a', 1))).toEqual(['cache', 60_000])
})

test('a blocked subject is refused from memory for as long as the block lasts', async () => {
  const { clock, state, first } = scene()
  const blocking = makeCharge('sliding-window-log', 'a', [{ ...plainRule(1, 1_000), blockMs: 900_000 }])
  await first.take([blocking])
  expect(await told(first, blocking)).toEqual(['store', 900_000])
  clock.time = 899_999
  expect(await told(first, blocking)).toEqual(['cache', 1])
  clock.time = 900_000
  expect(await told(first, blocking)).toEqual(['store', 0])
  expect(state.asked).toBe(3)
})

test.each<[string, Charge, asked?: number]>([
  ['in shadow mode', limited('a', 1, { mode: 'shadow' })],
  ['that degrades', limited('a', 1, { mode: 'degrade' })],
  ['whose calls wait', limited('a', 1, { waitMs: 1_000 })],
  ['that each process counts by itself', limited('a', 1, { scope: 'instance' }), 0],
  [
    'of calls under way, whose end nobody knows',
    makeCharge('concurrency', 'a', [{ ...plainRule(1, 30_000), lease: 'one' }]),
  ],
])('nothing is remembered of a set %s', async (_, charge, asked = 5) => {
  const { state, first } = scene()
  for (let i = 0; i < 5; i += 1) {
    const rules = charge.algorithm === 'concurrency' ? charge.rules.map((rule) => ({ ...rule, lease: `${i}` })) : null
    const taken = await first.take([rules && charge.algorithm === 'concurrency' ? { ...charge, rules } : charge])
    expect(taken.decision.decidedBy).toBe('store')
  }
  expect(state.asked).toBe(asked)
})

describe('while the store fails', () => {
  test.each(['deny', 'allow'] as const)('a set that says %s decides for itself', async (onStoreFailure) => {
    const { state, first } = scene()
    const own = limited('a', 1, { onStoreFailure })
    await first.take([own])
    await first.take([own])
    expect((await told(first, own))[0]).toBe('cache')
    state.isFailing = true
    expect((await told(first, limited('b', 1)))[0]).toBe('local')
    expect((await told(first, own))[0]).toBe('policy')
  })

  test('what is remembered of the others holds', async () => {
    const { state, first } = scene()
    await first.take([limited('a', 1)])
    await first.take([limited('a', 1)])
    state.isFailing = true
    expect((await told(first, limited('b', 1)))[0]).toBe('local')
    expect(await told(first, limited('a', 1))).toEqual(['cache', 60_000])
  })
})

describe('a refusal is remembered no more', () => {
  test('when a permit returns to its key: in the process that refunds it, and in the others', async () => {
    const { deciders, first, fleets } = scene({ processes: 3 })
    const taken = await first.take([limited('a', 1)])
    const other = await first.take([limited('b', 1)])
    for (const decider of deciders) {
      await decider.take([limited('a', 1)])
      await decider.take([limited('b', 1)])
      expect(await told(decider, limited('a', 1))).toEqual(['cache', 60_000])
    }
    await Promise.all([taken.refund(), other.refund()])
    await turn()
    expect(fleets[0]?.told).toEqual([['returned', '["a","b"]']])
    for (const decider of deciders) expect((await decider.peek([limited('a', 1)])).allowed).toBe(true)
    for (const [index, decider] of deciders.entries())
      expect((await told(decider, limited('a', 1)))[1]).toBe(index === 0 ? 0 : 60_000)
  })

  test.each<[string, Partial<SetFacts>]>([
    ['counted only', { mode: 'shadow' }],
    ['let calls wait', { waitMs: 1_000 }],
  ])('when a permit comes back to its key that was taken when its set %s', async (_, facts) => {
    const { first } = scene()
    const taken = await first.take([limited('a', 1, facts)])
    await first.take([limited('a', 1)])
    expect(await told(first, limited('a', 1))).toEqual(['cache', 60_000])
    await taken.refund()
    expect(await told(first, limited('a', 1))).toEqual(['store', 0])
  })

  test('when its key is reset, here or elsewhere', async () => {
    const { deciders, first } = scene({ processes: 2 })
    for (const decider of [first, ...deciders]) await decider.take([limited('a', 1)])
    await deciders[1]?.reset([limited('a', 1)])
    await turn()
    expect(await told(first, limited('a', 1))).toEqual(['store', 0])
  })

  test('when its reason may be gone: new rules, recovery of the store, or a gap in messages', async () => {
    const { fleets, first } = scene()
    for (const forget of [() => first.forgetAll(), () => fleets[0]?.miss()]) {
      await first.take([limited('a', 1)])
      await first.take([limited('a', 1)])
      expect((await told(first, limited('a', 1)))[0]).toBe('cache')
      forget()
      expect((await told(first, limited('a', 1)))[0]).toBe('store')
    }
  })

  test('when a message of the fleet cannot be read', async () => {
    const { fleets, first } = scene({ processes: 2 })
    for (const message of ['{', '"a"', '[1]']) {
      await first.take([limited('a', 1)])
      await first.take([limited('a', 1)])
      expect((await told(first, limited('a', 1)))[0]).toBe('cache')
      fleets[1]?.tell('returned', message)
      expect((await told(first, limited('a', 1)))[0]).toBe('store')
    }
  })

  test('when other keys came after it, and there is no room for all', async () => {
    const { first } = scene({ maxKeys: 2 })
    for (const key of ['a', 'b', 'c']) {
      await first.take([limited(key, 1)])
      await first.take([limited(key, 1)])
    }
    const by = async (key: string) => (await told(first, limited(key, 1)))[0]
    expect([await by('b'), await by('c'), await by('a')]).toEqual(['cache', 'cache', 'store'])
  })
})

test.each<[string, (all: ReturnType<typeof scene>, taken: Permit) => unknown]>([
  ['a refund', (_, taken) => taken.refund()],
  ['a refund elsewhere', ({ fleets }) => fleets[1]?.tell('returned', '["a"]')],
  ['a reset', ({ first }) => first.reset([limited('a', 1)])],
  ['new rules', ({ first }) => first.forgetAll()],
  ['more returns than are noted', ({ fleets }) => fleets[1]?.tell('returned', JSON.stringify(Array(5_000).fill('b')))],
])('a refusal that is on its way is not remembered when %s overtakes it', async (_, overtake) => {
  const all = scene({ processes: 2 })
  const { first, state } = all
  const taken = await first.take([limited('a', 1)])
  state.after = async () => void (await overtake(all, taken))
  expect((await first.take([limited('a', 1)])).decision.allowed).toBe(false)
  state.after = async () => {}
  expect((await told(first, limited('a', 1)))[0]).toBe('store')
})

test('on a Cluster a key was full because of a call that another place refused: callers it refused ask again', async () => {
  const clock = { now: () => 0 }
  const store = new MemoryStore(clock)
  const remote = distantStore(store, clock, { back: () => turn() })
  const partitionOf = ({ key }: Charge) => ({ store: remote, slot: key, stage: key === 'own' ? 1 : 2 })
  const [one, two] = createFleet(2).map((fleet) => {
    const returns = new Returns(fleet)
    const onGivenBack = (charges: readonly Charge[]) => returns.endRefusals(charges)
    const cluster = new PartitionedStore({ partitionOf, deadlineMs: 1_000, onGivenBack, close: async () => {} })
    return askStore(returns.around(failoverOver(cluster, clock, new RememberedRefusals(clock, returns))))
  })
  if (!one || !two) throw new Error('no process')
  await askStore(store).take([limited('site', 1)])
  const doomed = one.take([limited('own', 1), limited('site', 1)])
  const refused = [one.take([limited('own', 1)]), two.take([limited('own', 1)])]
  expect((await doomed).decision.refusedBy?.policy).toBe('test-60000')
  for (const each of refused) expect((await each).decision.allowed).toBe(false)
  await turn()
  expect(await told(two, limited('own', 1))).toEqual(['store', 0])
  expect(await told(one, limited('own', 1))).toEqual(['store', 60_000])
})
