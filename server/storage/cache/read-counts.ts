import { MAX_FREQUENCY } from './s3-fifo.ts'
import type { Sql } from './sql.ts'

/** Copies with unwritten reads at which they are written without delay. While writes are paused, no more are
 *  remembered. */
export const MOST_READS = 1_000

/** Totals of all processes since the cache was created. */
export interface ReadTotals {
  readonly hits: number
  readonly misses: number
  readonly bytesServed: number
}

/** What this process has read since the counts were last written. */
export class ReadCounts {
  /** Reads by copy. */
  readonly #reads = new Map<number, number>()
  #hits = 0
  #misses = 0
  #bytesServed = 0

  /** Counts a hit, on copy `id` unless null. While writes are paused, only MOST_READS copies are remembered. */
  countHit(id: number | null, { isPaused }: { readonly isPaused: boolean }): void {
    this.#hits += 1
    if (isPaused && this.#reads.size >= MOST_READS) return
    if (id !== null) this.#reads.set(id, (this.#reads.get(id) ?? 0) + 1)
  }

  countMiss(): void {
    this.#misses += 1
  }

  countBytes(bytes: number): void {
    this.#bytesServed += bytes
  }

  /** Drops the counts of a removed copy. */
  forget(id: number): void {
    this.#reads.delete(id)
  }

  /** How many copies have unwritten reads. */
  get copies(): number {
    return this.#reads.size
  }

  get isEmpty(): boolean {
    return this.#reads.size === 0 && this.#hits + this.#misses + this.#bytesServed === 0
  }

  /** Writes the counts in the caller's transaction. Once that is committed, `clear` forgets them. */
  write(sql: Sql): void {
    const read = `UPDATE object SET frequency = min(${MAX_FREQUENCY}, frequency + ?) WHERE id = ?`
    for (const [id, times] of this.#reads) sql.run(read, times, id)
    const counted = 'UPDATE total SET hits = hits + ?, misses = misses + ?, bytesServed = bytesServed + ?'
    sql.run(counted, this.#hits, this.#misses, this.#bytesServed)
  }

  clear(): void {
    this.#reads.clear()
    this.#hits = 0
    this.#misses = 0
    this.#bytesServed = 0
  }

  /** Returns the totals of all processes, as far as they have been written, plus this process's own. */
  totals(sql: Sql): ReadTotals {
    return {
      hits: sql.total('hits') + this.#hits,
      misses: sql.total('misses') + this.#misses,
      bytesServed: sql.total('bytesServed') + this.#bytesServed,
    }
  }
}
