// Makes in the data folder of its argument the embedded database that tests copy: as after a first start, but without rows.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/database.ts'
import { declaredParts } from '#server/http/declared-parts.ts'

/** PGlite fills its buffers with zeros at each start: 128 MB of them take as much CPU as all the rest. */
const SETTINGS = 'shared_buffers = 16MB\n'

const AFTERWARDS = [
  // A schedule would have missed the time until a test, and its job would run there.
  'DELETE FROM jobs.schedule',
  'DELETE FROM jobs.job',
  // The databases from which others are created are half of the files to copy, and no test creates others.
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
]

const [dataDir = ''] = process.argv.slice(2)
// A start declares the queues of all jobs, which takes a sixth of its CPU.
const app = await createApp(await loadConfig({ SLUICE_DATA: dataDir, SLUICE_LOG: 'silent' }), declaredParts())
await app.close()
const database = await openDatabase({ dataDir, databaseUrl: null })
// A statement at a time: several are one transaction, in which databases cannot be dropped.
for (const statement of AFTERWARDS) await database.db.$executeRawUnsafe(statement)
await database.close()
appendFileSync(join(dataDir, 'db/pgdata/postgresql.conf'), SETTINGS)
