import type { Charge, Operation, RuleAnswer } from '#server/limits/store.ts'
import { makeCharge, plainRule } from '../charges.ts'
import type { Step } from '../harness.ts'

/** A boundary of windows of a minute. */
export const MINUTE_BOUNDARY = 1_763_700_000_000

/** A rule; by default 2 per minute, from the first hit. */
export interface Windows {
  readonly limit?: number
  readonly windowMs?: number
  readonly boundaries?: readonly number[]
}

function makeRule({ limit = 2, windowMs = 60_000, boundaries = [] }: Windows) {
  return { ...plainRule(limit, windowMs), calendar: null, boundaries }
}

/** `cost` permits of one key. */
export function chargeWindows(cost: number, ...rules: readonly Windows[]): Charge {
  return makeCharge('fixed-window', 'a', rules.map(makeRule), cost)
}

/** A call `after` milliseconds from the start. */
export function call(after: number, rule: Windows = {}, cost = 1): Step {
  return { at: MINUTE_BOUNDARY + after, charges: [chargeWindows(cost, rule)] }
}

/** Any operation `after` milliseconds from the start. */
export function other(after: number, operation: Operation): Step {
  return { at: MINUTE_BOUNDARY + after, operation }
}

/** Refunds what was charged `of` milliseconds from the start. */
export function refund(after: number, of: number, cost = 1, ...rules: readonly Windows[]): Step {
  return other(after, {
    type: 'refund',
    charges: [chargeWindows(cost, ...(rules.length > 0 ? rules : [{}]))],
    at: [MINUTE_BOUNDARY + of],
  })
}

/** Returns a rule's answer. */
export function answer(remaining: number, resetMs: number, waitMs = 0): RuleAnswer {
  return { remaining, resetMs, waitMs, delayMs: 0 }
}

/** Plays the steps on a new store, and returns all answers in one list. */
export type Play = (...steps: readonly Step[]) => Promise<readonly RuleAnswer[]>
