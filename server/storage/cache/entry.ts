import { type Row, toNumber } from './sql.ts'

/** An object that is cached, or is being fetched into the cache. */
export interface Entry {
  /** Identifies this copy and names its file; a later fetch of the same object gets another. */
  readonly id: number
  /** Bytes; 0 until the fetch knows. */
  readonly size: number
  readonly isWhole: boolean
  readonly fetcher: string
  readonly beatAt: number
}

export function toEntry(row: Row | undefined): Entry | null {
  if (!row) return null
  const { id, size, queue, fetcher, beatAt } = row
  return {
    id: toNumber(id),
    size: toNumber(size),
    isWhole: queue !== null,
    fetcher: String(fetcher),
    beatAt: toNumber(beatAt),
  }
}
