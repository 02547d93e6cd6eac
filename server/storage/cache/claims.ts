import type { ObjectKey } from '../object-store.ts'
import { type Entry, entryOf } from './entry.ts'
import { numberOf, type Sql } from './sql.ts'

/** Milliseconds after its last sign of life that a fetch is given up for dead. */
export const LAPSE_MS = 5_000
/** Milliseconds for which a fetch goes on for a reader of another process that has last shown itself. */
const WANTED_MS = 2_000

export interface ClaimsOptions {
  /** This process's name among those that share the index. */
  readonly self: string
  readonly now: () => number
  /** Whether the process of that name is known to have ended. */
  readonly hasEnded: (fetcher: string) => boolean
}

/** Who fetches what, as the index keeps it: a copy that is claimed is fetched by one process, for as long as that one lives.
 *  Whatever is written is part of the caller's transaction. */
export class Claims {
  readonly #sql: Sql
  readonly #options: ClaimsOptions
  /** Copies that could not be removed: no process that lives lapses in its own eyes, however slow it is. */
  readonly #unremoved = new Set<number>()

  constructor(sql: Sql, options: ClaimsOptions) {
    this.#sql = sql
    this.#options = options
  }

  /** The number of a new copy; null when there is one. */
  add(key: ObjectKey): number | null {
    if (this.#sql.get('SELECT id FROM object WHERE key = ?', key)) return null
    const { self, now } = this.#options
    this.#sql.run('INSERT INTO object (key, fetcher, beatAt) VALUES (?, ?, ?)', key, self, now())
    return numberOf(this.#sql.get('SELECT last_insert_rowid() AS id')?.id)
  }

  /** The key of a copy that is claimed; null when it is whole, or not there any more. */
  keyOf(id: number): unknown {
    return this.#sql.get('SELECT key FROM object WHERE id = ? AND queue IS NULL', id)?.key ?? null
  }

  /** Shows that this process is at these copies: a claim that it could not give back lapses. */
  beat(ids: Iterable<number>): void {
    const now = this.#options.now()
    for (const id of ids) this.#sql.run('UPDATE object SET beatAt = ? WHERE id = ? AND queue IS NULL', now, id)
  }

  /** Whether this process has claimed the copy, and not made it whole. */
  isOwn({ isWhole, fetcher }: Entry): boolean {
    return !isWhole && fetcher === this.#options.self
  }

  /** Whether whoever else fetches this copy has ended in the middle. */
  hasLapsed({ isWhole, fetcher, beatAt }: Entry): boolean {
    const { now, self, hasEnded } = this.#options
    if (isWhole || fetcher === self) return false
    // One that is yet to come was given before a clock was set back.
    return Math.abs(now() - beatAt) > LAPSE_MS || hasEnded(fetcher)
  }

  /** A reader of this process waits for what another one fetches. */
  want(id: number): void {
    this.#sql.run('UPDATE object SET wantedAt = ? WHERE id = ?', this.#options.now(), id)
  }

  isWanted(id: number): boolean {
    const wantedAt = this.#sql.get('SELECT wantedAt FROM object WHERE id = ?', id)?.wantedAt ?? 0
    return Math.abs(this.#options.now() - numberOf(wantedAt)) <= WANTED_MS
  }

  /** Removes a copy by `remove`: where that fails, with the next that lapse. */
  giveBack(id: number, remove: () => void): void {
    this.#unremoved.add(id)
    remove()
    this.#unremoved.delete(id)
  }

  /** The copies whose fetch has ended in the middle, or that are this process's to give back yet. */
  lapsed(): readonly number[] {
    const entries = this.#sql.all('SELECT * FROM object WHERE queue IS NULL').map(entryOf)
    return entries.flatMap((entry) =>
      entry && (this.#unremoved.has(entry.id) || this.hasLapsed(entry)) ? [entry.id] : [],
    )
  }
}
