import { median, type Spread, spreadOf, type Target } from '../report/figures.ts'
import type { Options } from '../report/options.ts'
import { type Row, rate, spread, type Table } from '../report/table.ts'
import { processorTime, startApart } from './apart.ts'
import { named } from './entry.ts'
import { IN_PROCESS, type InProcess, LIMIT } from './in-process-contenders.ts'
import { goalOf } from './rate-row.ts'
import { IN_FLIGHT, type Measured, measureInTurns } from './rounds.ts'
import { SUBJECTS } from './subjects.ts'

const TITLE = 'In process, without Redis'
const CALLS = 100_000

const AHEAD: Target = { bound: 'more than', value: 1, unit: ' of the best peer' }

/** Decisions per second of in-process limiters. */
export async function inProcess({ includes, rounds, scaled }: Options): Promise<Table> {
  await using stack = new AsyncDisposableStack()
  const entries = IN_PROCESS.filter(({ name }) => includes(TITLE, name))
  const all = await startApart(stack, 'in-process', entries)
  const calls = scaled(CALLS)
  const meter = async () => [processorTime(all)]
  const measured = await measureInTurns(all, { rounds, calls, inFlight: 1, meter })
  return {
    title: TITLE,
    about: `Each contender in a process of its own. ${IN_FLIGHT} calls under way at any time, by ${SUBJECTS.toLocaleString('en')} subjects, all of them allowed: ${LIMIT.toLocaleString('en')} a minute, in threes ${(10 * LIMIT).toLocaleString('en')} an hour and ${(100 * LIMIT).toLocaleString('en')} a day as well. Each turn is ${calls.toLocaleString('en')} calls; ${rounds} rounds. What is to be reached is decisions for each second of processor time, of all the process's threads, for that is one core's work whatever else the machine does; the best peer is the faster one of each round that has as many rules.`,
    columns: ['decisions/s', 'per CPU second', 'of best peer', 'least to most'],
    rows: measured.map((each) => rowOf(each, measured)),
  }
}

function rowOf({ contender, rates, costs: [us = Number.NaN] }: Measured, all: readonly Measured[]): Row {
  const entry = named(IN_PROCESS, contender.name)
  const peers = entry.isPeer ? [] : all.filter((each) => isPeerOf(named(IN_PROCESS, each.contender.name), entry))
  const best = (round: number) => Math.max(...peers.map((peer) => peer.rates[round] ?? Number.NaN))
  const ratio: Spread | null = peers.length > 0 ? spreadOf(rates.map((own, round) => own / best(round))) : null
  const onCore = 1e6 / us
  const cells = [median(rates), onCore].map(rate)
  return {
    name: contender.name,
    cells: [...cells, ratio?.median.toFixed(2) ?? '', ratio ? spread(ratio) : ''],
    goals: [...goalOf(contender, onCore), ...(ratio ? [{ target: AHEAD, figure: ratio.median }] : [])],
    raw: { rates, onCore, ratio },
  }
}

function isPeerOf(one: InProcess, other: InProcess): boolean {
  return one.isPeer && one.rules === other.rules
}
