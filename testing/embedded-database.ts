import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { type Database, openDatabase } from '#server/database/database.ts'
import { JobQueue } from '#server/jobs/job-queue.ts'

const repository = join(import.meta.dirname, '..')

/** A separate embedded database, deleted when it is closed. */
export async function openEmbeddedDatabase(): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-pglite-'))
  await layEmbeddedDatabase(dataDir)
  const database = await openDatabase({ dataDir, databaseUrl: null })
  const close = async () => {
    await database.close()
    await rm(dataDir, { recursive: true })
  }
  return { ...database, close }
}

/**
 * Creates in a data folder what Sluice would create at its first start, an embedded database without rows. Copies one that was
 * made before, because making it takes seconds of CPU.
 */
export async function layEmbeddedDatabase(dataDir: string): Promise<void> {
  // cp copies the thousand files at a fraction of Node's cost.
  await promisify(execFile)('cp', ['-r', await madeBefore(), join(dataDir, 'db')])
}

/** PGlite fills its buffers with zeros at each start: 128 MB of them take as much CPU as all the rest. */
const SETTINGS = 'shared_buffers = 16MB\n'

/** The databases from which others are created are half of the files to copy, and no test creates others. */
const SHRINK = ['UPDATE pg_database SET datistemplate = false', 'DROP DATABASE template0', 'DROP DATABASE template1']

let made: Promise<string> | null = null

function madeBefore(): Promise<string> {
  made ??= findOrMake()
  return made
}

/** Named by the hash of everything that it depends on. */
async function findOrMake(): Promise<string> {
  const sources = ['package-lock.json', ...globSync('prisma/migrations/**/*.sql', { cwd: repository }).sort()]
  const text = [SETTINGS, ...SHRINK, ...sources.map((path) => readFileSync(join(repository, path), 'utf8'))].join('\0')
  const folder = join(repository, 'node_modules/.cache/sluice', `database-${hash('sha256', text).slice(0, 16)}`)
  if (!existsSync(folder)) await makeAt(folder)
  return folder
}

/** The first process to make it wins; the others discard theirs. */
async function makeAt(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true })
  const own = mkdtempSync(`${folder}-`)
  try {
    const database = await openDatabase({ dataDir: own, databaseUrl: null })
    const jobs = await JobQueue.open({ connection: database.connection, log: pino({ level: 'silent' }) })
    await jobs.close()
    // A statement at a time: several are one transaction, in which databases cannot be dropped.
    for (const statement of SHRINK) await database.db.$executeRawUnsafe(statement)
    await database.close()
    appendFileSync(join(own, 'db/pgdata/postgresql.conf'), SETTINGS)
    renameSync(join(own, 'db'), folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
