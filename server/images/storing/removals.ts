import type { PrismaClient } from '#server/database/database.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { markedObjects, removeObject } from './object-removal.ts'

export interface RemovalParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  readonly log: { error(details: object, message: string): void }
}

/**
 * Removes the bytes of objects that no image needs any more, one object after another, behind the requests that purged
 * them. One that fails is logged, holds up no other, and is left to the next hour (maintenance-tasks.ts) or start.
 */
export class Removals {
  readonly #parts: RemovalParts
  readonly #waiting = new Set<string>()
  readonly #underWay = new Set<Promise<void>>()
  #isRemoving = false
  #isClosed = false

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  /** May be called in the transaction that marks the objects: their locks keep the removal waiting until it has ended. */
  add(sha256s: Iterable<string>): void {
    if (this.#isClosed) return
    for (const sha256 of sha256s) this.#waiting.add(sha256)
    if (this.#isRemoving) return
    this.#isRemoving = true
    this.#follow(this.#removeWaiting())
  }

  /** Adds what a crash or a failing store left marked. */
  addLeftovers(): void {
    const { db, log } = this.#parts
    const adding = markedObjects(db).then((sha256s) => this.add(sha256s))
    this.#follow(adding.catch((error: unknown) => log.error({ err: error }, 'unused objects could not be listed')))
  }

  /** Resolves once nothing waits and nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Waits for the removal that is under way; the next start sees to the rest. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#waiting.clear()
    await this.idle()
  }

  async #removeWaiting(): Promise<void> {
    const { db, store, log } = this.#parts
    for (const sha256 of this.#waiting) {
      this.#waiting.delete(sha256)
      await removeObject(db, store, sha256).catch((error: unknown) =>
        log.error({ err: error, sha256 }, 'unused bytes could not be removed yet'),
      )
    }
    this.#isRemoving = false
  }

  #follow(work: Promise<void>): void {
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }
}
