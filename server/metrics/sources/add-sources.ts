import type { Backups } from '#server/backups/backups.ts'
import type { Budgets } from '#server/budgets/budgets.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import type { Alarms } from '#server/images/alarms.ts'
import type { Decoder } from '#server/images/decoder/decoder.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import type { CachedStore, CacheFigures } from '#server/storage/cached.ts'
import type { Metrics } from '../metrics.ts'
import { readConnections, readSite } from './database.ts'
import { readLimiter } from './limiter.ts'
import { watchProcess } from './process.ts'
import { readAlarms, readCache, readDecoder, readDisk } from './storage.ts'

export interface SourceParts {
  readonly config: Pick<Config, 'dataDir' | 'metrics'>
  readonly database: Database
  readonly jobs: JobQueue
  readonly backups: Backups
  readonly budgets: Budgets
  readonly limiter: Limiter
  readonly store: CachedStore
  readonly decoder: Decoder
  readonly alarms: Alarms
}

/** Has the metrics read what these know. The event loop is watched only if somebody may read the result; disposing ends that. */
export function addSources(metrics: Metrics, parts: SourceParts): Disposable {
  const { config, database, jobs, backups, budgets, limiter, store, decoder, alarms } = parts
  metrics.knowJobs(jobs.names)
  metrics.readFrom(() => readLimiter(limiter))
  metrics.readFrom(() => readConnections(database))
  metrics.readFrom(() => readSite({ db: database.db, jobs, backups, budgets }), 'shared')
  const readCacheOf = (scope: CacheFigures['scope']) => {
    const figures = store.figures()
    return figures.scope === scope ? readCache(figures) : {}
  }
  metrics.readFrom(() => readCacheOf('host'), 'shared')
  metrics.readFrom(() => readCacheOf('process'))
  metrics.readFrom(() => readDecoder(decoder))
  metrics.readFrom(() => readAlarms(alarms))
  metrics.readFrom(() => readDisk(config.dataDir), 'shared')
  metrics.readFrom(() => ({ sluice_workers: [{ value: 1 }], sluice_worker_failures_total: [{ value: 0 }] }))
  const watched = new DisposableStack()
  const { token, addresses } = config.metrics
  if (token !== null || addresses.length > 0) metrics.readFrom(watched.use(watchProcess()).read)
  return watched
}
