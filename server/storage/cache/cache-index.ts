import type { DatabaseSync } from 'node:sqlite'
import type { ObjectKey } from '../object-store.ts'
import { evictOne, MAX_FREQUENCY } from './s3-fifo.ts'
import { CacheFailure, numberOf, type Row, Sql } from './sql.ts'
import { StoredQueues } from './stored-queues.ts'

/** Milliseconds after its last sign of life that a fetch is given up for dead. */
export const LAPSE_MS = 5_000
/** Milliseconds without a write after one that failed: less than a claim takes to lapse, as the signs of life rest too. */
const REST_MS = 3_000
/** Milliseconds for which a fetch goes on for a reader of another process that has last shown itself. */
const WANTED_MS = 2_000
/** Milliseconds for which removals are told. */
export const REMOVAL_MS = 60_000
/** Copies read of which so many are written without waiting longer; no more are remembered while nothing can be. */
export const MOST_READS = 1_000
/** Steps of an eviction in one transaction: nobody waits longer for the index, nor does this process's event loop. */
const STEPS = 64

/** Nothing was written, as another write has failed just before, which was told then. */
export class IndexRests extends CacheFailure {
  override name = 'IndexRests'
}

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

/** What all processes have read of the cache and not, since it was begun. */
export interface Counts {
  readonly hits: number
  readonly misses: number
  readonly bytesServed: number
}

export interface CacheIndexOptions {
  readonly db: DatabaseSync
  /** Bytes. */
  readonly capacity: number
  /** This process's name among those that share the index. */
  readonly self: string
  readonly now: () => number
  /** Whether the process of that name is known to have ended. */
  readonly hasEnded: (fetcher: string) => boolean
  /** Removes the file of a copy, if there is one. */
  readonly removeFile: (id: number) => void
  readonly restMs?: number
}

/**
 * What a cache has, in which order it is evicted, who fetches what, and what was read: shared by processes through one SQLite
 * file. Every change is one transaction; a file is removed before the transaction that forgets it is committed, so that the
 * bytes on the disk never exceed those of the index. Every method throws CacheFailure when the file fails; then nothing but
 * removals of keys is written for a while, as each attempt may hold up all that the process does.
 */
export class CacheIndex {
  readonly #options: CacheIndexOptions
  readonly #sql: Sql
  readonly #queues: StoredQueues
  /** Under way over several transactions. */
  #eviction: Generator<undefined, boolean>
  /** How often each copy was read since that was last written. */
  readonly #reads = new Map<number, number>()
  #counts = { hits: 0, misses: 0, bytesServed: 0 }
  #restsUntil = 0
  /** Copies that could not be removed: no process that lives lapses in its own eyes, however slow it is. */
  readonly #unremoved = new Set<number>()

  constructor(options: CacheIndexOptions) {
    this.#options = options
    this.#sql = new Sql(options.db)
    this.#queues = new StoredQueues(this.#sql, options.capacity, (id) => this.#remove(id))
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

  /** The number of a new copy that this process is to fetch; null when another one has done so, or is at it. */
  claim(key: ObjectKey): number | null {
    return this.#write(() => {
      this.#removeLapsed()
      if (this.#sql.get('SELECT id FROM object WHERE key = ?', key)) return null
      const { self, now } = this.#options
      this.#sql.run('INSERT INTO object (key, fetcher, beatAt) VALUES (?, ?, ?)', key, self, now())
      return numberOf(this.#sql.get('SELECT last_insert_rowid() AS id')?.id)
    })
  }

  /** Takes room for a copy that is being fetched: 'more' asks to be called again, 'refused' when there will be none. */
  reserve(id: number, size: number): 'reserved' | 'more' | 'refused' {
    return this.#write(() => {
      this.#writeReads()
      this.#removeLapsed()
      if (!this.#sql.get('SELECT id FROM object WHERE id = ? AND queue IS NULL', id)) return 'refused'
      const made = this.#makeRoom(size)
      if (made === 'reserved') this.#sql.run('UPDATE object SET size = ? WHERE id = ?', size, id)
      return made
    })
  }

  /** Evicts what exceeds the capacity, as after a start with less: true asks to be called again. */
  shrink(): boolean {
    return this.#write(() => this.#makeRoom(0) === 'more')
  }

  /** What was fetched is whole from now on. False when the copy was removed meanwhile: its file belongs to nobody. */
  commit(id: number): boolean {
    return this.#write(() => {
      const key = this.#sql.get('SELECT key FROM object WHERE id = ? AND queue IS NULL', id)?.key
      if (key === undefined) return false
      this.#queues.insert(id, key)
      return true
    })
  }

  /** Removes a copy with its file. */
  remove(id: number): void {
    this.#unremoved.add(id)
    this.#write(() => this.#remove(id))
    this.#unremoved.delete(id)
  }

  /** Removes the object, whole or half fetched, and tells the other processes; also while all else rests. */
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

  /** Shows that this process is at these copies: a claim that it could not give back lapses. */
  beat(ids: Iterable<number>): void {
    if (this.isResting) return
    const now = this.#options.now()
    this.#write(() => {
      for (const id of ids) this.#sql.run('UPDATE object SET beatAt = ? WHERE id = ? AND queue IS NULL', now, id)
    })
  }

  /** Whether this process has claimed the copy, and not made it whole. */
  isClaimedHere({ isWhole, fetcher }: Entry): boolean {
    return !isWhole && fetcher === this.#options.self
  }

  /** Whether whoever else fetches this copy has ended in the middle. */
  hasLapsed({ isWhole, fetcher, beatAt }: Entry): boolean {
    const { now, self, hasEnded } = this.#options
    if (isWhole || fetcher === self) return false
    return beatAt < now() - LAPSE_MS || hasEnded(fetcher)
  }

  /** A reader of this process waits for what another one fetches. */
  want(id: number): void {
    if (this.isResting) return
    this.#write(() => this.#sql.run('UPDATE object SET wantedAt = ? WHERE id = ?', this.#options.now(), id))
  }

  isWanted(id: number): boolean {
    const wantedAt = this.#sql.get('SELECT wantedAt FROM object WHERE id = ?', id)?.wantedAt ?? 0
    return numberOf(wantedAt) >= this.#options.now() - WANTED_MS
  }

  countHit(id: number | null): void {
    this.#counts.hits += 1
    if (this.isResting && this.#reads.size >= MOST_READS) return
    if (id !== null) this.#reads.set(id, (this.#reads.get(id) ?? 0) + 1)
  }

  countMiss(): void {
    this.#counts.misses += 1
  }

  countBytes(bytes: number): void {
    this.#counts.bytesServed += bytes
  }

  /** Copies of which reads are to be written yet. */
  get unwritten(): number {
    return this.#reads.size
  }

  /** Writes what was read since the last time. */
  flush(): void {
    if (this.isResting) return
    const { hits, misses, bytesServed } = this.#counts
    if (this.#reads.size > 0 || hits + misses + bytesServed > 0) this.#write(() => this.#writeReads())
  }

  /** Over all processes, as far as they have written it. */
  figures(): Counts & { readonly objects: number; readonly bytes: number } {
    return {
      hits: this.#sql.total('hits') + this.#counts.hits,
      misses: this.#sql.total('misses') + this.#counts.misses,
      bytesServed: this.#sql.total('bytesServed') + this.#counts.bytesServed,
      objects: this.#sql.total('objects'),
      bytes: this.#sql.total('bytes'),
    }
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
    return 'reserved'
  }

  #remove(id: number): void {
    this.#options.removeFile(id)
    this.#reads.delete(id)
    this.#sql.run('DELETE FROM object WHERE id = ?', id)
  }

  #removeLapsed(): void {
    for (const row of this.#sql.all('SELECT * FROM object WHERE queue IS NULL')) {
      const entry = entryOf(row)
      if (entry && (this.#unremoved.has(entry.id) || this.hasLapsed(entry))) this.#remove(entry.id)
    }
  }

  #writeReads(): void {
    const read = `UPDATE object SET frequency = min(${MAX_FREQUENCY}, frequency + ?) WHERE id = ?`
    for (const [id, times] of this.#reads) this.#sql.run(read, times, id)
    const { hits, misses, bytesServed } = this.#counts
    const counted = 'UPDATE total SET hits = hits + ?, misses = misses + ?, bytesServed = bytesServed + ?'
    this.#sql.run(counted, hits, misses, bytesServed)
    this.#reads.clear()
    this.#counts = { hits: 0, misses: 0, bytesServed: 0 }
  }
}

function entryOf(row: Row | undefined): Entry | null {
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
