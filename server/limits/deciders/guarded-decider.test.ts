import { expect, onTestFinished, test } from 'vitest'
import { chargeOf, plainFacts, plainRule } from '../../../testing/limits/charges.ts'
import type { SetFacts } from '../rules/compiled.ts'
import type { Charge, LimitStore } from '../store.ts'
import { MemoryStore } from '../stores/memory-store.ts'
import { placesOf } from '../stores/open-store.ts'
import { PartedStore } from '../stores/parted-store.ts'
import { StoreGuard } from '../stores/store-guard.ts'
import { StoreUnavailable } from './decider.ts'
import { guardedDecider } from './guarded-decider.ts'

/** A store for all processes, whose clock is a day ahead of theirs, and that fails at a word. */
function scene() {
  const shared = new MemoryStore({ now: () => 86_400_000 })
  const outage = { now: false }
  const store: LimitStore = {
    apply: async (operation) => {
      if (outage.now) throw new Error('gone')
      return shared.applyNow(operation)
    },
    close: async () => {},
  }
  const startProcess = () => {
    const clock = { now: () => 0 }
    const local = new MemoryStore(clock)
    const parted = new PartedStore({ placeOf: placesOf(local, store, false), deadlineMs: 1_000, close: async () => {} })
    const guard = new StoreGuard(parted, clock, () => {})
    onTestFinished(() => guard.close())
    return guardedDecider(guard, local, () => 1)
  }
  return { outage, startProcess }
}

function charge(key: string, limit: number, facts: Partial<SetFacts> = {}): Charge {
  const own = chargeOf('sliding-window-log', key, [{ ...plainRule(limit, 60_000), policy: key }])
  return { ...own, facts: { ...plainFacts, name: key, ...facts } }
}

const instance = (limit: number, facts: Partial<SetFacts> = {}) =>
  charge('instance', limit, { scope: 'instance', ...facts })

test('a set of scope instance counts in each process by itself, the others in all of them', async () => {
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

test('in an outage counts what the store has admitted, less what was given back, and more what was forced', async () => {
  const { outage, startProcess } = scene()
  const decider = startProcess()
  const left = async () => (await decider.peek([charge('all', 9), instance(9)])).rules.map((rule) => rule.remaining)
  const first = await decider.take([charge('all', 9), instance(9)])
  const second = await decider.take([charge('all', 9), instance(9)])
  await first.amend({ type: 'refund', charges: first.charges, at: first.at })
  await second.amend({ type: 'force', charges: second.charges.map((own) => ({ ...own, cost: 3 })) })
  expect(await left()).toEqual([5, 5])
  outage.now = true
  expect(await left()).toEqual([5, 5])
  await second.amend({ type: 'refund', charges: second.charges, at: second.at })
  expect(await left()).toEqual([6, 6])
})

test('a reset that the store cannot do says so; one that it can reaches the process too', async () => {
  const { outage, startProcess } = scene()
  const decider = startProcess()
  await decider.take([charge('all', 1)])
  await decider.reset([charge('all', 1)])
  expect((await decider.take([charge('all', 1)])).decision.allowed).toBe(true)
  outage.now = true
  await expect(decider.reset([charge('all', 1)])).rejects.toThrow(StoreUnavailable)
})

test('whom the store has blocked an outage does not free, and for no longer', async () => {
  const { outage, startProcess } = scene()
  const blocking = chargeOf('sliding-window-log', 'block', [{ ...plainRule(1, 1_000), blockMs: 60_000 }])
  const [other, decider] = [startProcess(), startProcess()]
  await other.take([blocking])
  expect((await decider.take([blocking])).decision.retryAfterMs).toBe(60_000)
  outage.now = true
  const { decision } = await decider.take([blocking])
  expect([decision.allowed, decision.retryAfterMs, decision.decidedBy]).toEqual([false, 60_000, 'local'])
  outage.now = false
})
