import { type Database, openDatabase } from '#server/database/database.ts'
import { startPostgresServer } from './postgres-server.ts'

/** A database on a PostgreSQL of its own, which ends with it. */
export async function openPostgresDatabase(): Promise<Database> {
  const postgres = await startPostgresServer()
  const database = await openDatabase({ dataDir: '', databaseUrl: await postgres.createDatabase() })
  const close = async () => {
    await database.close()
    await postgres[Symbol.asyncDispose]()
  }
  return { ...database, close }
}
