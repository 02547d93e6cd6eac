import { Ratelimit } from '@upstash/ratelimit'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Rule } from '#server/limits/rule-set.ts'
import { atLeast, type Target } from '../report/figures.ts'
import { BARE, bareEvalsha, plainConnection } from './bare.ts'
import { type Contender, contender } from './contender.ts'
import type { Entry } from './entry.ts'
import { callerAt, limiterOver, setOf } from './ours.ts'
import { flexible, upstashContender } from './peers.ts'
import { IN_FLIGHT } from './rounds.ts'
import { SUBJECTS, subjectOfCall } from './subjects.ts'

const ONCE = { limit: 1, window: '1h' } as const
const WITH_CACHE = ', with its cache'

/** A bare EVALSHA, then limiters with one call per hour, so that all subjects are refused; those of others with their caches of
 *  blocked subjects, if they have them. */
export const REFUSED: readonly Entry[] = [
  { name: BARE, open: async (redisUrl) => bareEvalsha(await plainConnection(redisUrl)) },
  own('blocked for a day', { ...ONCE, blockFor: '1d' }, atLeast(10)),
  own('fixed-window, used up', { ...ONCE, algorithm: 'fixed-window' }),
  own('sliding-window-log, used up', ONCE),
  ...['', WITH_CACHE].map((how) => flexibleEntry(`rate-limiter-flexible Redis${how}`, how === WITH_CACHE)),
  ...['', WITH_CACHE].map((how) => upstashEntry(`@upstash/ratelimit fixedWindow${how}`, how === WITH_CACHE)),
]

/** The process must refuse from memory once it knows of the refusal. */
function own(name: string, rule: Rule, target?: Target): Entry {
  const sets = setOf([rule], name.replaceAll(/[^a-z]+/g, '-'))
  const open = async (redisUrl: string) => {
    const limiter = await limiterOver(redisUrl)
    await exhaust(name, async (subject) => (await limiter.take(sets, callerAt(subject))).allowed)
    return contender({
      name,
      call: (subject) => limiter.take(sets, callerAt(subject)),
      isAllowed: ({ allowed, decidedBy }) => {
        if (decidedBy !== 'cache') throw new Error(`${name}: decided by '${decidedBy}'`)
        return allowed
      },
      expected: 'refused',
    })
  }
  return { name, target, open }
}

function flexibleEntry(name: string, isCached: boolean): Entry {
  const limits = { keyPrefix: name, points: 1, duration: 3_600, ...(isCached ? { inMemoryBlockOnConsumed: 1 } : {}) }
  const open = async (redisUrl: string) => {
    const storeClient = await plainConnection(redisUrl)
    return exhausted(flexible(name, new RateLimiterRedis({ ...limits, storeClient }), 'refused'))
  }
  return { name, open }
}

function upstashEntry(name: string, isCached: boolean): Entry {
  const options = { limiter: Ratelimit.fixedWindow(1, '1 h'), ephemeralCache: isCached && new Map() }
  const open = async (redisUrl: string) =>
    exhausted(upstashContender(name, await plainConnection(redisUrl), options, 'refused'))
  return { name, open }
}

async function exhausted(contender: Contender): Promise<Contender> {
  await exhaust(contender.name, contender.decide)
  return contender
}

/** Asserts that the first call of each subject passes and the second does not. */
async function exhaust(name: string, decide: Contender['decide']): Promise<void> {
  let next = 0
  const rest = async () => {
    while (next < SUBJECTS) {
      next += 1
      const subject = subjectOfCall(next)
      const passed = [await decide(subject), await decide(subject)]
      if (!passed[0] || passed[1]) throw new Error(`${name} does not refuse exactly the second call`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, rest))
}
