import { hash } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** A file that one server has stored for one account. */
const stored = z.object({
  /** Absolute. */
  path: z.string(),
  size: z.number(),
  mtimeMs: z.number(),
  /** Of the file, which may have been more than what is kept of it. */
  sha256: z.string(),
  /** What the server answered. */
  image: z.object({
    id: z.string(),
    slug: z.string(),
    url: z.string(),
    /** Under which it is kept; null in a line of a version that did not write it down. */
    filename: z.string().nullable().default(null),
    sha256: z.string(),
    size: z.number(),
    mime: z.string(),
    visibility: z.enum(['private', 'link', 'public']),
  }),
})

export type StoredFile = Readonly<z.infer<typeof stored>>

/** An image as it was when it was sent. */
export type JournaledImage = Readonly<StoredFile['image']>

/** A file by what tells without reading it whether it has changed. */
export type FileMark = Pick<StoredFile, 'path' | 'size' | 'mtimeMs'>

/** Lines that a journal may have before it is looked at what they are good for. */
const MOST_LINES = 1_000

/** Which files are stored already, so that a second run goes on where the first one ended, however that was: one line a
 *  file, written when the server has answered. Several runs may write at once. What cannot be read or written fails no upload:
 *  `onFailure` is told of it, once. */
export class Journal {
  readonly #path: string
  readonly #onFailure: (error: Error) => void
  #hasFailed = false
  readonly #byPath = new Map<string, StoredFile>()
  readonly #byHash = new Map<string, StoredFile>()

  private constructor(path: string, onFailure: (error: Error) => void) {
    this.#path = path
    this.#onFailure = onFailure
  }

  /** The journal of an account on a server. A line that is cut off, or was written by another version, counts as none. */
  static async open(
    folder: string,
    { url, userId }: { readonly url: string; readonly userId: string },
    onFailure: (error: Error) => void,
  ): Promise<Journal> {
    const { host } = new URL(url)
    const name = `${host.replaceAll(':', '-')}-${hash('sha256', `${url} ${userId}`).slice(0, 16)}.jsonl`
    const journal = new Journal(join(folder, name), onFailure)
    await journal.#try(() => journal.#read())
    return journal
  }

  /** What was stored of a file that has not changed since, by its time and size. */
  ofFile({ path, size, mtimeMs }: FileMark): StoredFile | null {
    const entry = this.#byPath.get(path)
    return entry && entry.size === size && entry.mtimeMs === mtimeMs ? entry : null
  }

  /** What was stored of the same bytes, wherever they lay. */
  ofBytes(sha256: string): StoredFile | null {
    return this.#byHash.get(sha256) ?? null
  }

  async add(entry: StoredFile): Promise<void> {
    this.#remember(entry)
    await this.#try(async () => {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
      // The line before may have been cut off.
      await appendFile(this.#path, lineOf(entry), { mode: 0o600 })
    })
  }

  async #read(): Promise<void> {
    const bytes = await readFile(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.of()
      throw error
    })
    const lines = bytes.toString().split('\n')
    const entries = lines.flatMap((line) => entryIn(line) ?? [])
    for (const entry of entries) this.#remember(entry)
    const used = new Set([...this.#byPath.values(), ...this.#byHash.values()])
    if (lines.length <= MOST_LINES || lines.length <= 2 * used.size) return
    const kept = entries.filter((entry) => used.has(entry))
    await this.#shorten(kept, bytes.length)
  }

  /** Leaves the lines that still say something. What another run has added since is not lost: then nothing is done. */
  async #shorten(kept: readonly StoredFile[], size: number): Promise<void> {
    const shorter = `${this.#path}.${process.pid}`
    try {
      await writeFile(shorter, kept.map(lineOf).join(''), { mode: 0o600, flush: true })
      if ((await stat(this.#path)).size === size) await rename(shorter, this.#path)
    } finally {
      await rm(shorter, { force: true })
    }
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      if (!this.#hasFailed) this.#onFailure(error)
      this.#hasFailed = true
    }
  }

  #remember(entry: StoredFile): void {
    this.#byPath.set(entry.path, entry)
    this.#byHash.set(entry.sha256, entry)
  }
}

const lineOf = (entry: StoredFile): string => `\n${JSON.stringify(entry)}`

function entryIn(line: string): StoredFile | null {
  if (line === '') return null
  try {
    return stored.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
