import { type Database, openDatabase } from '#server/database/database.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

let shared: Promise<PostgresServer> | null = null

/**
 * Makes an empty database and answers with its URL. It is on a PostgreSQL that the tests of this process share: one after
 * another, so that nobody else's locks and connections are in sight. The server ends with the process.
 */
export async function createPostgresDatabase(): Promise<string> {
  shared ??= startPostgresServer()
  return (await shared).createDatabase()
}

/** Opens a database of its own on PostgreSQL. */
export async function openPostgresDatabase(): Promise<Database> {
  return openDatabase({ dataDir: '', databaseUrl: await createPostgresDatabase() })
}
