import type { FileHandle } from 'node:fs/promises'
import { readFully, type Source } from './source.ts'

/** A file into which this process is fetching an object, and the readers that follow it. It is closed when it is
 *  settled and has no readers. */
export class GrowingFile implements Source {
  readonly size: number
  readonly #handle: FileHandle
  /** Called when the last reader leaves before the file is settled, with the bytes that reader received. */
  readonly #onLastLeft: (got: number) => void
  #available = 0
  #readers = 0
  #failure: Error | null = null
  #isSettled = false
  #changed = Promise.withResolvers<void>()

  constructor(handle: FileHandle, size: number, onLastLeft: (got: number) => void) {
    this.#handle = handle
    this.size = size
    this.#onLastLeft = onLastLeft
  }

  get readers(): number {
    return this.#readers
  }

  /** Whether the file has stopped growing. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Returns false when the file is closed: settled, and its last reader has left. */
  join(): boolean {
    if (this.#isSettled && this.#readers === 0) return false
    this.#readers += 1
    return true
  }

  leave(got: number): void {
    this.#readers -= 1
    if (this.#readers > 0) return
    if (this.#isSettled) this.#close()
    else this.#onLastLeft(got)
  }

  async beyond(at: number): Promise<number> {
    while (this.#available <= at) {
      if (this.#failure) throw this.#failure
      await this.#changed.promise
    }
    return this.#available
  }

  read(buffer: Buffer, at: number): Promise<number> {
    return readFully(this.#handle, buffer, at)
  }

  async append(chunk: Buffer): Promise<void> {
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(
        chunk,
        written,
        chunk.length - written,
        this.#available + written,
      )
      written += bytesWritten
    }
    this.#available += chunk.length
    this.#notify()
  }

  /** Marks the file as complete, or as failed for readers that wait for more. */
  settle(failure: Error | null): void {
    this.#failure = failure
    this.#isSettled = true
    this.#notify()
    if (this.#readers === 0) this.#close()
  }

  #notify(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  #close(): void {
    this.#handle.close().catch(() => undefined)
  }
}
