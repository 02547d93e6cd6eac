// Makes the empty database that first starts copy (server/database/template.ts): as after a first start, but without rows.
import { mkdtempDisposableSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { loadConfig } from './config.ts'
import { openDatabase } from './database/database.ts'
import { migrationNames } from './database/migrate.ts'
import { TEMPLATE } from './database/template.ts'
import { declaredParts } from './http/declared-parts.ts'

const AFTERWARDS = [
  // A schedule would have missed the time until the first start, and its job would run there.
  'DELETE FROM jobs.schedule',
  'DELETE FROM jobs.job',
  // The databases from which others are created are half of the files, and nobody creates others.
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
]

// An older one would be copied below.
rmSync(TEMPLATE, { recursive: true, force: true })
// Beside it, because a folder is renamed only within a file system.
using folder = mkdtempDisposableSync(`${TEMPLATE}-`)
const dataDir = folder.path
// A start also declares the queues of all jobs, which takes a sixth of its CPU.
const app = await createApp(await loadConfig({ SLUICE_DATA: dataDir, SLUICE_LOG: 'silent' }), declaredParts())
await app.close()
const database = await openDatabase({ dataDir, databaseUrl: null })
// A statement at a time: several are one transaction, in which databases cannot be dropped.
for (const statement of AFTERWARDS) await database.db.$executeRawUnsafe(statement)
await database.close()
writeFileSync(join(dataDir, 'db/migrations'), (await migrationNames()).join('\n'))
renameSync(join(dataDir, 'db'), TEMPLATE)
