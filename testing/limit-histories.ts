import fc from 'fast-check'
import { charge } from './limit-charges.ts'
import type { Step } from './limit-harness.ts'

/** The windows of each key, which its name stands for. So long that no key expires, in real time, within a test. */
const WINDOWS = {
  single: [30_000],
  double: [30_000, 120_000],
  triple: [45_000, 60_000, 600_000],
} as const

const START = 1_763_700_000_000

const chargeArbitrary = (key: keyof typeof WINDOWS) => {
  const windows = WINDOWS[key]
  const limits = fc.array(fc.integer({ min: 3, max: 8 }), { minLength: windows.length, maxLength: windows.length })
  return fc.record({ limits, cost: fc.integer({ min: 1, max: 3 }) }).map(({ limits, cost }) =>
    charge(
      key,
      windows.map((window, i) => [limits[i] ?? 3, window] as const),
      cost,
    ),
  )
}

const chargesArbitrary = fc
  .subarray(['single', 'double', 'triple'] as const, { minLength: 1 })
  .chain((keys) => fc.tuple(...keys.map(chargeArbitrary)))

/** Time stands still, moves by the very bounds of a window, by anything, or back. */
const stepMsArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 29_999, 30_000, 30_001, 45_000, 60_000, 120_000) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -90_000, max: -1 }) },
)

/** Calls on up to three keys with changing limits and costs. */
export const historyArbitrary: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.tuple(stepMsArbitrary, chargesArbitrary), { minLength: 1, maxLength: 25 })
  .map((calls) => {
    let at = START
    return calls.map(([stepMs, charges]) => {
      at += stepMs
      return { at, charges }
    })
  })
