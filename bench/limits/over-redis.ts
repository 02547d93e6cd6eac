import type { Redis } from 'ioredis'
import type { Limiter } from '#server/limits/limiter.ts'
import { startRedisServer } from '../../testing/servers/redis-server.ts'
import { atLeast } from '../report/figures.ts'
import type { Options } from '../report/options.ts'
import type { Table } from '../report/table.ts'
import { bareEvalsha, plainConnection, scriptCallsAndTime } from './bare.ts'
import { type Contender, prove } from './contender.ts'
import { ALGORITHMS, type Algorithm, limiterOver, mixedRules, oneRule, ours, threeRules } from './ours.ts'
import { flexibleOverRedis, upstash } from './peers.ts'
import { rateRow } from './rate-row.ts'
import { IN_FLIGHT, measureBeside, underWay } from './rounds.ts'
import { SUBJECTS } from './subjects.ts'

const TITLE = 'Over Redis'
/** Permits per minute. */
const LIMIT = 100
const CALLS = 40_000

const ONE_RULE: Readonly<Record<Algorithm, number>> = {
  'fixed-window': 1.5,
  'token-bucket': 1.5,
  'leaky-bucket': 1.5,
  'sliding-window-counter': 1.2,
  'sliding-window-log': 0.8,
}
const THREE_RULES: Readonly<Record<Algorithm, number>> = {
  'fixed-window': 1,
  'token-bucket': 1,
  'leaky-bucket': 1,
  'sliding-window-counter': 1,
  'sliding-window-log': 0.65,
}

/** Calls in a fuller log before the first turn. */
const FILLED = 60

/** Decisions per second over Redis, with many concurrent calls. */
export async function overRedis({ includes, rounds, scaled }: Options): Promise<Table> {
  await using redis = await startRedisServer()
  using client = await plainConnection(redis.url)
  using pipelining = await plainConnection(redis.url, { enableAutoPipelining: true })
  await using limiter = await limiterOver(redis.url)
  const takesPart = ({ name }: Contender) => includes(TITLE, name)
  const empty = [...oursOver(limiter), ...peersOver(client, pipelining)].filter(takesPart)
  for (const each of empty) await prove(each, LIMIT)
  const filled = [fullerLog(limiter)].filter(takesPart)
  for (const { work } of filled) await underWay(work, FILLED * SUBJECTS)

  const unlimited = [await bareEvalsha(pipelining, 'bare EVALSHA, auto-pipelined')].filter(takesPart)
  const effort = { rounds, calls: scaled(CALLS), meter: scriptCallsAndTime(client) }
  const measured = await measureBeside(await bareEvalsha(client), [...unlimited, ...empty, ...filled], effort)
  const perSubject = Math.ceil(((rounds + 1) * effort.calls) / SUBJECTS)
  return {
    title: TITLE,
    about: `${IN_FLIGHT} calls under way at any time, by ${SUBJECTS.toLocaleString('en')} subjects, all of them allowed: ${LIMIT} a minute, in threes ${10 * LIMIT} an hour and ${100 * LIMIT} a day as well. Each turn is ${effort.calls.toLocaleString('en')} calls between two turns of bare; ${rounds} rounds. Logs come to hold ${perSubject} calls, the fuller one ${FILLED} to ${FILLED + perSubject}. CPU is processor time for each decision, in this process and in Redis: what others do on the machine does not change it.`,
    columns: ['decisions/s', 'of bare', 'least to most', 'decisions a script call', 'CPU µs here', 'in Redis'],
    rows: measured.map(rateRow),
  }
}

function oursOver(limiter: Limiter): readonly Contender[] {
  return [
    ...ALGORITHMS.map((algorithm) => {
      const target = atLeast(ONE_RULE[algorithm])
      return ours(limiter, { name: `${algorithm}, 1 rule`, rules: oneRule(algorithm, LIMIT), target })
    }),
    ...ALGORITHMS.map((algorithm) => {
      const target = atLeast(THREE_RULES[algorithm])
      return ours(limiter, { name: `${algorithm}, 3 rules`, rules: threeRules(algorithm, LIMIT), target })
    }),
    ours(limiter, { name: 'three algorithms, 3 rules', rules: mixedRules(LIMIT) }),
  ]
}

/** A window of an hour, so that nothing expires during the measurement. */
function fullerLog(limiter: Limiter): Contender {
  const rules = [{ limit: 10 * LIMIT, window: '1h' }] as const
  return ours(limiter, {
    name: 'sliding-window-log, 1 rule, fuller',
    rules,
    target: atLeast(ONE_RULE['sliding-window-log']),
  })
}

function peersOver(client: Redis, pipelining: Redis): readonly Contender[] {
  const how = ', auto-pipelined'
  return [
    ...flexibleOverRedis(client, LIMIT),
    ...flexibleOverRedis(pipelining, LIMIT, how),
    ...upstash(client, LIMIT),
    ...upstash(pipelining, LIMIT, how).slice(0, 1),
  ]
}
