import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median, type Spread, spreadOf, type Target } from '../report/figures.ts'
import type { Options } from '../report/options.ts'
import { type Row, rate, spread, type Table } from '../report/table.ts'
import type { Contender } from './contender.ts'
import { ENTRIES, type Entry, LIMIT } from './in-process-contenders.ts'
import { goalOf } from './rate-row.ts'
import { IN_FLIGHT, type Measured, measureInTurns } from './rounds.ts'
import { SUBJECTS } from './subjects.ts'

const TITLE = 'In process, without Redis'
const CALLS = 100_000

const AHEAD: Target = { bound: 'more than', value: 1, unit: ' of the best peer' }

/** Decisions a second where the process itself counts. */
export async function inProcess({ includes, rounds, scaled }: Options): Promise<Table> {
  await using stack = new AsyncDisposableStack()
  const apart: Apart[] = []
  for (const entry of ENTRIES.filter(({ name }) => includes(TITLE, name)))
    apart.push(stack.use(await startApart(entry)))
  const calls = scaled(CALLS)
  // Each makes the calls of a turn by itself.
  const meter = async () => [apart.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)]
  const measured = await measureInTurns(apart, { rounds, calls, inFlight: 1, meter })
  return {
    title: TITLE,
    about: `Each contender in a process of its own. ${IN_FLIGHT} calls under way at any time, by ${SUBJECTS.toLocaleString('en')} subjects, all of them allowed: ${LIMIT.toLocaleString('en')} a minute, in threes ${(10 * LIMIT).toLocaleString('en')} an hour and ${(100 * LIMIT).toLocaleString('en')} a day as well. Each turn is ${calls.toLocaleString('en')} calls; ${rounds} rounds. What is to be reached is decisions for each second of processor time, of all the process's threads, for that is one core's work whatever else the machine does; the best peer is the faster one of each round that has as many rules.`,
    columns: ['decisions/s', 'per CPU second', 'of best peer', 'least to most'],
    rows: measured.map((each) => rowOf(each, measured)),
  }
}

/** A contender that works in another process, all calls of a turn in one message. */
interface Apart extends Contender, AsyncDisposable {
  /** Processor time that it has had. */
  readonly cpuMicros: number
}

async function startApart(entry: Entry): Promise<Apart> {
  const child = fork(join(import.meta.dirname, 'in-process-child.ts'), [entry.name])
  const ended = once(child, 'exit')
  const answer = async (): Promise<number> => {
    const [micros] = await Promise.race([once(child, 'message'), ended.then(() => [])])
    if (typeof micros !== 'number') throw new Error(`${entry.name} has ended`)
    return micros
  }
  let cpuMicros = await answer()
  return {
    name: entry.name,
    target: entry.target,
    get cpuMicros() {
      return cpuMicros
    },
    decide: async () => {
      throw new Error(`${entry.name} proves itself in its own process`)
    },
    work: async (turn) => {
      const told = answer()
      child.send(turn.left)
      turn.left = 0
      cpuMicros = await told
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect()
      await ended
    },
  }
}

function rowOf({ contender, rates, costs: [us = Number.NaN] }: Measured, all: readonly Measured[]): Row {
  const entry = entryOf(contender)
  const peers = entry.isPeer ? [] : all.filter((each) => isPeerOf(entryOf(each.contender), entry))
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

function isPeerOf(one: Entry, other: Entry): boolean {
  return one.isPeer && one.rules === other.rules
}

function entryOf({ name }: Contender): Entry {
  const entry = ENTRIES.find((each) => each.name === name)
  if (!entry) throw new Error(`there is no ${name}`)
  return entry
}
