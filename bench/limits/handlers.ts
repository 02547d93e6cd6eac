import type { Redis } from 'ioredis'
import type { Limiter } from '#server/limits/limiter.ts'
import { atLeast } from '../report/figures.ts'
import { bareEvalsha } from './bare.ts'
import type { Contender } from './contender.ts'
import { oneRule, ours, threeRules } from './ours.ts'
import { flexibleOverRedis, upstash } from './peers.ts'

const LIMIT = 100_000

/** The decisions that an HTTP handler can await. The first is a bare EVALSHA. */
export async function awaited(client: Redis, limiter: Limiter): Promise<readonly Contender[]> {
  const target = atLeast(1.1)
  return [
    await bareEvalsha(client),
    ours(limiter, { name: 'fixed-window, 1 rule', rules: oneRule('fixed-window', LIMIT), target }),
    ours(limiter, { name: 'sliding-window-log, 1 rule', rules: oneRule('sliding-window-log', LIMIT), target }),
    ours(limiter, { name: 'fixed-window, 3 rules', rules: threeRules('fixed-window', LIMIT) }),
    ...flexibleOverRedis(client, LIMIT),
    ...upstash(client, LIMIT).slice(0, 1),
  ]
}
