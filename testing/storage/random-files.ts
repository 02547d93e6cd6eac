import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ObjectKey, originalKey } from '#server/storage/object-store.ts'

export interface RandomFile {
  readonly key: ObjectKey
  readonly path: string
  readonly size: number
  readonly bytes: Buffer
}

/** A folder for files of random bytes, to be stored. */
export interface RandomFiles extends AsyncDisposable {
  readonly folder: string
  /** Creates a file, and returns it with its key. */
  make(size: number): Promise<RandomFile>
}

export async function makeRandomFiles(): Promise<RandomFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-files-'))
  return {
    folder,
    async make(size) {
      const bytes = randomBytes(size)
      const key = originalKey(createHash('sha256').update(bytes).digest('hex'))
      const path = join(folder, key)
      await writeFile(path, bytes)
      return { key, path, size, bytes }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
