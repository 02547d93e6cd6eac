import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Writes Prisma's client to `generated/`. Nothing is downloaded: the client needs no engine, and the command is content
 *  with any existing file in the place of the one it would fetch. Throws when the schema is wrong. */
export function generateClient(): void {
  const root = join(import.meta.dirname, '..')
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  const prisma = join(root, 'node_modules/prisma/build/index.js')
  execFileSync(process.execPath, [prisma, 'generate', '--no-hints'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

if (import.meta.main) generateClient()
