import { type Spread, spreadOf } from '../report/figures.ts'
import type { Contender } from './contender.ts'

/** Calls that are under way at any time. */
export const IN_FLIGHT = 64

/** Some counts, each of which only grows. */
export type Meter = () => Promise<readonly number[]>

/** How much is measured. */
export interface Effort {
  readonly rounds: number
  /** Of a contender's turn. */
  readonly calls: number
  /** Of the turn before all rounds; as many as of any other where it is not said. */
  readonly warmUpCalls?: number
  readonly inFlight?: number
  /** Counts what calls cause, such as script calls of a server. */
  readonly meter?: Meter
}

/** What the rounds were of one contender. */
export interface Measured {
  readonly contender: Contender
  /** Of each round, or where it stood several times in a round of each turn. */
  readonly rates: readonly number[]
  /** Of a call in the mean of all turns, in the meter's order. */
  readonly costs: readonly number[]
}

export interface MeasuredBeside extends Measured {
  /** To the baseline beside which each turn stood; 1 of the baseline itself. */
  readonly ratio: Spread
}

/** Measures contenders in turns. A round in which all warm up is not counted. */
export async function measureInTurns(contenders: readonly Contender[], effort: Effort): Promise<readonly Measured[]> {
  const turns = contenders.map((contender) => new Turns(contender, effort))
  for (const each of turns) await each.warmUp()
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const each of rotated(turns, round)) await each.next()
  }
  return turns
}

/** Measures contenders beside a baseline: each turn stands between two of the baseline, and its ratio is to their mean, so
 *  that a machine that is slow for a while is so for both. */
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

/** The first in each round is another. */
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

  /** Makes the calls of a turn; so many a second. */
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

/** Makes so many calls, with so many of them under way at any time. */
export async function underWay(work: Contender['work'], calls: number, inFlight = IN_FLIGHT): Promise<void> {
  const turn = { left: calls }
  await Promise.all(Array.from({ length: inFlight }, () => work(turn)))
}
