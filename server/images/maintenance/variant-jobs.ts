import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { makeVariants, type VariantParts } from './make-variants.ts'

/** Re-creates the variants of an object. One at a time, because uploads need the same decoders. */
export const variants = defineJob({
  name: 'variants',
  data: z.strictObject({ sha256: z.string() }),
  retries: { limit: 8, delaySeconds: 60, delayMaxSeconds: 60 * 60 },
  expireSeconds: 10 * 60,
})

/** Seconds within which a process makes the variants that follow an answer, however much it has to do. */
const FOLLOWING_SECONDS = 60

const isFollowing = ({ variantsReserved }: { readonly variantsReserved: number }): boolean => variantsReserved > 0

const hashes = z.array(z.object({ sha256: z.string() }))

/** Re-creates lost variants by jobs. */
export class VariantJobs {
  readonly #db: PrismaClient
  readonly #jobs: JobQueue

  constructor(db: PrismaClient, jobs: JobQueue) {
    this.#db = db
    this.#jobs = jobs
  }

  work(parts: VariantParts): Promise<void> {
    return this.#jobs.work(variants, async ({ sha256 }, { signal }) => ({
      made: (await makeVariants(parts, sha256, signal)) ?? 0,
    }))
  }

  /** Call when a reader has found a variant of the object missing or damaged. */
  lost(sha256: string): Promise<void> {
    return transact(this.#db, async (tx) => {
      const { count } = await markDue(tx, sha256)
      if (count > 0) await this.#add(tx, [sha256])
    })
  }

  /** Call when variants that follow an upload's answer cannot be made of its picture. */
  notFollowed(sha256: string): Promise<void> {
    return this.#add(null, [sha256])
  }

  /** Adds jobs for objects that are due but have none: found by the data check, given up a day ago, or left by a killed process.
   *  What follows an upload's answer may be under way in another process, so its job starts later and then finds nothing to do. */
  async addDue(): Promise<void> {
    const where = { state: 'live', variantsDue: true } as const
    const due = await this.#db.storedObject.findMany({ where, select: { sha256: true, variantsReserved: true } })
    const [following, others] = [due.filter(isFollowing), due.filter((row) => !isFollowing(row))].map((rows) =>
      rows.map(({ sha256 }) => sha256),
    )
    await this.#add(null, others ?? [])
    await this.#add(null, following ?? [], FOLLOWING_SECONDS)
  }

  /** Skips objects with a job that is active or will be retried, or that has failed within a day, because each run reads the
   *  original. A variant lost when a job is almost done stays due, for the hourly maintenance. */
  async #add(tx: Transaction | null, sha256s: readonly string[], startAfterSeconds = 0): Promise<void> {
    const rows = await (tx ?? this.#db).$queryRaw`
      SELECT "singleton_key" AS "sha256" FROM "jobs"."job"
      WHERE "name" = ${variants.name} AND "singleton_key" = ANY(${sha256s}::text[]) AND (
        "state" IN ('active', 'retry') OR ("state" = 'failed' AND "completed_on" > clock_timestamp() - interval '1 day'))`
    const tried = new Set(hashes.parse(rows).map(({ sha256 }) => sha256))
    const added = sha256s.filter((sha256) => !tried.has(sha256))
    await this.#jobs.send(
      tx,
      variants,
      added.map((sha256) => ({ data: { sha256 }, key: sha256, startAfterSeconds })),
    )
  }
}

/** Marks the variants of a live object to be re-created. */
export const markDue = (db: PrismaClient | Transaction, sha256: string): Promise<{ count: number }> =>
  db.storedObject.updateMany({ where: { sha256, state: 'live' }, data: { variantsDue: true } })
