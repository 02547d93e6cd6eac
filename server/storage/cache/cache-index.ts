import type { DatabaseSync } from 'node:sqlite'
import type { ObjectKey } from '../object-store.ts'
import { Claims, type ClaimsOptions } from './claims.ts'
import { type Entry, toEntry } from './entry.ts'
import { ReadCounts, type ReadTotals } from './read-counts.ts'
import { evictOne } from './s3-fifo.ts'
import { CacheFailure, isDiskFull, Sql, toNumber } from './sql.ts'
import { StoredQueues } from './stored-queues.ts'

/** Milliseconds without writes after a failed one. Shorter than a claim's lifetime, because claims are not renewed
 *  during the pause. */
const PAUSE_MS = 3_000
/** Milliseconds for which a removal stays listed for other processes. */
export const REMOVAL_MS = 60_000
/** Eviction steps in one transaction, so that neither other processes nor this event loop wait for long. */
const STEPS = 64
/** Bytes evicted by the first write after one that found the disk full: several times what a transaction appends to the
 *  log. */
const FREED_BYTES = 256 * 1024

/** The write was skipped because one failed moments ago; that failure was reported. */
export class IndexPaused extends CacheFailure {
  override name = 'IndexPaused'
}

export interface CacheIndexOptions extends ClaimsOptions {
  readonly db: DatabaseSync
  /** Bytes. */
  readonly capacity: number
  /** Removes the file of a copy, if it exists. */
  readonly removeFile: (id: number) => void
  readonly pauseMs?: number
  /** Called with the milliseconds that each write waited for other processes. */
  readonly waited?: (ms: number) => void
}

/** The index of the cache: its objects, their eviction order, who is fetching what, and read counts, shared between
 *  processes through one SQLite file. Every change is one transaction. A file's bytes are counted before it is written
 *  and released only after it is deleted, so the cap holds through a crash. Every method throws CacheFailure when
 *  SQLite fails; after that, writes other than key removals pause, because each attempt may block the process. On a full
 *  disk the index could not even write that it has removed something: its log is emptied then, and where that is
 *  impossible too, the next write evicts first, because a file is deleted before its removal is written. */
export class CacheIndex {
  readonly #options: CacheIndexOptions
  readonly #sql: Sql
  readonly #queues: StoredQueues
  readonly #claims: Claims
  readonly #reads = new ReadCounts()
  /** Spans several transactions. */
  #eviction: Generator<undefined, boolean>
  #pausedUntil = 0
  /** Bytes that the next write evicts first; doubled by each failure, because readers may have evicted files open. */
  #toFree = 0

  constructor(options: CacheIndexOptions) {
    this.#options = options
    this.#sql = new Sql(options.db, options.waited)
    this.#queues = new StoredQueues(this.#sql, options.capacity, (id) => this.#remove(id))
    this.#claims = new Claims(this.#sql, options)
    this.#eviction = evictOne(this.#queues)
  }

  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil
  }

  find(key: ObjectKey): Entry | null {
    return toEntry(this.#sql.get('SELECT * FROM object WHERE key = ?', key))
  }

  byId(id: number): Entry | null {
    return toEntry(this.#sql.get('SELECT * FROM object WHERE id = ?', id))
  }

  /** Claims the fetch of an object and returns the number of the new copy. Returns null when the object is cached or
   *  another process is fetching it. */
  claim(key: ObjectKey): number | null {
    return this.#write(() => {
      this.#removeExpired()
      return this.#claims.add(key)
    })
  }

  /** Reserves space for a copy that is being fetched. 'more' means that eviction is incomplete: call again. 'refused'
   *  means that there is no space. */
  reserve(id: number, size: number): 'reserved' | 'more' | 'refused' {
    const made = this.#write(() => {
      this.#reads.write(this.#sql)
      this.#removeExpired()
      if (this.#claims.keyOf(id) === null) return 'refused'
      const room = this.#makeRoom(size)
      if (room === 'reserved') this.#sql.run('UPDATE object SET size = ? WHERE id = ?', size, id)
      return room
    })
    this.#reads.clear()
    return made
  }

  /** Evicts what exceeds the capacity, for example after a restart with a smaller one. Returns true if it must be
   *  called again. */
  shrink(): boolean {
    return this.#write(() => this.#makeRoom(0) === 'more')
  }

  /** Marks a fetched copy as complete. Returns false if it was removed in the meantime; its file then belongs to
   *  nobody. */
  commit(id: number): boolean {
    return this.#write(() => {
      const key = this.#claims.keyOf(id)
      if (key === null) return false
      this.#queues.insert(id, key)
      return true
    })
  }

  /** Removes a copy and its file. */
  remove(id: number): void {
    this.#claims.release(id, () => this.#write(() => this.#remove(id)))
  }

  /** Removes an object, complete or not, and records the removal for other processes. Works even while other writes are
   *  paused. */
  removeKey(key: ObjectKey): void {
    this.#attempt(() => {
      const found = toEntry(this.#sql.get('SELECT * FROM object WHERE key = ?', key))
      if (found) this.#remove(found.id)
      const now = this.#options.now()
      this.#sql.run('INSERT INTO removal (key, at) VALUES (?, ?)', key, now)
      this.#sql.run('DELETE FROM removal WHERE at < ?', now - REMOVAL_MS)
    })
  }

  /** Returns the keys removed after removal number `after`, and the number of the last one. */
  removalsAfter(after: number): { readonly keys: readonly string[]; readonly last: number } {
    const rows = this.#sql.all('SELECT id, key FROM removal WHERE id > ? ORDER BY id', after)
    return { keys: rows.map(({ key }) => String(key)), last: toNumber(rows.at(-1)?.id ?? after) }
  }

  /** Renews this process's claims on these copies. */
  beat(ids: Iterable<number>): void {
    if (!this.isPaused) this.#write(() => this.#claims.beat(ids))
  }

  /** Whether this process is fetching the copy. */
  isClaimedHere(entry: Entry): boolean {
    return this.#claims.isOwn(entry)
  }

  /** Whether the process that was fetching this copy has died, so that its claim has expired. */
  hasExpired(entry: Entry): boolean {
    return this.#claims.hasExpired(entry)
  }

  /** Records that a reader in this process is waiting for a copy that another process is fetching. */
  want(id: number): void {
    if (!this.isPaused) this.#write(() => this.#claims.want(id))
  }

  isWanted(id: number): boolean {
    return this.#claims.isWanted(id)
  }

  /** Counts a hit, on copy `id` unless null. The next `flush` writes it. */
  countHit(id: number | null): void {
    this.#reads.countHit(id, this)
  }

  countMiss(): void {
    this.#reads.countMiss()
  }

  countBytes(bytes: number): void {
    this.#reads.countBytes(bytes)
  }

  /** How many copies have read counts that are not written yet. */
  get unwritten(): number {
    return this.#reads.copies
  }

  /** Writes the read counts since the last flush. */
  flush(): void {
    if (this.isPaused || this.#reads.isEmpty) return
    this.#write(() => this.#reads.write(this.#sql))
    this.#reads.clear()
  }

  /** Returns the figures of all processes, as of their last flush. */
  figures(): ReadTotals & { readonly objects: number; readonly bytes: number } {
    const [objects, bytes] = [this.#sql.total('objects'), this.#sql.total('bytes')]
    return { ...this.#reads.totals(this.#sql), objects, bytes }
  }

  /** Returns the numbers of the copies from `first` to `last`, optionally only complete ones. */
  between(first: number, last: number, { isWhole = false } = {}): ReadonlySet<number> {
    const which = isWhole ? ' AND queue IS NOT NULL' : ''
    const rows = this.#sql.all(`SELECT id FROM object WHERE id BETWEEN ? AND ?${which}`, first, last)
    return new Set(rows.map(({ id }) => toNumber(id)))
  }

  /** Returns the folders, of `size` numbers each, that contain copies. */
  folders(size: number): readonly number[] {
    // SQLite binds JavaScript numbers as REAL; without the cast the division would not be an integer one.
    const rows = this.#sql.all('SELECT DISTINCT id / CAST(? AS INTEGER) AS folder FROM object', size)
    return rows.map(({ folder }) => toNumber(folder))
  }

  close(): void {
    try {
      this.flush()
    } finally {
      this.#sql.close()
    }
  }

  #write<T>(work: () => T): T {
    if (this.isPaused) throw new IndexPaused('cache index writes are paused')
    return this.#attempt(work)
  }

  #attempt<T>(work: () => T): T {
    try {
      const answer = this.#sql.transact(() => {
        if (this.#toFree > 0) this.#queues.free(this.#toFree, STEPS)
        return work()
      })
      this.#toFree = 0
      return answer
    } catch (error) {
      if (isDiskFull(error)) this.#toFree = this.#sql.emptyLog() ? 0 : Math.max(FREED_BYTES, 2 * this.#toFree)
      this.#pausedUntil = performance.now() + (this.#options.pauseMs ?? PAUSE_MS)
      throw error
    }
  }

  #makeRoom(size: number): 'reserved' | 'more' | 'refused' {
    for (let step = 0; this.#sql.total('bytes') + size > this.#options.capacity; step += 1) {
      if (step === STEPS) return 'more'
      const turn = this.#eviction.next()
      if (!turn.done) continue
      this.#eviction = evictOne(this.#queues)
      if (!turn.value) return 'refused'
    }
    // The queues will have changed by the next call, so its eviction starts over.
    this.#eviction = evictOne(this.#queues)
    return 'reserved'
  }

  #remove(id: number): void {
    this.#options.removeFile(id)
    this.#reads.forget(id)
    this.#sql.run('DELETE FROM object WHERE id = ?', id)
  }

  #removeExpired(): void {
    for (const id of this.#claims.expired()) this.#remove(id)
  }
}
