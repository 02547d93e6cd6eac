import { z } from 'zod'
import { CLEANING_VERSION } from '#server/cleaning/cleaning.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { type CleaningParts, cleanAgain } from './clean-again.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Cleans an object again. One at a time, because uploads need the same decoders. */
export const cleaning = defineJob({
  name: 'cleaning',
  data: z.strictObject({ sha256: z.string() }),
  retries: { limit: 8, delaySeconds: 60, delayMaxSeconds: 60 * 60 },
  expireSeconds: 10 * 60,
  // A refused object stays listed, until its job is added again.
  keepSeconds: 30 * DAY_SECONDS,
})

const TOGETHER = 500

const hashes = z.array(z.object({ sha256: z.string() }))
const counts = z.tuple([z.object({ count: z.int() })])

/** Cleans again, by jobs, what was stored under earlier cleaning rules. */
export class CleaningJobs {
  readonly #db: PrismaClient
  readonly #jobs: JobQueue
  readonly #together: number

  /** `together` is the number of jobs that are added at a time. */
  constructor(db: PrismaClient, jobs: JobQueue, together = TOGETHER) {
    this.#db = db
    this.#jobs = jobs
    this.#together = together
  }

  work(parts: CleaningParts): Promise<void> {
    return this.#jobs.work(cleaning, async ({ sha256 }, { signal }) => {
      const replaced = await cleanAgain(parts, sha256, signal)
      if ((await this.#countWaiting()) === 0) await this.addDue()
      return { replaced }
    })
  }

  /**
   * Adds jobs for some of the objects that are due, the next ones after these are done. Skips objects with a job that waits, is
   * active or will be retried, or that has failed within a day. Those that are refused get a job again, which fails and so
   * keeps them listed.
   */
  async addDue(): Promise<void> {
    const rows = await this.#db.$queryRaw`
      SELECT "sha256" FROM "StoredObject"
      WHERE "state" = 'live' AND ("cleaning" < ${CLEANING_VERSION} OR "refusal" IS NOT NULL) AND NOT EXISTS (
        SELECT 1 FROM "jobs"."job" WHERE "name" = ${cleaning.name} AND "singleton_key" = "sha256" AND (
          "state" IN ('created', 'retry', 'active')
          OR ("state" = 'failed' AND "completed_on" > clock_timestamp() - interval '1 day')))
      ORDER BY "cleaning", "sha256" LIMIT ${this.#together}`
    const sendings = hashes.parse(rows).map(({ sha256 }) => ({ data: { sha256 }, key: sha256 }))
    await this.#jobs.send(null, cleaning, sendings)
  }

  async #countWaiting(): Promise<number> {
    const rows = await this.#db.$queryRaw`
      SELECT COUNT(*)::int AS "count" FROM "jobs"."job" WHERE "name" = ${cleaning.name} AND "state" = 'created'`
    return counts.parse(rows)[0].count
  }
}
