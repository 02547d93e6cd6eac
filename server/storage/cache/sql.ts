import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

export type Row = Record<string, SQLOutputValue>

/** The index cannot be read or written at the moment. */
export class CacheFailure extends Error {
  override name = 'CacheFailure'
}

const SQLITE_FULL = 13

/** Whether a write failed because the disk has no space left. */
export function isDiskFull(error: unknown): boolean {
  const cause = error instanceof CacheFailure ? error.cause : null
  return cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_FULL
}

/** One SQLite file with a cache of its prepared statements. Every failure is thrown as a CacheFailure. */
export class Sql {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  readonly #waited: (ms: number) => void

  /** `waited` is called with the milliseconds that each transaction waited for other processes. */
  constructor(db: DatabaseSync, waited: (ms: number) => void = () => undefined) {
    this.#db = db
    this.#waited = waited
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return guarded(() => this.#prepare(sql).get(...values))
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return guarded(() => this.#prepare(sql).all(...values))
  }

  /** Returns how many rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return guarded(() => Number(this.#prepare(sql).run(...values).changes))
  }

  /** Runs `work` in one write transaction: all of it or nothing, with no other process writing in between. */
  transact<T>(work: () => T): T {
    return guarded(() => {
      this.#begin()
      try {
        const answer = work()
        this.#prepare('COMMIT').run()
        return answer
      } catch (error) {
        if (this.#db.isTransaction) this.#prepare('ROLLBACK').run()
        throw error
      }
    })
  }

  #begin(): void {
    const askedAt = performance.now()
    try {
      this.#prepare('BEGIN IMMEDIATE').run()
    } finally {
      this.#waited(performance.now() - askedAt)
    }
  }

  /** Moves what the log contains to the database file, and gives back the log's disk space. Returns false if there was
   *  none to give back, or no space for the move. */
  emptyLog(): boolean {
    try {
      const moved = this.get('PRAGMA wal_checkpoint')
      return moved?.log !== 0 && this.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0
    } catch {
      return false
    }
  }

  /** Returns a column of the one row in `total`. */
  total(name: string): number {
    return toNumber(this.get('SELECT * FROM total')?.[name])
  }

  /** Returns the next place in a queue; later entries have higher places. */
  nextPlace(): number {
    this.run('UPDATE total SET places = places + 1')
    return this.total('places')
  }

  close(): void {
    this.#db.close()
  }

  #prepare(sql: string): StatementSync {
    const prepared = this.#statements.get(sql) ?? this.#db.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

export function toNumber(value: SQLOutputValue | undefined): number {
  if (typeof value !== 'number') throw new TypeError(`not a number: ${String(value)}`)
  return value
}

function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw cause instanceof CacheFailure ? cause : new CacheFailure('cache index failed', { cause })
  }
}
