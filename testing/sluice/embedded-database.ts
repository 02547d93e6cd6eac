import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Database, openDatabase } from '#server/database/database.ts'

const repository = join(import.meta.dirname, '../..')

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

/** In a process of its own, since few tests need the whole server in theirs. */
const MAKER = 'testing/sluice/make-embedded-database.ts'

let made: Promise<string> | null = null

function madeBefore(): Promise<string> {
  made ??= findOrMake()
  return made
}

/** Named by the hash of everything that it depends on, but for the jobs: a start declares again those that have changed since. */
async function findOrMake(): Promise<string> {
  const sources = [MAKER, 'package-lock.json', ...globSync('prisma/migrations/**/*.sql', { cwd: repository }).sort()]
  const text = sources.map((path) => readFileSync(join(repository, path), 'utf8')).join('\0')
  const folder = join(repository, 'node_modules/.cache/sluice', `database-${hash('sha256', text).slice(0, 16)}`)
  if (!existsSync(folder)) await makeAt(folder)
  return folder
}

/** The first process to make it wins; the others discard theirs. */
async function makeAt(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true })
  const own = mkdtempSync(`${folder}-`)
  try {
    await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', join(repository, MAKER), own])
    renameSync(join(own, 'db'), folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
