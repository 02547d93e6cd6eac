import { startRedisServer } from '../../testing/servers/redis-server.ts'
import { atMost, median, type Spread, spreadOf } from '../report/figures.ts'
import type { Options } from '../report/options.ts'
import { type Row, spread, type Table } from '../report/table.ts'
import { bareEvalsha, plainConnection } from './bare.ts'
import type { Contender } from './contender.ts'
import { ALGORITHMS, limiterOver, oneRule, ours, threeRules } from './ours.ts'
import { flexibleOverRedis, upstash } from './peers.ts'
import { goalOf } from './rate-row.ts'
import { subjectOfCall } from './subjects.ts'

const TITLE = 'One at a time'
const LIMIT = 1_000
/** Calls of each contender per round. */
const CALLS = 500

interface Latency {
  readonly us: Spread
  readonly ratio: Spread
}

/** The latency of a decision without concurrent calls. */
export async function oneAtATime({ includes, rounds, scaled }: Options): Promise<Table> {
  await using redis = await startRedisServer()
  using client = await plainConnection(redis.url)
  await using limiter = await limiterOver(redis.url)
  const target = atMost(1.15)
  const contenders = [
    ...ALGORITHMS.map((name) => ours(limiter, { name: `${name}, 1 rule`, rules: oneRule(name, LIMIT), target })),
    ...ALGORITHMS.map((name) => ours(limiter, { name: `${name}, 3 rules`, rules: threeRules(name, LIMIT) })),
    ...flexibleOverRedis(client, LIMIT),
    ...upstash(client, LIMIT),
  ].filter(({ name }) => includes(TITLE, name))
  const bare = await bareEvalsha(client)
  const calls = scaled(CALLS)
  const measured = await latencies(bare, contenders, rounds, calls)
  return {
    title: TITLE,
    about: `One call after the other, and nothing else under way: those of all contenders in turn, each between two of bare. The median of ${calls.toLocaleString('en')} calls is a round's figure; ${rounds} rounds.`,
    columns: ['µs', 'of bare', 'least to most'],
    rows: [bare, ...contenders].flatMap((contender) => rowOf(contender, measured.get(contender))),
  }
}

function rowOf(contender: Contender, latency: Latency | undefined): readonly Row[] {
  if (!latency) return []
  const { us, ratio } = latency
  const cells = [us.median.toFixed(0), ratio.median.toFixed(2), spread(ratio)]
  return [{ name: contender.name, cells, goals: goalOf(contender, ratio.median), raw: latency }]
}

/** Latencies of the contenders and of the baseline. The first round is a warm-up. */
async function latencies(
  bare: Contender,
  contenders: readonly Contender[],
  rounds: number,
  calls: number,
): Promise<ReadonlyMap<Contender, Latency>> {
  if (contenders.length === 0) return new Map()
  const medians = new Map([bare, ...contenders].map((contender) => [contender, [] as number[]]))
  for (let round = 0; round <= rounds; round += 1) {
    const times = new Map(Array.from(medians.keys(), (contender) => [contender, [] as number[]]))
    for (let call = 0; call < calls; call += 1) {
      for (const contender of contenders) {
        for (const each of [bare, contender]) times.get(each)?.push(await microseconds(each, subjectOfCall(call)))
      }
    }
    if (round > 0) for (const [contender, own] of times) medians.get(contender)?.push(median(own))
  }
  const ofBare = medians.get(bare) ?? []
  return new Map(
    Array.from(medians, ([contender, own]) => {
      const ratios = own.map((us, round) => us / (ofBare[round] ?? Number.NaN))
      return [contender, { us: spreadOf(own), ratio: spreadOf(ratios) }]
    }),
  )
}

async function microseconds({ name, decide }: Contender, subject: number): Promise<number> {
  const start = performance.now()
  const allowed = await decide(subject)
  const ms = performance.now() - start
  if (!allowed) throw new Error(`${name}: a call was refused, so the figure would be invalid`)
  return ms * 1_000
}
