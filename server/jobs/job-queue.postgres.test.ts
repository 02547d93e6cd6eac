import { openDatabase } from '#server/database/database.ts'
import { keepsJobs } from '#testing/job-queue-suite.ts'
import { startPostgresServer } from '#testing/postgres-server.ts'

keepsJobs('PostgreSQL', async () => {
  const postgres = await startPostgresServer()
  const database = await openDatabase({ dataDir: '', databaseUrl: await postgres.createDatabase() })
  const close = async () => {
    await database.close()
    await postgres[Symbol.asyncDispose]()
  }
  return { ...database, close }
})
