import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

/** A row as it comes. */
export type Row = Record<string, SQLOutputValue>

/** The index cannot be read or written now. */
export class CacheFailure extends Error {
  override name = 'CacheFailure'
}

/** One SQLite file, with the statements that were once prepared for it. Whatever fails is a CacheFailure. */
export class Sql {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return guarded(() => this.#prepare(sql).get(...values))
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return guarded(() => this.#prepare(sql).all(...values))
  }

  /** Answers how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return guarded(() => Number(this.#prepare(sql).run(...values).changes))
  }

  /** All of the work or nothing, and no other process's between. */
  transact<T>(work: () => T): T {
    return guarded(() => {
      this.#prepare('BEGIN IMMEDIATE').run()
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

  /** A figure of the table with the one row. */
  total(name: string): number {
    return numberOf(this.get('SELECT * FROM total')?.[name])
  }

  /** Of what comes later in a queue the place is higher. */
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

export function numberOf(value: SQLOutputValue | undefined): number {
  if (typeof value !== 'number') throw new TypeError(`Not a number: ${String(value)}`)
  return value
}

function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw cause instanceof CacheFailure ? cause : new CacheFailure('The index of the cache fails', { cause })
  }
}
