import { chmodSync, cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrationNames } from './migrate.ts'

/** The folder of an empty database with all migrations, and their names; made by server/make-database.ts. */
export const TEMPLATE = join(import.meta.dirname, '../../generated/database')

/** Copies the empty database that the build made to the folder `pgdata`, because PGlite takes ten seconds of CPU to create one.
 *  Copies nothing if there is none, or if it has other migrations than the code. */
export async function copyTemplate(pgdata: string, template = TEMPLATE): Promise<void> {
  if (readMigrations(template) !== (await migrationNames()).join('\n')) return
  // An interrupted copy must not look like a database.
  const copy = `${pgdata}.new`
  rmSync(copy, { recursive: true, force: true })
  cpSync(join(template, 'pgdata'), copy, { recursive: true })
  makeOwn(copy)
  renameSync(copy, pgdata)
}

function readMigrations(template: string): string | null {
  try {
    return readFileSync(join(template, 'migrations'), 'utf8')
  } catch {
    return null
  }
}

/** Installed files may be readable by everybody and writable by nobody, and copies keep that. */
function makeOwn(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}
