import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { makeZip } from 'client-zip'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'
import { ItemFailed } from '../connection/server-error.ts'
import { EXPORT_MANIFEST, MAX_MANIFEST_BYTES, manifestTooLarge } from './manifest.ts'

export interface Packed {
  /** The path in the archive, with slashes. */
  readonly name: string
  readonly path: string
  readonly lastModified: Date
}

/** Writes files into a zip, which gets its name only when it is complete. Images are compressed already: it only stores. */
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

/** A zip with random access to its files. */
export class Archive implements AsyncDisposable {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #folder: string
  #extracted = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, folder: string) {
    this.#zip = zip
    this.#entries = entries
    this.#folder = folder
  }

  /** Throws CommandFailed for a file that is not a zip. */
  static async open(path: string): Promise<Archive> {
    try {
      const zip = await openPromise(path, { autoClose: false })
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
      return new Archive(zip, entries, await mkdtemp(join(tmpdir(), 'sluice-archive-')))
    } catch (error) {
      const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
      throw new CommandFailed('failed', translate('cli.transfer.notZip', { path, error: why }), { cause: error })
    }
  }

  /** Returns the text of the manifest; null if there is none. Throws CommandFailed for one that is too large. */
  async manifest(): Promise<string | null> {
    const entry = this.#entries.get(EXPORT_MANIFEST)
    if (!entry) return null
    if (entry.uncompressedSize > MAX_MANIFEST_BYTES) throw manifestTooLarge()
    return text(await this.#zip.openReadStreamPromise(entry))
  }

  /** Returns a file's size in bytes; null if there is no such file. */
  size(name: string): number | null {
    return this.#entries.get(name)?.uncompressedSize ?? null
  }

  /** Extracts a file into a temporary one, which the caller removes. Throws ItemFailed for a damaged or missing file. */
  async extract(name: string): Promise<string> {
    const entry = this.#entries.get(name)
    if (!entry) throw new ItemFailed(translate('cli.transfer.archiveLacks', { name }))
    this.#extracted += 1
    const path = resolve(this.#folder, `${this.#extracted}`)
    try {
      await pipeline(await this.#zip.openReadStreamPromise(entry), createWriteStream(path))
    } catch (error) {
      throw new ItemFailed(translate('cli.transfer.archiveDamaged', { name }), { cause: error })
    }
    return path
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#zip.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
