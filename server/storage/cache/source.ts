import type { FileHandle } from 'node:fs/promises'

/** A file from which any number of readers take an object, each at its own pace. */
export interface Source {
  /** Bytes of the whole object. */
  readonly size: number
  /** How many of its bytes are there, once that is more than `at`. Rejects with what has ended the fetch, or Abandoned. */
  beyond(at: number, signal: AbortSignal): Promise<number>
  /** Fills the buffer with what is there from `at`; answers how much that was. */
  read(buffer: Buffer, at: number): Promise<number>
  /** A reader reads no more, which has got so many bytes. */
  leave(got: number): void
}

/** The fetch that a reader followed has ended in the middle, and that is no fault of the object's: it can be read anew. */
export class Abandoned extends Error {
  override name = 'Abandoned'
}

/** An object that is whole in the cache, for one reader. */
export class WholeFile implements Source {
  readonly size: number
  readonly #handle: FileHandle

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  async beyond(): Promise<number> {
    return this.size
  }

  read(buffer: Buffer, at: number): Promise<number> {
    return readFully(this.#handle, buffer, at)
  }

  leave(): void {
    this.#handle.close().catch(() => undefined)
  }
}

/** Reads until the buffer is full or the file at its end; answers how many bytes were read. */
export async function readFully(handle: FileHandle, buffer: Buffer, at: number): Promise<number> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}
