import { Ratelimit } from '@upstash/ratelimit'
import type { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Limiter } from '#server/limits/limiter.ts'
import type { Rule } from '#server/limits/rule-set.ts'
import { startRedisServer } from '../../testing/redis-server.ts'
import { atLeast, type Target } from '../report/figures.ts'
import type { Options } from '../report/options.ts'
import type { Table } from '../report/table.ts'
import { bareEvalsha, plainConnection, scriptCallsAndTime } from './bare.ts'
import { type Contender, contender } from './contender.ts'
import { callerAt, limiterOver, setOf } from './ours.ts'
import { flexible, upstashContender } from './peers.ts'
import { rateRow } from './rate-row.ts'
import { IN_FLIGHT, measureBeside } from './rounds.ts'
import { SUBJECTS, subjectOfCall } from './subjects.ts'

const TITLE = 'Refused'
const CALLS = 20_000

/** What decided the calls of a contender. */
type Deciders = Set<string>

/** Decisions about subjects that were refused before. */
export async function refused({ includes, rounds, scaled }: Options): Promise<Table> {
  await using redis = await startRedisServer()
  using client = await plainConnection(redis.url)
  await using limiter = await limiterOver(redis.url)
  const deciders = new Map<Contender, Deciders>()
  const contenders = [...oursOver(limiter, deciders), ...peersOver(client)].filter(({ name }) => includes(TITLE, name))
  for (const each of contenders) await exhaust(each)
  for (const own of deciders.values()) own.clear()
  const effort = { rounds, calls: scaled(CALLS), meter: scriptCallsAndTime(client) }
  const measured = await measureBeside(await bareEvalsha(client), contenders, effort)
  return {
    title: TITLE,
    about: `${IN_FLIGHT} calls under way at any time, by ${SUBJECTS.toLocaleString('en')} subjects, each of which has used up a limit of one call an hour and was refused once before; all calls are refused. Each turn is ${effort.calls.toLocaleString('en')} calls between two turns of bare; ${rounds} rounds.`,
    columns: [
      'decisions/s',
      'of bare',
      'least to most',
      'decisions a script call',
      'CPU µs here',
      'in Redis',
      'decided by',
    ],
    rows: measured.map((each) => {
      const row = rateRow(each)
      return { ...row, cells: [...row.cells, [...(deciders.get(each.contender) ?? [])].join(', ')] }
    }),
  }
}

/** The first call of each subject passes, the second does not. */
async function exhaust({ name, decide }: Contender): Promise<void> {
  let next = 0
  const rest = async () => {
    while (next < SUBJECTS) {
      next += 1
      const subject = subjectOfCall(next)
      const passed = [await decide(subject), await decide(subject)]
      if (!passed[0] || passed[1]) throw new Error(`${name} does not refuse just the second call`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, rest))
}

function oursOver(limiter: Limiter, deciders: Map<Contender, Deciders>): readonly Contender[] {
  const once = { limit: 1, window: '1h' } as const
  return [
    oursRefusing(
      limiter,
      { name: 'blocked for a day', rule: { ...once, blockFor: '1d' }, target: atLeast(10) },
      deciders,
    ),
    oursRefusing(limiter, { name: 'fixed-window, used up', rule: { ...once, algorithm: 'fixed-window' } }, deciders),
    oursRefusing(limiter, { name: 'sliding-window-log, used up', rule: once }, deciders),
  ]
}

interface Refusing {
  readonly name: string
  readonly rule: Rule
  readonly target?: Target
}

function oursRefusing(
  limiter: Limiter,
  { name, rule, target }: Refusing,
  deciders: Map<Contender, Deciders>,
): Contender {
  const sets = setOf([rule], name.replaceAll(/[^a-z]+/g, '-'))
  const seen: Deciders = new Set()
  const own = contender({
    name,
    target,
    call: (subject) => limiter.take(sets, callerAt(subject)),
    isAllowed: ({ allowed, decidedBy }) => {
      if (decidedBy !== 'store' && decidedBy !== 'cache') throw new Error(`${name}: decided by '${decidedBy}'`)
      seen.add(decidedBy)
      return allowed
    },
    expected: 'refused',
  })
  deciders.set(own, seen)
  return own
}

/** With their caches of who is blocked, where they have them. */
function peersOver(client: Redis): readonly Contender[] {
  const limits = { storeClient: client, points: 1, duration: 3_600 }
  const limiter = Ratelimit.fixedWindow(1, '1 h')
  const [flexibleName, upstashName] = ['rate-limiter-flexible Redis', '@upstash/ratelimit fixedWindow']
  const withCache = ', with its cache'
  return [
    flexible(flexibleName, new RateLimiterRedis({ ...limits, keyPrefix: 'plain' }), 'refused'),
    flexible(
      flexibleName + withCache,
      new RateLimiterRedis({ ...limits, keyPrefix: 'cached', inMemoryBlockOnConsumed: 1 }),
      'refused',
    ),
    upstashContender(upstashName, client, { limiter, ephemeralCache: false }, 'refused'),
    upstashContender(upstashName + withCache, client, { limiter, ephemeralCache: new Map() }, 'refused'),
  ]
}
