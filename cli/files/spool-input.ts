import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { translate } from '#messages/translate.ts'
import type { Io } from '../command.ts'
import type { Shipment } from './deliver.ts'

/** Standard input in a temporary file, so that it can be sent again and its length is known. Disposing removes the file. */
export class SpooledInput implements AsyncDisposable {
  #folder: string | null = null

  /** Reads all of it. Returns a problem if it is empty, larger than `maxBytes`, or already read. */
  async read(
    { stdin, signal }: Io,
    { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
  ): Promise<Shipment> {
    const problem = (problem: string): Shipment => ({ label: '-', problem, name, path: '-', size: 0, mtimeMs: 0 })
    if (this.#folder !== null) return problem(translate('cli.transfer.inputTwice'))
    this.#folder = await mkdtemp(join(tmpdir(), 'sluice-input-'))
    const path = join(this.#folder, 'input')
    if (!(await spool(stdin, path, { signal, maxBytes })))
      return problem(translate('cli.transfer.inputTooLarge', { size: { bytes: maxBytes } }))
    const { size, mtimeMs } = await stat(path)
    if (size === 0) return problem(translate('cli.transfer.inputEmpty'))
    return { label: '-', name, path, size, mtimeMs }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Returns false if there was more than `maxBytes`. */
async function spool(
  stdin: Io['stdin'],
  path: string,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<boolean> {
  let bytes = 0
  const tooMuch = new Error('too much')
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > maxBytes ? tooMuch : null, chunk)
    },
  })
  try {
    await pipeline(stdin, counter, createWriteStream(path, { mode: 0o600 }), { signal })
    return true
  } catch (error) {
    if (error === tooMuch) return false
    throw error
  }
}
