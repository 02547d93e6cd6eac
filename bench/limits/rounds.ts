import type { Contender } from './contender.ts'
import { type Spread, spreadOf } from './figures.ts'

/** Calls that are under way at any time. */
export const IN_FLIGHT = 64

/** How much is measured. */
export interface Effort {
  readonly rounds: number
  /** Of a contender's turn. */
  readonly calls: number
  readonly inFlight?: number
  /** Counts something that calls cause, such as script calls of a server. */
  readonly meter?: () => Promise<number>
}

/** What the rounds were of one contender. */
export interface Measured {
  readonly contender: Contender
  readonly perSecond: Spread
  /** To the baseline beside which each turn stood; 1 of the baseline itself. */
  readonly ratio: Spread
  /** Calls for each that the meter counted; null without one. */
  readonly callsPerMetered: number | null
}

interface Turns {
  readonly rates: number[]
  readonly ratios: number[]
  calls: number
  metered: number
}

/** Measures contenders beside a baseline: each turn stands between two of the baseline, and its ratio is to their mean, so
 *  that a machine that is slow for a while is so for both. A round in which all warm up is not counted. */
export async function measureBeside(
  baseline: Contender,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<readonly Measured[]> {
  const turns = new Map([baseline, ...contenders].map((contender) => [contender, noTurns()]))
  for (const contender of turns.keys()) await ratePerSecond(contender, effort)
  for (let round = 0; round < effort.rounds; round += 1) {
    let before = await ratePerSecond(baseline, effort, turns.get(baseline))
    for (const contender of rotated(contenders, round)) {
      const own = await ratePerSecond(contender, effort, turns.get(contender))
      const after = await ratePerSecond(baseline, effort, turns.get(baseline))
      turns.get(contender)?.ratios.push(own / ((before + after) / 2))
      before = after
    }
  }
  return Array.from(turns, ([contender, own]) => measured(contender, own, effort))
}

/** The first in each round is another. */
function rotated<T>(all: readonly T[], by: number): readonly T[] {
  const start = by % Math.max(1, all.length)
  return [...all.slice(start), ...all.slice(0, start)]
}

/** Makes so many calls, with so many of them under way at any time. */
export async function underWay(work: Contender['work'], calls: number, inFlight = IN_FLIGHT): Promise<void> {
  const turn = { left: calls }
  await Promise.all(Array.from({ length: inFlight }, () => work(turn)))
}

/** Makes one turn's calls; calls a second. */
async function ratePerSecond({ work }: Contender, effort: Effort, turns = noTurns()): Promise<number> {
  const { calls, inFlight = IN_FLIGHT, meter = async () => 0 } = effort
  const metered = await meter()
  const start = performance.now()
  await underWay(work, calls, inFlight)
  const rate = (calls / (performance.now() - start)) * 1_000
  turns.metered += (await meter()) - metered
  turns.calls += calls
  turns.rates.push(rate)
  return rate
}

function noTurns(): Turns {
  return { rates: [], ratios: [], calls: 0, metered: 0 }
}

function measured(contender: Contender, { rates, ratios, calls, metered }: Turns, { meter }: Effort): Measured {
  return {
    contender,
    perSecond: spreadOf(rates),
    ratio: spreadOf(ratios.length > 0 ? ratios : [1]),
    callsPerMetered: meter ? calls / metered : null,
  }
}
