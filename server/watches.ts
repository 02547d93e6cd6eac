import { isDatabaseOutage } from './database/outage.ts'
import type { WatchDatabase } from './database/watched-adapter.ts'
import type { WatchDecoder } from './images/decoder/pool.ts'
import type { WatchJob } from './jobs/job-queue.ts'
import type { Metrics } from './metrics/metrics.ts'
import { BudgetSpent } from './storage/meter.ts'
import { ObjectNotFound } from './storage/object-store.ts'
import type { WatchStore } from './storage/watched-store.ts'
import type { Tracing } from './tracing/tracing.ts'
import { createWatch } from './tracing/watch.ts'

/** What adapters call with their work, so that its duration and failures are counted and traced. */
export interface Watches {
  readonly database: WatchDatabase
  readonly store: WatchStore
  readonly decoder: WatchDecoder
  readonly job: WatchJob
  readonly redis: (ms: number, hasFailed: boolean) => void
}

export function createWatches(metrics: Metrics, tracing: Tracing): Watches {
  return {
    database: createWatch({
      tracing,
      name: 'database',
      isFault: isDatabaseOutage,
      time: (...timed) => metrics.time('sluice_database_query_duration_seconds', ...timed),
    }),
    store: createWatch({
      tracing,
      name: 'bucket',
      time: (...timed) => metrics.time('sluice_bucket_call_duration_seconds', ...timed),
      isFault: (error) => !(error instanceof ObjectNotFound || error instanceof BudgetSpent),
    }),
    redis: (ms, hasFailed) =>
      metrics.time('sluice_redis_trip_duration_seconds', ms / 1_000, hasFailed ? 'failed' : 'ok'),
    decoder: watchDecoder(metrics, tracing),
    job: async (job, work) => {
      try {
        const result = await tracing.span(`job ${job}`, () => ({}), work)
        metrics.add('sluice_jobs_attempts_total', job, 'ok')
        return result
      } catch (error) {
        metrics.add('sluice_jobs_attempts_total', job, 'failed')
        throw error
      }
    },
  }
}

/** A file that is refused costs its time like any other; a decoder that could not start or be read is a failure. */
function watchDecoder(metrics: Metrics, tracing: Tracing): WatchDecoder {
  return async (kind, waitedMs, work) => {
    metrics.time('sluice_decoder_wait_seconds', waitedMs / 1_000, kind)
    const startedAt = performance.now()
    const end = (outcome: 'ok' | 'refused' | 'failed') =>
      metrics.time('sluice_decoder_duration_seconds', (performance.now() - startedAt) / 1_000, kind, outcome)
    try {
      const result = await tracing.span(`decoder ${kind}`, () => ({ 'sluice.waited_ms': Math.round(waitedMs) }), work)
      end(DONE.has(result.outcome) ? 'ok' : 'refused')
      return result
    } catch (error) {
      end('failed')
      throw error
    }
  }
}

const DONE: ReadonlySet<string> = new Set(['decoded', 'rendered'])
