import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The folder that holds PostgreSQL's own programs, the newest version first; null when there is none. */
export function findPostgresPrograms(): string | null {
  // Debian keeps the server's programs out of PATH, one folder a version.
  const versions = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const folders = [...versions, ...(process.env.PATH ?? '').split(delimiter)]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}
