import type { PrismaClient } from '#server/database/database.ts'
import type { FailedSignIn } from './failed-places.ts'
import { type FailedEntry, FailedRows } from './failed-rows.ts'

interface Tries {
  readonly first: FailedSignIn
  readonly at: Date
  until: Date
  times: number
}

/** Distinct failures that are kept while the database is slow or away; further ones are counted together. */
const MAX_PENDING = 10_000

/** So many are written before the second has passed. */
const WRITTEN_AT_ONCE = 1_000

const FLUSH_MS = 1_000

/**
 * Records failed sign-ins without slowing them: a failure is counted in memory, and once a second they are written together, if
 * there are any. Every failure is counted, also while the database is away, and the number of entries is limited (failed-rows.ts).
 * Only a process that is killed loses those of its last second.
 */
export class FailedSignIns {
  readonly #rows: FailedRows
  #pending = new Map<string, Tries>()
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  /** False during a write, and after one that failed until one succeeds. */
  #mayHurry = true
  readonly #trouble: (error: unknown) => void

  /** `trouble` is called when entries cannot be written, each second until they can. */
  constructor(db: PrismaClient, trouble: (error: unknown) => void) {
    this.#rows = new FailedRows(db)
    this.#trouble = trouble
  }

  record(failure: FailedSignIn, at = new Date()): void {
    this.#add(failure, { at, until: at, times: 1 })
    if (this.#mayHurry && this.#pending.size >= WRITTEN_AT_ONCE) void this.flush()
    else this.#flushLater()
  }

  /** Writes what was counted so far. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#mayHurry = false
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  #add(failure: FailedSignIn, { at, until, times }: Omit<Tries, 'first'>): void {
    const { usernameKey, outcome, address } = failure
    const exact = JSON.stringify([outcome, usernameKey, address])
    const isKept = this.#pending.has(exact) || this.#pending.size < MAX_PENDING
    const key = isKept ? exact : outcome
    const tries = this.#pending.get(key)
    if (tries) {
      tries.times += times
      if (until > tries.until) tries.until = until
      return
    }
    const first = isKept ? failure : { ...failure, usernameKey: null, address: '', userAgent: '' }
    this.#pending.set(key, { first, at, until, times })
  }

  async #write(): Promise<void> {
    const taken = this.#pending
    this.#pending = new Map()
    try {
      await this.#rows.add([...taken.values()].map(({ first, ...tries }): FailedEntry => ({ ...first, ...tries })))
      this.#mayHurry = true
    } catch (error) {
      this.#trouble(error)
      for (const { first, ...tries } of taken.values()) this.#add(first, tries)
      this.#flushLater()
    }
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref()
  }
}
