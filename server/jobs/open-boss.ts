import { type ConstructorOptions, fromPglite, PgBoss } from 'pg-boss'
import type { DatabaseConnection } from '#server/database/database.ts'

/** The database schema of the queue. */
export const SCHEMA = 'jobs'

/** Seconds between polls for jobs that have become due, and for attempts that were lost. */
export interface Pace {
  readonly pollSeconds: number
  readonly superviseSeconds: number
}

const HOUR_SECONDS = 60 * 60
const QUERY_MS = 15_000

/** Creates a queue without starting it. Senders notify waiting workers, so polling is only needed for jobs due in the
 *  future. */
export function createBoss(connection: DatabaseConnection, { superviseSeconds }: Pace): PgBoss {
  return new PgBoss({
    ...connectionOptions(connection),
    schema: SCHEMA,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    cronMonitorIntervalSeconds: 45,
    cronWorkerIntervalSeconds: 45,
    // The tables stay small, and no job depends on another queue's.
    reindex: false,
    monitorVacuum: false,
    flowIntervalSeconds: HOUR_SECONDS,
    bamIntervalSeconds: HOUR_SECONDS,
  })
}

function connectionOptions(connection: DatabaseConnection): ConstructorOptions & { query_timeout?: number } {
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
