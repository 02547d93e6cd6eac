import { Pool } from 'pg'
import { z } from 'zod'
import { checkConnection } from './database.ts'
import { checkSchema } from './schema-wanted.ts'

/** What a PostgreSQL says of itself and of this user's rights. */
export interface PostgresFacts {
  readonly version: string
  /** Milliseconds by which its clock is ahead of this machine's. */
  readonly aheadMs: number
  readonly maxConnections: number
  /** Whether it takes no writes, as a standby. */
  readonly isReadOnly: boolean
  /** Whether the user may create tables, and the schema of background jobs. */
  readonly mayCreate: boolean
  /** Whether the next start migrates it. */
  readonly isToMigrate: boolean
}

const facts = z.tuple([
  z.object({
    version: z.string(),
    at: z.number(),
    connections: z.number(),
    readOnly: z.boolean(),
    mayCreate: z.boolean().nullable(),
  }),
])

const ASK = `SELECT current_setting('server_version') AS "version",
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "at",
  current_setting('max_connections')::int AS "connections",
  (pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on') AS "readOnly",
  (has_schema_privilege(current_schema(), 'CREATE')
    AND (to_regnamespace('jobs') IS NOT NULL OR has_database_privilege(current_database(), 'CREATE'))) AS "mayCreate"`

/** Changes nothing. Throws CannotStart without a connection, or if the database is of a version that this one may not use. */
export async function inspectPostgres(url: string): Promise<PostgresFacts> {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 15_000, max: 1 })
  pool.on('error', () => undefined)
  try {
    await checkConnection(pool, url)
    const askedAt = Date.now()
    const { rows } = await pool.query(ASK)
    const middle = (askedAt + Date.now()) / 2
    const [{ version, at, connections, readOnly, mayCreate }] = facts.parse(rows)
    return {
      ...{ version, aheadMs: at - middle, maxConnections: connections, isReadOnly: readOnly },
      mayCreate: mayCreate === true,
      isToMigrate: await checkSchema('any', (sql) => pool.query(sql)),
    }
  } finally {
    await pool.end()
  }
}
