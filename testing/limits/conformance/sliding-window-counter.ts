import { describe, expect, test } from 'vitest'
import type { Charge, Operation, RuleAnswer } from '#server/limits/store.ts'
import { makeCharge, plainRule } from '../charges.ts'
import type { Step, StoreHarness } from '../harness.ts'

/** The start of a minute, and so of a sub-window of all rules below. */
const START = 1_763_700_000_000

interface Rule {
  readonly limit: number
  readonly windowMs?: number
  readonly samples?: number
  readonly isWhole?: boolean
}

/** Charges rules that state only what differs. The sub-windows of a minute last 10 s. */
function charge(rules: Rule | readonly Rule[], cost = 1): Charge {
  const compiled = [rules].flat().map(({ limit, windowMs = 60_000, samples = 6, isWhole = false }) => ({
    ...plainRule(limit, windowMs),
    samples,
    isWhole,
  }))
  return makeCharge('sliding-window-counter', 'a', compiled, cost)
}

function take(after: number, own: Charge): Step {
  return { at: START + after, charges: [own] }
}

function refund(after: number, charged: number, own: Charge): Step {
  return { at: START + after, operation: { type: 'refund', charges: [own], at: [START + charged] } }
}

function other(type: Exclude<Operation['type'], 'refund'>, after: number, own: Charge): Step {
  return { at: START + after, operation: { type, charges: [own] } }
}

function says(remaining: number, resetMs: number, waitMs = 0): RuleAnswer {
  return { remaining, resetMs, waitMs, delayMs: 0 }
}

function passes(answers: readonly RuleAnswer[]): boolean {
  return answers.every((answer) => answer.waitMs === 0)
}

/** Tests the sliding window counter of every store. */
export function describeSlidingWindowCounter(name: string, open: () => Promise<StoreHarness>): void {
  describe(name, () => {
    describeCounting(open)
    describeTime(open)
    describeRefunds(open)
  })
}

function describeCounting(open: () => Promise<StoreHarness>): void {
  test('allows the limit, and reports the remaining permits, when permits return, and the exact wait', async () => {
    await using store = await open()
    const steps = [
      take(5_000, charge({ limit: 10 }, 4)),
      take(15_000, charge({ limit: 10 }, 6)),
      take(20_000, charge({ limit: 10 })),
      take(20_000, charge({ limit: 10 }, 5)),
    ]
    // The 4 of the first ten seconds leave one by one, 2.5 s apart; the first of the 6 after them 1.667 s later.
    expect((await store.play(steps)).flat()).toEqual([
      says(6, 57_500),
      says(0, 47_500),
      says(0, 42_500, 42_500),
      says(0, 42_500, 51_667),
    ])
  })

  test('never allows a cost above its limit, even unused, as a set that refuses nothing may have', async () => {
    await using store = await open()
    const heavy = charge({ limit: 4 }, 5)
    const steps = [take(5_000, heavy), take(5_000, charge({ limit: 4 }, 4)), take(6_000, heavy)]
    expect((await store.play(steps)).flat()).toEqual([says(4, 0, 60_000), says(0, 57_500), says(0, 56_500, 60_000)])
  })

  test('allows a caller exactly after the stated wait', async () => {
    await using store = await open()
    const own = charge({ limit: 10 }, 5)
    const steps = [take(9_999, own), take(9_999, own), take(9_999, own), take(64_999, own), take(65_000, own)]
    expect((await store.play(steps)).flat()).toEqual([
      says(5, 52_001),
      says(0, 51_001),
      says(0, 51_001, 55_001),
      says(4, 1, 1),
      says(0, 1_000),
    ])
  })

  test('weights the oldest sub-window by its part within the window, rounded up, or counts it whole', async () => {
    await using store = await open()
    const instants = [60_000, 60_001, 65_000, 69_999, 70_000]
    const steps = (isWhole: boolean) => [
      other('reset', 0, charge({ limit: 10, isWhole })),
      take(9_999, charge({ limit: 10, isWhole }, 10)),
      ...instants.map((after) => other('peek', after, charge({ limit: 10, isWhole }))),
    ]
    const remaining = async (isWhole: boolean) =>
      (await store.play(steps(isWhole))).slice(2).map(([answer]) => answer?.remaining)
    expect(await remaining(false)).toEqual([0, 0, 5, 9, 10])
    expect(await remaining(true)).toEqual([0, 0, 0, 0, 10])
  })

  test('an oldest sub-window that counts whole leaves at once, with an exact wait', async () => {
    await using store = await open()
    const own = charge({ limit: 1, isWhole: true })
    expect((await store.play([take(1, own), take(2, own), take(69_999, own), take(70_000, own)])).flat()).toEqual([
      says(0, 69_999),
      says(0, 69_998, 69_998),
      says(0, 1, 1),
      says(0, 70_000),
    ])
  })

  test('counts each of 100 calls in one millisecond', async () => {
    await using store = await open()
    const steps = Array.from({ length: 100 }, () => take(0, charge({ limit: 5 })))
    expect((await store.play(steps)).map(passes)).toEqual(steps.map((_, i) => i < 5))
  })

  test('each rule has its own sub-windows and its own wait', async () => {
    await using store = await open()
    const own = charge([{ limit: 1, windowMs: 1_000, samples: 10 }, { limit: 1 }])
    expect((await store.play([take(0, own), take(100, own)])).map((answers) => answers.map((a) => a.waitMs))).toEqual([
      [0, 0],
      [1_000, 69_900],
    ])
  })

  test('a lowered limit counts the usage so far, and never less than nothing remains', async () => {
    await using store = await open()
    const steps = [3, 3, 3, 2, 9].map((limit) => take(0, charge({ limit })))
    expect((await store.play(steps)).flat().map(({ remaining, waitMs }) => [remaining, waitMs])).toEqual([
      [2, 0],
      [1, 0],
      [0, 0],
      [0, 66_667],
      [5, 0],
    ])
  })

  test('weights the largest counts over the longest windows exactly, even far above the limit', async () => {
    await using store = await open()
    const windowMs = 366 * 86_400_000
    const rule = { limit: 1e12, windowMs, samples: 2 }
    const full = charge(rule, 1e12)
    const call = charge(rule, 123_456_789_012)
    const [, , asked] = await store.play([other('force', 0, full), other('force', 1, full), other('peek', 2, call)])
    const waitMs = asked?.[0]?.waitMs ?? 0
    expect(waitMs).toBeGreaterThan(windowMs)
    const late = await store.play([other('peek', 2 + waitMs - 1, call), other('peek', 2 + waitMs, call)])
    expect(late.flat().map((answer) => answer.waitMs)).toEqual([1, 0])
  })

  test('a weight just above a whole number is rounded up to the next', async () => {
    await using store = await open()
    const windowMs = 366 * 86_400_000
    const own = charge({ limit: 1e12, windowMs, samples: 2 }, 1e12 - 11)
    const oldest = Math.floor(START / (windowMs / 2))
    // 999999999989 * 11558690909 / 15811200000 is 731044506987 and a 15811200000th: a product of doubles would lose it.
    const after = (oldest + 3) * (windowMs / 2) - 11_558_690_909 - START
    const [, asked] = await store.play([take(0, own), other('peek', after, own)])
    expect(asked?.[0]?.remaining).toBe(1e12 - 731_044_506_988)
  })
}

function describeTime(open: () => Promise<StoreHarness>): void {
  test('a hit late in the window does not leave early, one window after the first', async () => {
    await using store = await open()
    const own = charge({ limit: 10 }, 9)
    const steps = [take(0, charge({ limit: 10 })), take(59_000, own), take(70_000, own), take(109_999, own)]
    expect((await store.play(steps)).map(passes)).toEqual([true, true, false, false])
  })

  test('old sub-windows leave during constant traffic, so nobody is blocked forever', async () => {
    await using store = await open()
    const steps = Array.from({ length: 200 }, (_, i) => take(i * 5_000, charge({ limit: 15 })))
    expect((await store.play(steps)).filter(passes)).toHaveLength(200)
  })

  test('a clock may begin at 0, if it knows no date', async () => {
    await using store = await open()
    const own = charge({ limit: 1 })
    const steps = [0, 59_999, 70_000].map((at) => ({ at, charges: [own] }))
    expect((await store.play(steps)).flat()).toEqual([says(0, 70_000), says(0, 10_001, 10_001), says(0, 70_000)])
  })

  test('a clock that steps back neither drops counts nor creates new ones', async () => {
    await using store = await open()
    const own = charge({ limit: 2 })
    const steps = [take(10_000, own), take(-30_000, own), take(-30_000, own), take(74_999, own), take(75_000, own)]
    expect((await store.play(steps)).flat()).toEqual([
      says(1, 70_000),
      says(0, 105_000),
      says(0, 105_000, 105_000),
      says(0, 1, 1),
      says(0, 5_000),
    ])
  })
}

function describeRefunds(open: () => Promise<StoreHarness>): void {
  test('a refund is subtracted from the sub-window of the charge, and from no other', async () => {
    await using store = await open()
    const own = charge({ limit: 10 }, 4)
    const steps = [take(5_000, own), take(15_000, own), refund(20_000, 9_999, charge({ limit: 10 }, 3))]
    const peeks = [20_000, 60_000, 70_000].map((after) => other('peek', after, own))
    expect((await store.play([...steps, ...peeks])).flat().slice(2)).toEqual([
      says(5, 50_000),
      says(5, 10_000),
      says(6, 2_500),
    ])
  })

  test('a refund of more than was charged, or a repeated one, never makes the count negative', async () => {
    await using store = await open()
    const own = charge({ limit: 3 }, 2)
    const steps = [
      take(0, own),
      refund(1, 0, charge({ limit: 3 }, 3)),
      refund(1, 0, own),
      refund(1, -60_000, own),
      other('peek', 1, own),
      take(1, own),
      take(1, own),
    ]
    expect((await store.play(steps)).slice(4).flat()).toEqual([says(3, 0), says(1, 64_999), says(1, 64_999, 64_999)])
  })

  test('a forced charge counts whatever the rules say, with an exact wait', async () => {
    await using store = await open()
    const steps = [
      other('force', 0, charge({ limit: 10 }, 25)),
      take(0, charge({ limit: 10 })),
      take(66_399, charge({ limit: 10 })),
      take(66_400, charge({ limit: 10 })),
    ]
    expect((await store.play(steps)).flat()).toEqual([
      says(0, 60_400),
      says(0, 60_400, 66_400),
      says(0, 1, 1),
      says(0, 400),
    ])
  })
}
