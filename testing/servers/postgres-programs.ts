import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the folder of PostgreSQL's programs, of the newest version; null if there is none. */
export function findPostgresPrograms(): string | null {
  // Debian keeps the server's programs outside PATH, with one folder per version.
  const versions = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const folders = [...versions, ...(process.env.PATH ?? '').split(delimiter)]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}
