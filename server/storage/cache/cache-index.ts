import type { DatabaseSync } from 'node:sqlite'
import type { ObjectKey } from '../object-store.ts'
import { Claims, type ClaimsOptions } from './claims.ts'
import { type Entry, entryOf } from './entry.ts'
import { type Counts, ReadCounts } from './read-counts.ts'
import { evictOne } from './s3-fifo.ts'
import { CacheFailure, numberOf, Sql } from './sql.ts'
import { StoredQueues } from './stored-queues.ts'

/** Milliseconds without a write after a failed one: shorter than the life of a claim, because claims are not renewed
 *  meanwhile. */
const REST_MS = 3_000
/** Milliseconds for which removals are kept for other processes to see. */
export const REMOVAL_MS = 60_000
/** Eviction steps in one transaction, so that neither other processes nor this event loop wait long. */
const STEPS = 64

/** Nothing was written because a write failed a moment ago, which was reported then. */
export class IndexRests extends CacheFailure {
  override name = 'IndexRests'
}

export interface CacheIndexOptions extends ClaimsOptions {
  readonly db: DatabaseSync
  /** Bytes. */
  readonly capacity: number
  /** Removes the file of a copy, if there is one. */
  readonly removeFile: (id: number) => void
  readonly restMs?: number
}

/** The index of the cache: its objects, their eviction order, who fetches what, and how often each was read; shared by
 *  processes through one SQLite file. Every change is one transaction. A file is deleted before the transaction that
 *  forgets it commits, so the disk never holds more bytes than the index counts. Every method throws CacheFailure when
 *  the SQLite file fails; after that nothing but removals of keys is written for a while, because each attempt may
 *  block the process. */
export class CacheIndex {
  readonly #options: CacheIndexOptions
  readonly #sql: Sql
  readonly #queues: StoredQueues
  readonly #claims: Claims
  readonly #reads = new ReadCounts()
  /** Under way over several transactions. */
  #eviction: Generator<undefined, boolean>
  #restsUntil = 0

  constructor(options: CacheIndexOptions) {
    this.#options = options
    this.#sql = new Sql(options.db)
    this.#queues = new StoredQueues(this.#sql, options.capacity, (id) => this.#remove(id))
    this.#claims = new Claims(this.#sql, options)
    this.#eviction = evictOne(this.#queues)
  }

  get isResting(): boolean {
    return performance.now() < this.#restsUntil
  }

  find(key: ObjectKey): Entry | null {
    return entryOf(this.#sql.get('SELECT * FROM object WHERE key = ?', key))
  }

  byId(id: number): Entry | null {
    return entryOf(this.#sql.get('SELECT * FROM object WHERE id = ?', id))
  }

  /** Claims the fetch of an object and returns the number of its copy; null when it is cached, or another process is
   *  fetching it. */
  claim(key: ObjectKey): number | null {
    return this.#write(() => {
      this.#removeLapsed()
      return this.#claims.add(key)
    })
  }

  /** Reserves space for a copy that is being fetched. 'more' asks to be called again after a partial eviction;
   *  'refused' means that there is no space. */
  reserve(id: number, size: number): 'reserved' | 'more' | 'refused' {
    return this.#write(() => {
      this.#reads.write(this.#sql)
      this.#removeLapsed()
      if (this.#claims.keyOf(id) === null) return 'refused'
      const made = this.#makeRoom(size)
      if (made === 'reserved') this.#sql.run('UPDATE object SET size = ? WHERE id = ?', size, id)
      return made
    })
  }

  /** Evicts what exceeds the capacity, such as after a restart with a smaller one. True asks to be called again. */
  shrink(): boolean {
    return this.#write(() => this.#makeRoom(0) === 'more')
  }

  /** Marks a fetched copy as complete. False when it was removed meanwhile: then its file belongs to nobody. */
  commit(id: number): boolean {
    return this.#write(() => {
      const key = this.#claims.keyOf(id)
      if (key === null) return false
      this.#queues.insert(id, key)
      return true
    })
  }

  /** Removes a copy with its file. */
  remove(id: number): void {
    this.#claims.giveBack(id, () => this.#write(() => this.#remove(id)))
  }

  /** Removes an object, complete or not, and records the removal for other processes; works also while other writes
   *  rest. */
  removeKey(key: ObjectKey): void {
    this.#attempt(() => {
      const found = entryOf(this.#sql.get('SELECT * FROM object WHERE key = ?', key))
      if (found) this.#remove(found.id)
      const now = this.#options.now()
      this.#sql.run('INSERT INTO removal (key, at) VALUES (?, ?)', key, now)
      this.#sql.run('DELETE FROM removal WHERE at < ?', now - REMOVAL_MS)
    })
  }

  /** Keys removed since the removal of number `after`, and the number of the last. */
  removalsAfter(after: number): { readonly keys: readonly string[]; readonly last: number } {
    const rows = this.#sql.all('SELECT id, key FROM removal WHERE id > ? ORDER BY id', after)
    return { keys: rows.map(({ key }) => String(key)), last: numberOf(rows.at(-1)?.id ?? after) }
  }

  /** Renews this process's claims on these copies. */
  beat(ids: Iterable<number>): void {
    if (!this.isResting) this.#write(() => this.#claims.beat(ids))
  }

  /** Whether this process is fetching the copy. */
  isClaimedHere(entry: Entry): boolean {
    return this.#claims.isOwn(entry)
  }

  /** Whether the process that fetches this copy has died: its claim has expired. */
  hasLapsed(entry: Entry): boolean {
    return this.#claims.hasLapsed(entry)
  }

  /** Notes that a reader of this process waits for a copy that another process fetches. */
  want(id: number): void {
    if (!this.isResting) this.#write(() => this.#claims.want(id))
  }

  isWanted(id: number): boolean {
    return this.#claims.isWanted(id)
  }

  /** Counts a hit, on a copy where `id` names one. Written by the next `flush`. */
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
    if (!this.isResting && !this.#reads.isEmpty) this.#write(() => this.#reads.write(this.#sql))
  }

  /** The figures of all processes, as far as they have been flushed. */
  figures(): Counts & { readonly objects: number; readonly bytes: number } {
    const [objects, bytes] = [this.#sql.total('objects'), this.#sql.total('bytes')]
    return { ...this.#reads.totals(this.#sql), objects, bytes }
  }

  /** The numbers of the copies from `first` to `last`, or of those that are whole. */
  between(first: number, last: number, { isWhole = false } = {}): ReadonlySet<number> {
    const which = isWhole ? ' AND queue IS NOT NULL' : ''
    const rows = this.#sql.all(`SELECT id FROM object WHERE id BETWEEN ? AND ?${which}`, first, last)
    return new Set(rows.map(({ id }) => numberOf(id)))
  }

  /** Which folders of `size` numbers each have a copy. */
  folders(size: number): readonly number[] {
    // A number that is bound is a real one to SQLite, and the division would be.
    const rows = this.#sql.all('SELECT DISTINCT id / CAST(? AS INTEGER) AS folder FROM object', size)
    return rows.map(({ folder }) => numberOf(folder))
  }

  close(): void {
    try {
      this.flush()
    } finally {
      this.#sql.close()
    }
  }

  #write<T>(work: () => T): T {
    if (this.isResting) throw new IndexRests('The index of the cache rests')
    return this.#attempt(work)
  }

  #attempt<T>(work: () => T): T {
    try {
      return this.#sql.transact(work)
    } catch (error) {
      this.#restsUntil = performance.now() + (this.#options.restMs ?? REST_MS)
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
    // What comes later finds other queues than where this one stopped.
    this.#eviction = evictOne(this.#queues)
    return 'reserved'
  }

  #remove(id: number): void {
    this.#options.removeFile(id)
    this.#reads.forget(id)
    this.#sql.run('DELETE FROM object WHERE id = ?', id)
  }

  #removeLapsed(): void {
    for (const id of this.#claims.lapsed()) this.#remove(id)
  }
}
