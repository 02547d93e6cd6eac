import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { makeVariants, type VariantParts } from './make-variants.ts'

/** Makes the variants of an object anew. One at a time: uploads wait for the same decoders. */
export const variants = defineJob({
  name: 'variants',
  data: z.strictObject({ sha256: z.string() }),
  retries: { limit: 8, delaySeconds: 60, delayMaxSeconds: 60 * 60 },
  expireSeconds: 10 * 60,
})

const hashes = z.array(z.object({ sha256: z.string() }))

/** Has variants made that are lost or were never made. */
export class VariantJobs {
  readonly #db: PrismaClient
  readonly #jobs: JobQueue

  constructor(db: PrismaClient, jobs: JobQueue) {
    this.#db = db
    this.#jobs = jobs
  }

  /** From now on this process makes them. */
  work(parts: VariantParts): Promise<void> {
    return this.#jobs.work(variants, async ({ sha256 }, { signal }) => ({
      made: (await makeVariants(parts, sha256, signal)) ?? 0,
    }))
  }

  /** Somebody has found a variant of the object lost or damaged. */
  lost(sha256: string): Promise<void> {
    return transact(this.#db, async (tx) => {
      const { count } = await markDue(tx, sha256)
      if (count > 0) await this.#add(tx, [sha256])
    })
  }

  /** Adds what is due and nobody will make: found by the check of the data, or given up a day ago. */
  async addDue(): Promise<void> {
    const where = { state: 'live', variantsDue: true } as const
    const due = await this.#db.storedObject.findMany({ where, select: { sha256: true } })
    await this.#add(
      null,
      due.map(({ sha256 }) => sha256),
    )
  }

  /** One is enough for an object, be it under way or tried again, and for a day one that was given up: each would read the
   *  original. What is lost when one is nearly done stays due, for the hour's upkeep. */
  async #add(tx: Transaction | null, sha256s: readonly string[]): Promise<void> {
    const rows = await (tx ?? this.#db).$queryRaw`
      SELECT "singleton_key" AS "sha256" FROM "jobs"."job"
      WHERE "name" = ${variants.name} AND "singleton_key" = ANY(${sha256s}::text[]) AND (
        "state" IN ('active', 'retry') OR ("state" = 'failed' AND "completed_on" > clock_timestamp() - interval '1 day'))`
    const tried = new Set(hashes.parse(rows).map(({ sha256 }) => sha256))
    const added = sha256s.filter((sha256) => !tried.has(sha256))
    await this.#jobs.send(
      tx,
      variants,
      added.map((sha256) => ({ data: { sha256 }, key: sha256 })),
    )
  }
}

/** Marks an object that is live: its variants are to be made anew. */
export const markDue = (db: PrismaClient | Transaction, sha256: string): Promise<{ count: number }> =>
  db.storedObject.updateMany({ where: { sha256, state: 'live' }, data: { variantsDue: true } })
