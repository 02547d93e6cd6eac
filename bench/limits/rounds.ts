import { type Spread, spreadOf } from '../report/figures.ts'
import type { Contender } from './contender.ts'

/** Concurrent calls. */
export const IN_FLIGHT = 64

/** Monotonic counters. */
export type Meter = () => Promise<readonly number[]>

/** The extent of a measurement. */
export interface Effort {
  readonly rounds: number
  /** Calls per turn of a contender. */
  readonly calls: number
  /** Calls of the warm-up turn before all rounds; by default as many as of any other. */
  readonly warmUpCalls?: number
  readonly inFlight?: number
  /** Counts effects of calls, such as script calls of a server. */
  readonly meter?: Meter
}

/** The results of one contender. */
export interface Measured {
  readonly contender: Contender
  /** One per round, or one per turn if a round has several of it. */
  readonly rates: readonly number[]
  /** Mean costs per call over all turns, in the meter's order. */
  readonly costs: readonly number[]
}

export interface MeasuredBeside extends Measured {
  /** Relative to the adjacent turns of the baseline; 1 for the baseline itself. */
  readonly ratio: Spread
}

/** Measures contenders in turns, after an uncounted warm-up round. */
export async function measureInTurns(contenders: readonly Contender[], effort: Effort): Promise<readonly Measured[]> {
  const turns = contenders.map((contender) => new Turns(contender, effort))
  for (const each of turns) await each.warmUp()
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const each of rotated(turns, round)) await each.next()
  }
  return turns
}

/** Measures contenders relative to a baseline. Each turn is between two of the baseline and is compared with their mean, so that a
 *  temporarily slow machine affects both. */
export async function measureBeside(
  baseline: Contender,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<readonly MeasuredBeside[]> {
  if (contenders.length === 0) return []
  const beside = new Turns(baseline, effort)
  const turns = contenders.map((contender) => ({ own: new Turns(contender, effort), ratios: [] as number[] }))
  for (const each of [beside, ...turns.map(({ own }) => own)]) await each.warmUp()
  for (let round = 0; round < effort.rounds; round += 1) {
    let before = await beside.next()
    for (const { own, ratios } of rotated(turns, round)) {
      const rate = await own.next()
      const after = await beside.next()
      ratios.push(rate / ((before + after) / 2))
      before = after
    }
  }
  return [{ own: beside, ratios: [1] }, ...turns].map(({ own, ratios }) => {
    const { contender, rates, costs } = own
    return { contender, rates, costs, ratio: spreadOf(ratios) }
  })
}

/** Rotates the contenders, so that each round begins with a different one. */
function rotated<T>(all: readonly T[], by: number): readonly T[] {
  const start = by % Math.max(1, all.length)
  return [...all.slice(start), ...all.slice(0, start)]
}

/** The turns of one contender. */
class Turns implements Measured {
  readonly contender: Contender
  readonly rates: number[] = []
  readonly #effort: Effort
  #metered: readonly number[] = []

  constructor(contender: Contender, effort: Effort) {
    this.contender = contender
    this.#effort = effort
  }

  get costs(): readonly number[] {
    return this.#metered.map((sum) => sum / (this.rates.length * this.#effort.calls))
  }

  async warmUp(): Promise<void> {
    const { calls, warmUpCalls = calls, inFlight } = this.#effort
    await underWay(this.contender.work, warmUpCalls, inFlight)
  }

  /** Makes the calls of a turn. Returns calls per second. */
  async next(): Promise<number> {
    const { calls, inFlight, meter = async () => [] } = this.#effort
    const before = await meter()
    const start = performance.now()
    await underWay(this.contender.work, calls, inFlight)
    const rate = (calls / (performance.now() - start)) * 1_000
    const after = await meter()
    this.#metered = after.map((count, i) => (this.#metered[i] ?? 0) + count - (before[i] ?? 0))
    this.rates.push(rate)
    return rate
  }
}

/** Makes this many calls, with a fixed number of them in flight. */
export async function underWay(work: Contender['work'], calls: number, inFlight = IN_FLIGHT): Promise<void> {
  const turn = { left: calls }
  await Promise.all(Array.from({ length: inFlight }, () => work(turn)))
}
