import { describe, expect, test } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { charge, makeCharge, plainFacts, plainRule } from '../../../../testing/limits/charges.ts'
import type { Charge } from '../../store.ts'
import { MemoryStore } from './memory-store.ts'

function storeOf(maxKeys: number) {
  const clock = { time: 0, now: () => clock.time }
  const store = new MemoryStore(clock, { maxKeys })
  /** Milliseconds to wait; 0 for a call that passes. */
  const take = (own: Charge) =>
    Math.max(...answersIn(store.apply({ type: 'take', charges: [own] })).map((a) => a.waitMs))
  return { clock, store, take }
}

/** One of the keys of a set. */
const keyOf = (subject: string, set = 'set') => `RATE:LIMIT:{${subject}}:${set}:shape`

const call = (subject: string, limit = 4, set = 'set') => {
  return { ...charge(keyOf(subject, set), [[limit, 60_000]]), facts: { ...plainFacts, name: set } }
}

function leaseOf(subject: string, lease: string): Charge {
  return makeCharge('concurrency', keyOf(subject), [{ ...plainRule(1, 60_000), lease }])
}

describe('a flood of keys that are used once', () => {
  test('frees no key that is at half of its limit, and takes no more room than there is', () => {
    const { store, take } = storeOf(100)
    for (let i = 0; i < 4; i += 1) take(call('at its limit'))
    for (let i = 0; i < 2; i += 1) take(call('at half of it'))
    for (let i = 0; i < 100_000; i += 1) take(call(`flood-${i}`))
    expect(store.size).toBe(100)
    expect([0, 1, 2].map(() => take(call('at half of it')) > 0)).toEqual([false, false, true])
    expect(take(call('at its limit'))).toBe(60_000)
  })

  test('frees no block, and no place of a call under way', () => {
    const { clock, take } = storeOf(100)
    const blocking = makeCharge('sliding-window-log', keyOf('blocked'), [{ ...plainRule(4, 10), blockMs: 60_000 }], 4)
    take(blocking)
    take(blocking)
    take(leaseOf('under way', 'first'))
    clock.time = 11
    for (let i = 0; i < 10_000; i += 1) take(call(`flood-${i}`))
    expect(take(blocking)).toBe(59_989)
    expect(take(leaseOf('under way', 'second'))).toBe(59_989)
  })

  test('evicts the first key that was not charged again', () => {
    const { store, take } = storeOf(3)
    for (const subject of ['a', 'b', 'c', 'a', 'd']) take(call(subject, 9))
    const remaining = (subject: string) =>
      answersIn(store.apply({ type: 'peek', charges: [call(subject, 9)] }))[0]?.remaining
    expect(['a', 'b', 'c', 'd'].map(remaining)).toEqual([7, 9, 8, 8])
  })

  test('evicts the first key when all were charged again, after a bounded search', () => {
    for (const size of [3, 100]) {
      const { store, take } = storeOf(size)
      for (const _ of ['came', 'came again'])
        for (let subject = 0; subject < size; subject += 1) take(call(`${subject}`, 9))
      take(call('newcomer', 9))
      expect(store.size).toBe(size)
      const answers = answersIn(store.apply({ type: 'peek', charges: [call(size === 3 ? '0' : '15', 9)] }))
      expect(answers[0]?.remaining).toBe(9)
    }
  })
})

describe('a flood of hot keys', () => {
  test('is held in one ledger for each set once there is no room', () => {
    const { store, take } = storeOf(100)
    let passed = 0
    for (let i = 0; i < 10_000; i += 1) {
      for (const set of ['one', 'other']) if (take(call(`flood-${i}`, 2, set)) === 0) passed += 1
    }
    expect(store.size).toBe(102)
    // Of the hundred each its first call, and two of all others of each set.
    expect(passed).toBe(100 + 2 * 2)
  })

  test('leaves no newcomers who put out one another and never come to their limit', () => {
    const { store, take } = storeOf(100)
    for (let i = 0; i < 99; i += 1) take(call(`hot-${i}`, 1))
    let passed = 0
    for (let i = 0; i < 1_000; i += 1) {
      for (const subject of ['one', 'other']) if (take(call(subject, 4)) === 0) passed += 1
    }
    // Those of the last place, and of the overflow.
    expect(passed).toBeLessThanOrEqual(2 * 4)
    expect(store.size).toBe(101)
  })

  test('leaves room again when its windows are over', () => {
    const { clock, store, take } = storeOf(100)
    for (let i = 0; i < 1_000; i += 1) take(call(`flood-${i}`, 1))
    expect(take(call('newcomer', 1))).toBe(60_000)
    clock.time = 60_000
    for (let i = 0; i < 60; i += 1) take(call('newcomer', 1))
    expect(store.size).toBe(2)
  })

  test('does not let a newcomer who has his permits back give others theirs', () => {
    const { store, take } = storeOf(1)
    take(call('hot', 1))
    expect(take(call('first', 1))).toBe(0)
    store.apply({ type: 'refund', charges: [call('second', 1)], at: [0] })
    expect(take(call('third', 1))).toBe(60_000)
  })

  test('newcomers share places, and those that end are free', () => {
    const { store, take } = storeOf(1)
    take(leaseOf('hot', '1'))
    expect(take(leaseOf('first', '2'))).toBe(0)
    expect(take(leaseOf('second', '3'))).toBe(60_000)
    store.apply({ type: 'refund', charges: [leaseOf('first', '2')], at: [0] })
    expect(take(leaseOf('second', '3'))).toBe(0)
  })
})

test('a charge costs no more steps for there being more keys', () => {
  const steps = [1_000, 100_000].map((maxKeys) => {
    const { take } = storeOf(maxKeys)
    for (let i = 0; i < 2 * maxKeys; i += 1) take(call(`flood-${i}`))
    return mapStepsOf(() => {
      for (let i = 0; i < 1_000; i += 1) take(call(`more-${i}`))
    })
  })
  expect(steps).toEqual([3_000, 3_000])
})

/** How often anything is read from, written to or removed from any map, or one is walked a step on. */
function mapStepsOf(work: () => void): number {
  const iterator: { next(): unknown } = Object.getPrototypeOf(new Map().values())
  const { get, set, delete: remove } = Map.prototype
  const { next } = iterator
  let steps = 0
  const counted = <Args extends unknown[], Result>(step: (...args: Args) => Result) => {
    return function (this: unknown, ...args: Args): Result {
      steps += 1
      return Reflect.apply(step, this, args)
    }
  }
  try {
    Object.assign(Map.prototype, { get: counted(get), set: counted(set), delete: counted(remove) })
    iterator.next = counted(next)
    work()
  } finally {
    Object.assign(Map.prototype, { get, set, delete: remove })
    iterator.next = next
  }
  return steps
}
