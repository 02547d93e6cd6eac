import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { makeZip } from 'client-zip'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { CommandFailed } from '../command.ts'
import { ItemFailed } from '../connection/server-error.ts'

/** Bytes of a manifest that is read: of half a million images. */
const LONGEST_TEXT = 256 * 1024 ** 2

export interface Packed {
  /** Within the archive, with slashes. */
  readonly name: string
  readonly path: string
  readonly lastModified: Date
}

/** Writes files into a zip, which is there only when it is whole. Images are packed already: nothing is compressed. */
export async function writeArchive(target: string, files: readonly Packed[], signal: AbortSignal): Promise<void> {
  const unfinished = `${target}.${process.pid}.part`
  async function* entries() {
    for (const { name, path, lastModified } of files) yield { name, lastModified, input: await openAsBlob(path) }
  }
  try {
    await rm(unfinished, { force: true })
    await pipeline(Readable.from(makeZip(entries())), createWriteStream(unfinished, { flags: 'wx' }), { signal })
    await rename(unfinished, target)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** A zip whose files are read one by one, in any order. */
export class Archive implements AsyncDisposable {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #folder: string
  #taken = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, folder: string) {
    this.#zip = zip
    this.#entries = entries
    this.#folder = folder
  }

  /** Throws CommandFailed for a file that is no zip. */
  static async open(path: string): Promise<Archive> {
    try {
      const zip = await openPromise(path, { autoClose: false })
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
      return new Archive(zip, entries, await mkdtemp(join(tmpdir(), 'sluice-archive-')))
    } catch (error) {
      const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
      throw new CommandFailed('failed', `${path} is no zip that can be read: ${why}.`, { cause: error })
    }
  }

  /** A file's text; null where there is none of the name. */
  async text(name: string): Promise<string | null> {
    const entry = this.#entries.get(name)
    if (!entry || entry.uncompressedSize > LONGEST_TEXT) return null
    return text(await this.#zip.openReadStreamPromise(entry))
  }

  /** Bytes of a file; null where there is none of the name. */
  size(name: string): number | null {
    return this.#entries.get(name)?.uncompressedSize ?? null
  }

  /** Takes a file out, into one of its own, to be removed by whoever asked. Throws ItemFailed for what is damaged. */
  async extract(name: string): Promise<string> {
    const entry = this.#entries.get(name)
    if (!entry) throw new ItemFailed(`The archive has no ${name}.`)
    this.#taken += 1
    const path = resolve(this.#folder, `${this.#taken}`)
    try {
      await pipeline(await this.#zip.openReadStreamPromise(entry), createWriteStream(path))
    } catch (error) {
      throw new ItemFailed(`${name} in the archive is damaged.`, { cause: error })
    }
    return path
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#zip.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
