import { rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CacheIndex } from './cache-index.ts'

/** Copies per folder. A copy's folder follows from its number; numbers are never reused. */
const FOLDER_SIZE = 1_000

/** The files of the cache. A copy keeps one name for life; only the index knows whether it is complete. */
export class CacheFiles {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Creates the file of a copy. */
  async create(id: number): Promise<FileHandle> {
    const path = this.#pathOf(id)
    for (;;) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        return await open(path, 'wx+', 0o600)
      } catch (error) {
        // A sweep has just removed the folder because it was empty.
        if (!isMissing(error)) throw error
      }
    }
  }

  /** Returns null when the file does not exist. */
  async open(id: number): Promise<FileHandle | null> {
    try {
      return await open(this.#pathOf(id), 'r')
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** Removes a file; readers that have it open keep reading. Synchronous, because it runs inside the index's
   *  transactions. */
  remove(id: number): void {
    rmSync(this.#pathOf(id), { force: true })
  }

  /** Removes files without an index entry, which a crash leaves behind, and complete entries without a file. One folder
   *  at a time. */
  async sweep(index: CacheIndex, signal: AbortSignal): Promise<void> {
    const folders = new Set((await namesIn(this.#root)).filter((name) => /^\d+$/.test(name)).map(Number))
    for (const folder of index.folders(FOLDER_SIZE)) folders.add(folder)
    for (const folder of folders) {
      if (signal.aborted) return
      await this.#sweepFolder(folder, index)
    }
  }

  async #sweepFolder(folder: number, index: CacheIndex): Promise<void> {
    const first = folder * FOLDER_SIZE
    const path = join(this.#root, String(folder))
    // In this order, because an object that is being fetched is in the index before its file exists.
    const whole = index.between(first, first + FOLDER_SIZE - 1, { isWhole: true })
    const names = new Set(await namesIn(path))
    const known = index.between(first, first + FOLDER_SIZE - 1)
    for (const name of names) if (!known.has(Number(name))) rmSync(join(path, name), { recursive: true, force: true })
    for (const id of whole) if (!names.has(String(id))) index.remove(id)
    // Succeeds only when the folder is empty.
    await rmdir(path).catch(() => undefined)
  }

  #pathOf(id: number): string {
    return join(this.#root, String(Math.floor(id / FOLDER_SIZE)), String(id))
  }
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
