import type { Logger } from 'pino'
import { CannotStart } from './cannot-start.ts'
import { createLimiter, type Limiter, type LimiterEvent, type LimiterOptions } from './limits/limiter.ts'
import { checkRedis } from './limits/stores/redis/check-redis.ts'
import { RedisProblem } from './limits/stores/redis/redis-problem.ts'

/** Opens the limiter, over Redis if there is a `redisUrl`. Throws CannotStart if that cannot be used. */
export async function openLimiter(
  { redisUrl }: { readonly redisUrl: string | null },
  log: Logger,
  options: Pick<LimiterOptions, 'deadlineMs' | 'onTrip' | 'onRefused'> = {},
): Promise<Limiter> {
  return createLimiter({
    ...options,
    ...(redisUrl !== null && { redisUrl, ...(await usableRedis(redisUrl, log)) }),
    logsPasses: log.isLevelEnabled('debug'),
    log: (event) => log[logLevel(event)](event, 'limiter'),
  })
}

async function usableRedis(redisUrl: string, log: Logger): Promise<{ readonly isCluster: boolean }> {
  try {
    return await checkRedis(redisUrl, { onWait: (message) => log.warn(`REDIS_URL: ${message} Waiting for it.`) })
  } catch (error) {
    throw error instanceof RedisProblem ? new CannotStart(`REDIS_URL: ${error.message}`, { cause: error }) : error
  }
}

/** Events that refuse nothing are not warnings. */
function logLevel({ type }: LimiterEvent): 'warn' | 'info' | 'debug' {
  if (type === 'passed') return 'debug'
  return type === 'waited' || type === 'shadow-refused' || type === 'degraded-answer' ? 'info' : 'warn'
}
