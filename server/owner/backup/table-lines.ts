import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { keysOf } from '#server/images/storing/object-removal.ts'
import type { ObjectKey } from '#server/storage/object-store.ts'
import { BackupFailed, type TableFile } from './format.ts'

/** The lines of a table's file, one after another. Not node:readline, which takes U+2028 within a value for the end of a line. */
export async function* linesOf(path: string): AsyncIterable<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const lines: string[] = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') throw new Error(`${path} ends within a line`)
}

const values = z.array(z.string().nullable())

/** The keys of all objects that the rows of StoredObject speak of, in the order of a backup. Throws BackupFailed for a row that
 *  names none. */
export async function* keysIn(path: string, { columns }: Pick<TableFile, 'columns'>): AsyncIterable<ObjectKey> {
  const [hashAt, variantsAt] = [columns.indexOf('sha256'), columns.indexOf('variants')]
  for await (const line of linesOf(path)) {
    yield* keysOfLine(line, hashAt, variantsAt)
  }
}

function keysOfLine(line: string, hashAt: number, variantsAt: number): readonly ObjectKey[] {
  try {
    const row = values.parse(JSON.parse(line))
    return keysOf(row[hashAt] ?? '', { variants: JSON.parse(row[variantsAt] ?? '') })
  } catch (error) {
    throw new BackupFailed('A row of StoredObject names no objects.', { cause: error })
  }
}
