import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isOfEnded, processMark } from './process-mark.ts'

/** What a running upload still uses is younger than this. */
const STALE_MS = 60 * 60 * 1000

/** A folder for unfinished work: whatever a crash leaves in it goes at the next start. */
export interface TempFolder {
  /** A new folder inside, gone with its contents when disposed of. */
  create(): Promise<AsyncDisposable & { readonly path: string }>
  /** The path of a file inside that is not there yet; whoever makes it moves or removes it. */
  newName(): string
  /** Removes what was last touched before an instant; answers how many entries there were. */
  removeOlder(before: Date): Promise<number>
}

/** Makes the folder at `root` and removes from it what ended processes of this host left, and anything an hour old by
 *  `now`, in milliseconds since 1970. */
export async function openTempFolder(root: string, now: () => number = Date.now): Promise<TempFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const name of await readdir(root)) if (isOfEnded(name)) await remove(join(root, name))
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
