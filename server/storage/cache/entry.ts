import { numberOf, type Row } from './sql.ts'

/** An object that the cache has, or is being fetched into it. */
export interface Entry {
  /** Of this copy: one that is fetched again later has another. It names the file. */
  readonly id: number
  /** Bytes; 0 until the fetch knows. */
  readonly size: number
  readonly isWhole: boolean
  readonly fetcher: string
  readonly beatAt: number
}

/** Reads a row of the index's objects. */
export function entryOf(row: Row | undefined): Entry | null {
  if (!row) return null
  const { id, size, queue, fetcher, beatAt } = row
  return {
    id: numberOf(id),
    size: numberOf(size),
    isWhole: queue !== null,
    fetcher: String(fetcher),
    beatAt: numberOf(beatAt),
  }
}
