import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { listObjectKeys } from '#server/images/storing/object-removal.ts'
import { parseVariants } from '#server/images/storing/stored-variants.ts'
import type { ObjectKey } from '#server/storage/object-store.ts'
import type { Column } from './catalogue.ts'
import { BackupFailed, type TableFile } from './format.ts'

/** The longest row, in characters: far above what any table holds, and little enough for memory. */
const MAX_ROW = 4 * 1024 * 1024

/** Yields the lines of a table's file. Not with node:readline, which takes U+2028 within a value for a line break. Throws
 *  BackupFailed for a line that is too long. */
export async function* readLines(path: string): AsyncIterable<string> {
  let rest = ''
  for await (const read of createReadStream(path, { encoding: 'utf8' })) {
    const chunk: string = read
    const end = chunk.lastIndexOf('\n')
    // Joined only once: a long line would be copied for each of its chunks.
    if (end === -1) rest += chunk
    else {
      yield* `${rest}${chunk.slice(0, end)}`.split('\n')
      rest = chunk.slice(end + 1)
    }
    if (rest.length > MAX_ROW) throw new BackupFailed('A row is too long.')
  }
  if (rest !== '') throw new BackupFailed('A table does not end with a line break.')
}

const values = z.array(z.string().nullable())

/** Deeper JSON overflows the stack of the embedded database. */
const MAX_DEPTH = 100

interface CheckedTable {
  readonly name: string
  readonly columns: readonly (Pick<Column, 'type'> | null)[]
}

/** Throws BackupFailed for a line that is not a row of these columns. */
export function checkRow(line: string, { name, columns }: CheckedTable): void {
  try {
    const row = values.length(columns.length).parse(JSON.parse(line))
    const json = row.filter((_, index) => columns[index]?.type.startsWith('json') === true)
    if (json.some((text) => text !== null && isDeeper(JSON.parse(text), MAX_DEPTH))) throw new RangeError('too deep')
  } catch (error) {
    throw new BackupFailed(`A row of ${name} is malformed.`, { cause: error })
  }
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1)))

/** An object that a row refers to, with its size in bytes. */
export interface NamedObject {
  readonly key: ObjectKey
  readonly size: number
}

/** Yields all objects referenced by rows of StoredObject, in the order of a backup. Throws BackupFailed for an invalid row. */
export async function* readObjects(path: string, { columns }: Pick<TableFile, 'columns'>): AsyncIterable<NamedObject> {
  const at = (name: string) => columns.indexOf(name)
  const places = { hash: at('sha256'), variants: at('variants'), size: at('size') }
  for await (const line of readLines(path)) yield* parseObjects(line, places)
}

/** Yields their keys alone. */
export async function* readKeys(path: string, table: Pick<TableFile, 'columns'>): AsyncIterable<ObjectKey> {
  for await (const { key } of readObjects(path, table)) yield key
}

interface Places {
  readonly hash: number
  readonly variants: number
  readonly size: number
}

function parseObjects(line: string, at: Places): readonly NamedObject[] {
  try {
    const row = values.parse(JSON.parse(line))
    const variants = JSON.parse(row[at.variants] ?? '')
    const sizes = [...parseVariants(variants).map(({ size }) => size), Number(row[at.size])]
    return listObjectKeys(row[at.hash] ?? '', { variants }).map((key, index) => ({ key, size: sizes[index] ?? 0 }))
  } catch (error) {
    throw new BackupFailed('A row of StoredObject is malformed.', { cause: error })
  }
}
