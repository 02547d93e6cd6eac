import type { Charge, RuleAnswer } from '../store.ts'
import { type AnyBucket, answerAt, brimOf, convertLevel, leakTime, standing, unitsOf } from './bucket-level.ts'
import { chargeFor, type Ledger } from './ledger.ts'

interface State {
  /** The time of the last charge, and of the levels. */
  readonly time: number
  /** Charges of before this instant are not given back: they are not in here, or what they poured in has run over. */
  readonly since: number
  /** One for each rule, in units of its scale. */
  readonly levels: readonly { readonly level: number; readonly scale: number }[]
}

/** The one arithmetic of both buckets: a level that rises with each charge and leaks steadily. What a token bucket lacks
 *  of its tokens is the level of a leaky bucket. All numbers are whole and below 2^53, so nothing is rounded and no
 *  remainder lost; a product of leak and elapsed time may be larger, but then exceeds any level.
 *
 *  Forced charges fill a bucket to twice its capacity at most; what runs over is forgotten. Time that steps back counts as
 *  that of the last charge. A limit that changes keeps the permits of the level, and leaks by its own rate from the last
 *  charge on. A refund gives back what cannot have leaked since: never more can pass than if nothing had been charged.
 *  The twin of lua/bucket.lua. */
export class BucketLedger implements Ledger {
  readonly #algorithm: 'leaky-bucket' | 'token-bucket'
  #state: State | null = null
  #emptyAt = 0

  constructor(algorithm: 'leaky-bucket' | 'token-bucket') {
    this.#algorithm = algorithm
  }

  get emptyAt(): number {
    return this.#emptyAt
  }

  ask(now: number, charge: Charge): readonly RuleAnswer[] {
    const { cost, rules } = chargeFor(this.#algorithm, charge)
    const { time, levels } = stateNow(this.#stateFor(rules), rules, now)
    return rules.map((rule, i) => answerAt(rule, levels[i]?.level ?? 0, unitsOf(cost, rule), time - now))
  }

  take(now: number, charge: Charge, answers: readonly RuleAnswer[]): readonly RuleAnswer[] {
    const { cost, rules } = chargeFor(this.#algorithm, charge)
    const before = stateNow(this.#stateFor(rules), rules, now)
    const poured = rules.map((rule, i) => (before.levels[i]?.level ?? 0) + unitsOf(cost, rule))
    const state = filled(before, rules, poured)
    this.#state = state
    this.#emptyAt = state.time + Math.max(...rules.map((rule, i) => leakTime(state.levels[i]?.level ?? 0, rule)))
    return rules.map((rule, i) => ({
      ...standing(rule, state.levels[i]?.level ?? 0, state.time - now),
      delayMs: answers[i]?.delayMs ?? 0,
    }))
  }

  refund(now: number, at: number, charge: Charge): void {
    const { cost, rules } = chargeFor(this.#algorithm, charge)
    const state = this.#stateFor(rules)
    if (!state || at < state.since) return
    const elapsedMs = Math.max(0, Math.max(now, state.time) - at)
    const levels = rules.map((rule, i) => {
      const returned = Math.max(0, unitsOf(cost, rule) - rule.leak * elapsedMs)
      return { level: Math.max(0, (state.levels[i]?.level ?? 0) - returned), scale: rule.scale }
    })
    const isEmpty = levels.every(({ level }) => level === 0)
    this.#state = isEmpty ? null : { ...state, levels }
    if (isEmpty) this.#emptyAt = 0
  }

  /** What is kept, in the units of the rules that ask. */
  #stateFor(rules: readonly AnyBucket[]): State | null {
    const state = this.#state
    if (state?.levels.length !== rules.length) return null
    const levels = rules.map((rule, i) => convertLevel(state.levels[i]?.level ?? 0, state.levels[i]?.scale ?? 1, rule))
    return filled(state, rules, levels)
  }
}

/** The state with these levels, none of them above its brim. */
function filled({ time, since }: State, rules: readonly AnyBucket[], levels: readonly number[]): State {
  const isOver = rules.some((rule, i) => (levels[i] ?? 0) >= brimOf(rule))
  return {
    time,
    since: isOver ? time + 1 : since,
    levels: rules.map((rule, i) => ({ level: Math.min(levels[i] ?? 0, brimOf(rule)), scale: rule.scale })),
  }
}

function stateNow(state: State | null, rules: readonly AnyBucket[], now: number): State {
  if (!state) return { time: now, since: now, levels: rules.map(({ scale }) => ({ level: 0, scale })) }
  const time = Math.max(now, state.time)
  const levels = rules.map(({ leak, scale }, i) => ({
    level: Math.max(0, (state.levels[i]?.level ?? 0) - leak * (time - state.time)),
    scale,
  }))
  return { time, since: state.since, levels }
}
