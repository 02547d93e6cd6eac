import { createLimiter, type Limiter } from '#server/limits/limiter.ts'
import { type Contender, prove } from './contender.ts'
import { atLeast, median, type Spread, spreadOf, type Target } from './figures.ts'
import type { Options } from './options.ts'
import { ALGORITHMS, type Algorithm, mixedRules, oneRule, ours, threeRules } from './ours.ts'
import { expressInMemory, flexibleInMemory } from './peers.ts'
import { goalOf, type Row, rate, spread, type Table } from './report.ts'
import { IN_FLIGHT, type Measured, measureInTurns } from './rounds.ts'
import { SUBJECTS } from './subjects.ts'

const TITLE = 'In process, without Redis'
const LIMIT = 1_000
const CALLS = 100_000

/** Of these a rate is to be reached. */
const FAST: ReadonlySet<Algorithm> = new Set(['fixed-window', 'token-bucket'])

const AHEAD: Target = { bound: 'more than', value: 1, unit: ' of the best peer' }

/** Those with as many rules. */
interface Class {
  readonly own: readonly Contender[]
  readonly peers: readonly Contender[]
}

/** Decisions a second where the process itself counts. */
export async function inProcess({ includes, rounds, scaled }: Options): Promise<Table> {
  const limiter = createLimiter({})
  const classes = classesOver(limiter).map(({ own, peers }) => ({
    own: own.filter(({ name }) => includes(TITLE, name)),
    peers: peers.filter(({ name }) => includes(TITLE, name)),
  }))
  const contenders = classes.flatMap(({ own, peers }) => [...own, ...peers])
  for (const each of contenders) await prove(each, LIMIT)
  // Of all threads, those that collect garbage too.
  const meter = async () => {
    const { user, system } = process.cpuUsage()
    return [user + system]
  }
  const calls = scaled(CALLS)
  const measured = await measureInTurns(contenders, { rounds, calls, meter })
  await limiter.close()
  return {
    title: TITLE,
    about: `${IN_FLIGHT} calls under way at any time, by ${SUBJECTS.toLocaleString('en')} subjects, all of them allowed: ${LIMIT.toLocaleString('en')} a minute, in threes ${(10 * LIMIT).toLocaleString('en')} an hour and ${(100 * LIMIT).toLocaleString('en')} a day as well. Each turn is ${calls.toLocaleString('en')} calls; ${rounds} rounds. What is to be reached is decisions for each second of processor time, of all the process's threads, for that is one core's work whatever else the machine does; the best peer is the faster one of each round that has as many rules.`,
    columns: ['decisions/s', 'per CPU second', 'of best peer', 'least to most'],
    rows: classes.flatMap((each) => rowsOf(each, measured)),
  }
}

function classesOver(limiter: Limiter): readonly [Class, Class] {
  const [flexible, flexibleUnion] = flexibleInMemory(LIMIT)
  const [express, expressThree] = expressInMemory(LIMIT)
  if (!flexible || !flexibleUnion || !express || !expressThree) throw new Error('each peer has one rule and three')
  return [
    {
      own: ALGORITHMS.map((algorithm) =>
        ours(limiter, {
          name: `${algorithm}, 1 rule`,
          rules: oneRule(algorithm, LIMIT),
          target: FAST.has(algorithm) ? atLeast(1_000_000) : undefined,
        }),
      ),
      peers: [flexible, express],
    },
    {
      own: [
        ...ALGORITHMS.map((algorithm) =>
          ours(limiter, {
            name: `${algorithm}, 3 rules`,
            rules: threeRules(algorithm, LIMIT),
            target: FAST.has(algorithm) ? atLeast(400_000) : undefined,
          }),
        ),
        ours(limiter, { name: 'three algorithms, 3 rules', rules: mixedRules(LIMIT) }),
      ],
      peers: [flexibleUnion, expressThree],
    },
  ]
}

function rowsOf({ own, peers }: Class, measured: readonly Measured[]): readonly Row[] {
  const of = (contenders: readonly Contender[]) => measured.filter(({ contender }) => contenders.includes(contender))
  const best = (round: number) => Math.max(...of(peers).map(({ rates }) => rates[round] ?? Number.NaN))
  return [...of(own), ...of(peers)].map(({ contender, rates, costs: [us = Number.NaN] }) => {
    const isPeer = peers.includes(contender)
    const ratio: Spread | null = isPeer || peers.length === 0 ? null : spreadOf(rates.map((own, i) => own / best(i)))
    const onCore = 1e6 / us
    const cells = [median(rates), onCore].map(rate)
    return {
      name: contender.name,
      cells: [...cells, ratio?.median.toFixed(2) ?? '', ratio ? spread(ratio) : ''],
      goals: [...goalOf(contender, onCore), ...(ratio ? [{ target: AHEAD, figure: ratio.median }] : [])],
      raw: { rates, onCore, ratio },
    }
  })
}
