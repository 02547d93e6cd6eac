import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeftover, processMark } from './process-mark.ts'

/** Anything that a running upload still uses has been touched more recently than this. */
const STALE_MS = 60 * 60 * 1000

/** A folder for unfinished work. What a crash leaves behind is removed at the next start. */
export interface TempFolder {
  /** Creates a folder that is removed with its contents on disposal. */
  create(): Promise<AsyncDisposable & { readonly path: string }>
  /** Returns an unused file path. The caller creates the file, and moves or removes it. */
  newName(): string
  /** Removes entries last modified before `before` and returns how many there were. */
  removeOlder(before: Date): Promise<number>
}

/** Creates the folder at `root`, then removes what ended processes of this host left and everything over an hour old.
 *  `now` is in milliseconds since 1970. */
export async function openTempFolder(root: string, now: () => number = Date.now): Promise<TempFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const name of await readdir(root)) if (isLeftover(name)) await remove(join(root, name))
  const removeOlder = (before: Date) => removeTouchedBefore(root, before.getTime())
  await removeOlder(new Date(now() - STALE_MS))
  const newName = () => join(root, `${processMark}.${randomUUID()}`)
  return {
    removeOlder,
    newName,
    async create() {
      const path = newName()
      await mkdir(path, { mode: 0o700 })
      return { path, [Symbol.asyncDispose]: () => remove(path) }
    },
  }
}

async function removeTouchedBefore(root: string, before: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(root)) {
    const path = join(root, name)
    const found = await stat(path).catch(() => null)
    if (!found || found.mtimeMs > before) continue
    await remove(path)
    removed += 1
  }
  return removed
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })
