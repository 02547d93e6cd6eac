import fc from 'fast-check'
import type { Charge } from '#server/limits/store.ts'
import { plainFacts } from './charges.ts'
import type { Step } from './harness.ts'

/** Charges of one key, which always has the same windows, long enough not to expire in real time during a test. */
export type ChargeArbitrary = fc.Arbitrary<Charge>

export interface HistoryOptions {
  /** One for each key. */
  readonly charges: readonly ChargeArbitrary[]
  /** Interesting steps of time in milliseconds: the bounds of windows, and one more or less. */
  readonly stepsMs: readonly number[]
  /** Whether time may step back. */
  readonly stepsBack?: boolean
}

/** The time before the first step. */
export const START = 1_763_700_000_000

/** Calls, with occasional peeks, forced charges, refunds of earlier charges and resets, on keys with changing limits, costs and
 *  modes. */
export function historyArbitrary({
  charges,
  stepsMs,
  stepsBack = true,
}: HistoryOptions): fc.Arbitrary<readonly Step[]> {
  const longest = Math.max(...stepsMs)
  const stepMs = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, 1, ...stepsMs) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: Math.ceil(longest / 6) }) },
    { weight: stepsBack ? 1 : 0, arbitrary: fc.integer({ min: -longest, max: -1 }) },
  )
  const step = fc.record({
    stepMs,
    type: fc.oneof(
      { weight: 16, arbitrary: fc.constant('take' as const) },
      { weight: 1, arbitrary: fc.constantFrom('peek' as const, 'force' as const, 'reset' as const) },
      { weight: 3, arbitrary: fc.constant('refund' as const) },
    ),
    back: fc.nat({ max: 5 }),
    charges: fc.subarray([...charges.keys()], { minLength: 1 }).chain((own) => fc.tuple(...own.map(withMode(charges)))),
  })
  return fc.array(step, { minLength: 1, maxLength: 25 }).map((steps) => {
    let at = START
    const instants: number[] = []
    return steps.map(({ stepMs, type, back, charges }) => {
      at += stepMs
      instants.push(at)
      if (type !== 'refund') return { at, operation: { type, charges } }
      const refunded = instants.at(-1 - back) ?? at
      return { at, operation: { type, charges, at: charges.map(() => refunded) } }
    })
  })
}

const modeArbitrary = fc.oneof(
  { weight: 8, arbitrary: fc.constant('enforce' as const) },
  { weight: 1, arbitrary: fc.constantFrom('shadow' as const, 'degrade' as const) },
)

function withMode(charges: readonly ChargeArbitrary[]) {
  return (index: number): ChargeArbitrary => {
    const charge = charges[index]
    if (!charge) throw new Error(`no charge ${index}`)
    return fc.tuple(charge, modeArbitrary).map(([own, mode]) => ({ ...own, facts: { ...plainFacts, mode } }))
  }
}
