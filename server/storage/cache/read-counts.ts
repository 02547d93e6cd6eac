import { MAX_FREQUENCY } from './s3-fifo.ts'
import type { Sql } from './sql.ts'

/** Copies read of which so many are written without waiting longer; no more are remembered while nothing can be. */
export const MOST_READS = 1_000

/** What all processes have read of the cache and not, since it was begun. */
export interface Counts {
  readonly hits: number
  readonly misses: number
  readonly bytesServed: number
}

/** What this process has read of the cache since that was last written. */
export class ReadCounts {
  /** How often each copy was read. */
  readonly #reads = new Map<number, number>()
  #hits = 0
  #misses = 0
  #bytesServed = 0

  /** `id` null where no copy was read. While nothing can be written only so many copies are remembered. */
  countHit(id: number | null, { isResting }: { readonly isResting: boolean }): void {
    this.#hits += 1
    if (isResting && this.#reads.size >= MOST_READS) return
    if (id !== null) this.#reads.set(id, (this.#reads.get(id) ?? 0) + 1)
  }

  countMiss(): void {
    this.#misses += 1
  }

  countBytes(bytes: number): void {
    this.#bytesServed += bytes
  }

  /** The copy is no more. */
  forget(id: number): void {
    this.#reads.delete(id)
  }

  /** Copies of which reads are to be written yet. */
  get copies(): number {
    return this.#reads.size
  }

  get isEmpty(): boolean {
    return this.#reads.size === 0 && this.#hits + this.#misses + this.#bytesServed === 0
  }

  /** In the caller's transaction. */
  write(sql: Sql): void {
    const read = `UPDATE object SET frequency = min(${MAX_FREQUENCY}, frequency + ?) WHERE id = ?`
    for (const [id, times] of this.#reads) sql.run(read, times, id)
    const counted = 'UPDATE total SET hits = hits + ?, misses = misses + ?, bytesServed = bytesServed + ?'
    sql.run(counted, this.#hits, this.#misses, this.#bytesServed)
    this.#reads.clear()
    this.#hits = 0
    this.#misses = 0
    this.#bytesServed = 0
  }

  /** Over all processes, as far as they have written it. */
  totals(sql: Sql): Counts {
    return {
      hits: sql.total('hits') + this.#hits,
      misses: sql.total('misses') + this.#misses,
      bytesServed: sql.total('bytesServed') + this.#bytesServed,
    }
  }
}
