import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { listObjectKeys } from '#server/images/storing/object-removal.ts'
import type { ObjectKey } from '#server/storage/object-store.ts'
import { BackupFailed, type TableFile } from './format.ts'

/** Yields the lines of a table's file. Not with node:readline, which takes U+2028 within a value for a line break. */
export async function* readLines(path: string): AsyncIterable<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const lines: string[] = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') throw new Error(`${path} does not end with a line break`)
}

const values = z.array(z.string().nullable())

/** Yields the keys of all objects referenced by rows of StoredObject, in the order of a backup. Throws BackupFailed for an
 *  invalid row. */
export async function* readKeys(path: string, { columns }: Pick<TableFile, 'columns'>): AsyncIterable<ObjectKey> {
  const [hashAt, variantsAt] = [columns.indexOf('sha256'), columns.indexOf('variants')]
  for await (const line of readLines(path)) {
    yield* parseKeys(line, hashAt, variantsAt)
  }
}

function parseKeys(line: string, hashAt: number, variantsAt: number): readonly ObjectKey[] {
  try {
    const row = values.parse(JSON.parse(line))
    return listObjectKeys(row[hashAt] ?? '', { variants: JSON.parse(row[variantsAt] ?? '') })
  } catch (error) {
    throw new BackupFailed('A row of StoredObject is malformed.', { cause: error })
  }
}
