import type { ObjectKey } from '../object-store.ts'
import { type Entry, toEntry } from './entry.ts'
import { type Sql, toNumber } from './sql.ts'

/** Milliseconds without a heartbeat after which a fetch counts as dead. */
export const EXPIRY_MS = 5_000
/** Milliseconds a fetch continues for a waiting reader in another process after that reader's last sign. */
const WANTED_MS = 2_000

export interface ClaimsOptions {
  /** The name of this process among those that share the index. */
  readonly self: string
  readonly now: () => number
  /** Whether the named process is known to have ended. */
  readonly hasEnded: (fetcher: string) => boolean
}

/** Who is fetching what, as stored in the index. A claimed copy is fetched by one process for as long as that process
 *  lives. All writes belong to the caller's transaction. */
export class Claims {
  readonly #sql: Sql
  readonly #options: ClaimsOptions
  /** Copies whose removal failed. Needed because a process never considers its own claims expired, however slow it
   *  is. */
  readonly #unremoved = new Set<number>()

  constructor(sql: Sql, options: ClaimsOptions) {
    this.#sql = sql
    this.#options = options
  }

  /** Adds a claimed copy and returns its number; null when the object is already in the index. */
  add(key: ObjectKey): number | null {
    if (this.#sql.get('SELECT id FROM object WHERE key = ?', key)) return null
    const { self, now } = this.#options
    this.#sql.run('INSERT INTO object (key, fetcher, beatAt) VALUES (?, ?, ?)', key, self, now())
    return toNumber(this.#sql.get('SELECT last_insert_rowid() AS id')?.id)
  }

  /** Returns the key of a claimed copy; null when it is complete or gone. */
  keyOf(id: number): unknown {
    return this.#sql.get('SELECT key FROM object WHERE id = ? AND queue IS NULL', id)?.key ?? null
  }

  /** Renews the heartbeat of these copies. A claim that this process failed to release is left out and so expires. */
  beat(ids: Iterable<number>): void {
    const now = this.#options.now()
    for (const id of ids) this.#sql.run('UPDATE object SET beatAt = ? WHERE id = ? AND queue IS NULL', now, id)
  }

  /** Whether this process has claimed the copy and not completed it. */
  isOwn({ isWhole, fetcher }: Entry): boolean {
    return !isWhole && fetcher === this.#options.self
  }

  /** Whether another process claimed this copy and died before completing it. */
  hasExpired({ isWhole, fetcher, beatAt }: Entry): boolean {
    const { now, self, hasEnded } = this.#options
    if (isWhole || fetcher === self) return false
    // abs(): a heartbeat in the future was written before a clock was set back.
    return Math.abs(now() - beatAt) > EXPIRY_MS || hasEnded(fetcher)
  }

  /** Records that a reader in this process is waiting for a copy that another process is fetching. */
  want(id: number): void {
    this.#sql.run('UPDATE object SET wantedAt = ? WHERE id = ?', this.#options.now(), id)
  }

  isWanted(id: number): boolean {
    const wantedAt = this.#sql.get('SELECT wantedAt FROM object WHERE id = ?', id)?.wantedAt ?? 0
    return Math.abs(this.#options.now() - toNumber(wantedAt)) <= WANTED_MS
  }

  /** Removes a copy with `remove`. If that throws, the copy is removed with the next expired ones. */
  release(id: number, remove: () => void): void {
    this.#unremoved.add(id)
    remove()
    this.#unremoved.delete(id)
  }

  /** Returns the copies whose fetch died, and this process's own that it failed to remove. */
  expired(): readonly number[] {
    const entries = this.#sql.all('SELECT * FROM object WHERE queue IS NULL').map(toEntry)
    return entries.flatMap((entry) =>
      entry && (this.#unremoved.has(entry.id) || this.hasExpired(entry)) ? [entry.id] : [],
    )
  }
}
