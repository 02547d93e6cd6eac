import { hash } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** A file that a server has stored for an account. */
const stored = z.object({
  /** Absolute. */
  path: z.string(),
  size: z.number(),
  mtimeMs: z.number(),
  /** Of the local file; the server removes metadata, so the image has another hash. */
  sha256: z.string(),
  /** The server's answer. */
  image: z.object({
    id: z.string(),
    slug: z.string(),
    url: z.string(),
    /** Null in lines of older versions, which did not record it. */
    filename: z.string().nullable().default(null),
    sha256: z.string(),
    size: z.number(),
    mime: z.string(),
    visibility: z.enum(['private', 'link', 'public']),
  }),
  /** Digest of the details of an export that the image was given. */
  details: z.string().optional(),
})

export type StoredFile = Readonly<z.infer<typeof stored>>

/** An image as it was after its upload. */
export type JournaledImage = Readonly<StoredFile['image']>

/** What shows whether a file has changed, without reading it. */
export type FileMark = Pick<StoredFile, 'path' | 'size' | 'mtimeMs'>

/** Lines of a journal before it is checked for obsolete ones. */
const MOST_LINES = 1_000

/** Records which files are stored, so that a second run resumes the first one: one line per file, written after the server's
 *  answer. Several runs may write at the same time. A journal that cannot be read or written fails no upload; `onFailure` is
 *  called once. */
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

  /** Opens the journal of an account on a server. Truncated or unknown lines are ignored. */
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

  /** Returns the stored image of a file that has not changed since, by time and size. */
  ofFile({ path, size, mtimeMs }: FileMark): StoredFile | null {
    const entry = this.#byPath.get(path)
    return entry && entry.size === size && entry.mtimeMs === mtimeMs ? entry : null
  }

  /** Returns the stored image of the same bytes, from any path. */
  ofBytes(sha256: string): StoredFile | null {
    return this.#byHash.get(sha256) ?? null
  }

  async add(entry: StoredFile): Promise<void> {
    this.#remember(entry)
    await this.#try(async () => {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
      // A line starts with the newline, because the one before it may be truncated.
      await appendFile(this.#path, toLine(entry), { mode: 0o600 })
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

  /** Drops obsolete lines, unless another run has added some in the meantime. */
  async #shorten(kept: readonly StoredFile[], size: number): Promise<void> {
    const shorter = `${this.#path}.${process.pid}`
    try {
      await writeFile(shorter, kept.map(toLine).join(''), { mode: 0o600, flush: true })
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

const toLine = (entry: StoredFile): string => `\n${JSON.stringify(entry)}`

function entryIn(line: string): StoredFile | null {
  if (line === '') return null
  try {
    return stored.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
