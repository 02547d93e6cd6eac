import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { removeObject } from './object-removal.ts'

/**
 * Removes the bytes of an object that no image needs any more. After a failed delete the claim is left to expire, so the next
 * attempt follows at least a minute later (object-removal.ts).
 */
export const removal = defineJob({
  name: 'removal',
  data: z.strictObject({ sha256: z.string() }),
  atOnce: 4,
  retries: { limit: 12, delaySeconds: 130, delayMaxSeconds: 60 * 60 },
  expireSeconds: 2 * 60,
  keepSeconds: 24 * 60 * 60,
})

/** Objects that are marked, not held by an upload, and without a job for their removal. */
const forgotten = z.array(z.object({ sha256: z.string() }))

/** Removes objects in background jobs, after the requests that purged their images. */
export class Removals {
  readonly #db: PrismaClient
  readonly #jobs: JobQueue

  constructor(db: PrismaClient, jobs: JobQueue) {
    this.#db = db
    this.#jobs = jobs
  }

  /** Starts removing objects in this process. */
  work(store: ObjectStore): Promise<void> {
    return this.#jobs.work(removal, async ({ sha256 }) => ({
      removed: (await removeObject(this.#db, store, sha256)) ? 1 : 0,
    }))
  }

  /** Adds the jobs in the transaction that marks the objects, so that a crash cannot lose them. */
  add(tx: Transaction | null, sha256s: readonly string[]): Promise<void> {
    return this.#jobs.send(
      tx,
      removal,
      sha256s.map((sha256) => ({ data: { sha256 }, key: sha256 })),
    )
  }

  /** Adds jobs for marked objects without one, left by a killed upload or an exhausted job. */
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
