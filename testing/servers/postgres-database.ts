import { type Database, openDatabase } from '#server/database/database.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

let shared: Promise<PostgresServer> | null = null

/**
 * Creates an empty database and returns its URL. Its PostgreSQL is shared by the tests of this process, which run one after
 * another, so that no other locks and connections interfere. The server ends with the process.
 */
export async function createPostgresDatabase(): Promise<string> {
  shared ??= startPostgresServer()
  return (await shared).createDatabase()
}

/** Opens a new database on PostgreSQL. */
export async function openPostgresDatabase(): Promise<Database> {
  return openDatabase({ dataDir: '', databaseUrl: await createPostgresDatabase() })
}
