import type { FileHandle } from 'node:fs/promises'

/** A file from which any number of readers take an object, each at its own pace. */
export interface Source {
  /** Bytes of the whole object. */
  readonly size: number
  /** Waits until more than `at` bytes are available and returns how many. Rejects with what ended the fetch, or with
   *  Abandoned. */
  beyond(at: number, signal: AbortSignal): Promise<number>
  /** Fills the buffer with what is available from `at` and returns the number of bytes read. */
  read(buffer: Buffer, at: number): Promise<number>
  /** Removes a reader, which received `got` bytes. */
  leave(got: number): void
}

/** The fetch that a reader followed ended early through no fault of the object, which can be opened again. */
export class Abandoned extends Error {
  override name = 'Abandoned'
}

/** A complete cached object, for one reader. */
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

/** Reads until the buffer is full or the file ends, and returns the number of bytes read. */
export async function readFully(handle: FileHandle, buffer: Buffer, at: number): Promise<number> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}
