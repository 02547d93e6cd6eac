import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What a running upload still uses is younger than this; other processes may share the folder. */
const STALE_MS = 60 * 60 * 1000

/** A folder for unfinished work: whatever a crash leaves in it goes at a later start. */
export interface TempFolder {
  /** A new folder inside, gone with its contents when disposed of. */
  create(): Promise<AsyncDisposable & { readonly path: string }>
}

/** Makes the folder at `root` and removes from it what has lain there for an hour by `now`. */
export async function openTempFolder(root: string, now: () => number = Date.now): Promise<TempFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const name of await readdir(root)) {
    const path = join(root, name)
    const found = await stat(path).catch(() => null)
    if (found && now() - found.mtimeMs >= STALE_MS) await remove(path)
  }
  return {
    async create() {
      const path = join(root, randomUUID())
      await mkdir(path, { mode: 0o700 })
      return { path, [Symbol.asyncDispose]: () => remove(path) }
    },
  }
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })
