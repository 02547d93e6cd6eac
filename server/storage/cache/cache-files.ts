import { rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CacheIndex } from './cache-index.ts'

/** Copies lie in folders of so many, by their numbers, which are never given twice. */
const FOLDER_SIZE = 1_000

/** The files of a cache. A copy has one name for all its life, and the index alone says whether it is whole. */
export class CacheFiles {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** A new file for a copy. */
  async create(id: number): Promise<FileHandle> {
    const path = this.#pathOf(id)
    for (;;) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        return await open(path, 'wx+', 0o600)
      } catch (error) {
        // A sweep has just taken the empty folder away.
        if (!isMissing(error)) throw error
      }
    }
  }

  /** Null when there is no such file. */
  async open(id: number): Promise<FileHandle | null> {
    try {
      return await open(this.#pathOf(id), 'r')
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** Readers that have it open read on. Synchronous, for it is part of the index's transactions. */
  remove(id: number): void {
    rmSync(this.#pathOf(id), { force: true })
  }

  /** Removes files that the index does not know, which a crash has left, and from the index what has no file; a folder at a
   *  time. */
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
    // In this order: what is fetched meanwhile is in the index before it has a file.
    const whole = index.between(first, first + FOLDER_SIZE - 1, { isWhole: true })
    const names = new Set(await namesIn(path))
    const known = index.between(first, first + FOLDER_SIZE - 1)
    for (const name of names) if (!known.has(Number(name))) rmSync(join(path, name), { recursive: true, force: true })
    for (const id of whole) if (!names.has(String(id))) index.remove(id)
    // Succeeds when it is empty.
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
