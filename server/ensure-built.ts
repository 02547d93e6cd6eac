import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Wanted } from './build.ts'

/** Builds what is stale. A package (`npm run package`) comes built and without the build: it is trusted as it is. Throws BuildFailed. */
export async function ensureBuilt(wanted: Wanted = {}): Promise<void> {
  if (!existsSync(join(import.meta.dirname, 'build.ts'))) return
  const { buildIfStale } = await import('./build.ts')
  await buildIfStale(wanted)
}
