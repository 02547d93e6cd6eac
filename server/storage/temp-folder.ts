import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** What a running upload still uses is younger than this. */
const STALE_MS = 60 * 60 * 1000

/** Entries say whose they are, for processes of several hosts may share the folder. */
const OWNER = `${hostname().replace(/[^A-Za-z0-9-]/g, '-')}.${process.pid}`

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
  for (const name of await readdir(root)) if (isOrphan(name)) await remove(join(root, name))
  const removeOlder = (before: Date) => removeTouchedBefore(root, before.getTime())
  await removeOlder(new Date(now() - STALE_MS))
  const newName = () => join(root, `${OWNER}.${randomUUID()}`)
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

/** Made on this host by a process that has ended, or by an earlier one with our own number. */
function isOrphan(name: string): boolean {
  const [host, pid] = name.split('.')
  if (host !== OWNER.split('.')[0]) return false
  return Number(pid) === process.pid || !runs(Number(pid))
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
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
