import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { removeObject } from './object-removal.ts'

/**
 * Removes the bytes of an object that no image needs any more. A claim is left to lapse where a delete failed, so the next
 * attempt comes a minute later or more (object-removal.ts).
 */
export const removal = defineJob({
  name: 'removal',
  data: z.strictObject({ sha256: z.string() }),
  atOnce: 4,
  retries: { limit: 12, delaySeconds: 130, delayMaxSeconds: 60 * 60 },
  expireSeconds: 2 * 60,
  keepSeconds: 24 * 60 * 60,
})

/** Objects that are marked, held by no upload, and for whose removal no job is sent. */
const forgotten = z.array(z.object({ sha256: z.string() }))

/** Has objects removed, behind the requests that purged their images. */
export class Removals {
  readonly #db: PrismaClient
  readonly #jobs: JobQueue

  constructor(db: PrismaClient, jobs: JobQueue) {
    this.#db = db
    this.#jobs = jobs
  }

  /** From now on this process removes objects. */
  work(store: ObjectStore): Promise<void> {
    return this.#jobs.work(removal, async ({ sha256 }) => ({
      removed: (await removeObject(this.#db, store, sha256)) ? 1 : 0,
    }))
  }

  /** In the transaction that marks the objects, so that no crash forgets them. */
  add(tx: Transaction | null, sha256s: readonly string[]): Promise<void> {
    return this.#jobs.send(
      tx,
      removal,
      sha256s.map((sha256) => ({ data: { sha256 }, key: sha256 })),
    )
  }

  /** Adds what is marked and nobody will remove: an upload that was killed leaves that, or a job that was given up. */
  async addForgotten(): Promise<void> {
    const rows = await this.#db.$queryRaw`
      SELECT "sha256" FROM "StoredObject"
      WHERE "state" = 'deleting' AND ("heldUntil" > clock_timestamp()) IS NOT TRUE AND NOT EXISTS (
        SELECT 1 FROM "jobs"."job" WHERE "name" = ${removal.name} AND "singleton_key" = "sha256"
          AND "state" IN ('created', 'retry', 'active'))`
    await this.add(
      null,
      forgotten.parse(rows).map(({ sha256 }) => sha256),
    )
  }
}
