import { type ConstructorOptions, fromPglite, PgBoss } from 'pg-boss'
import type { Connection } from '#server/database/database.ts'

/** The queue's own schema in the database. */
export const SCHEMA = 'jobs'

/** How often the queue looks where nobody tells it, in seconds: for jobs whose time has come, and for attempts that were lost. */
export interface Pace {
  readonly lookSeconds: number
  readonly superviseSeconds: number
}

const HOUR_SECONDS = 60 * 60
const QUERY_MS = 15_000

/** A queue that is not started yet. Whoever sends a job wakes those who wait for it, so looking is left for what lies in the future. */
export function createBoss(connection: Connection, { superviseSeconds }: Pace): PgBoss {
  return new PgBoss({
    ...databaseOf(connection),
    schema: SCHEMA,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    cronMonitorIntervalSeconds: 45,
    cronWorkerIntervalSeconds: 45,
    // Its tables stay small, and nothing here depends on jobs of other queues.
    reindex: false,
    monitorVacuum: false,
    flowIntervalSeconds: HOUR_SECONDS,
    bamIntervalSeconds: HOUR_SECONDS,
  })
}

function databaseOf(connection: Connection): ConstructorOptions & { query_timeout?: number } {
  if (connection.kind === 'embedded') return { db: fromPglite(connection.pglite), backend: 'pglite' }
  return {
    connectionString: connection.url,
    application_name: 'sluice jobs',
    max: 2,
    connectionTimeoutMillis: 5_000,
    query_timeout: QUERY_MS,
    notifyHeartbeatIntervalMs: 30_000,
  }
}
