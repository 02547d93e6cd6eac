import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { JobReport } from './job.ts'

const states = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const

const jobRow = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(states),
  /** Attempts started so far. */
  attempts: z.number(),
  /** The most attempts there may be. */
  limit: z.number(),
  createdAt: z.date(),
  startAfter: z.date(),
  startedAt: z.date().nullable(),
  completedAt: z.date().nullable(),
  output: z.unknown(),
})

/** A job as stored in the queue's table. */
export type StoredJob = z.infer<typeof jobRow>

const rows = z.array(jobRow)
const columns = Prisma.sql`
  "id"::text, "name", "state"::text, "retry_count" + ("started_on" IS NOT NULL)::int AS "attempts",
  "retry_limit" + 1 AS "limit", "created_on" AS "createdAt", "start_after" AS "startAfter",
  "started_on" AS "startedAt", "completed_on" AS "completedAt", "output"`
const counts = z.array(z.object({ name: z.string(), state: z.enum(states), count: z.number() }))

const report = z.record(z.string(), z.union([z.number(), z.string()]))

/** What is stored of a failed attempt. */
export interface JobFailure {
  readonly message: string
  /** Says it in the reader's language; none for a bug. */
  readonly text?: ErrorText | undefined
}

const errorText = z.looseObject({ code: z.string(), params: z.looseObject({}) })
const isErrorText = (value: unknown): boolean => errorText.safeParse(value).success
const failure = z.object({ message: z.string(), text: z.custom<ErrorText>(isErrorText).optional().catch(undefined) })

/** Returns the error of the last failed attempt; null without one. */
export const readFailure = (output: unknown): JobFailure | null => failure.safeParse(output).data ?? null

/** Returns the report of a successful attempt. */
export const parseReport = (output: unknown): JobReport | null => report.safeParse(output).data ?? null

/** Counts jobs that are waiting, running or failed, by name and state. */
export async function countJobs(db: PrismaClient): Promise<readonly z.infer<typeof counts>[number][]> {
  return counts.parse(
    await db.$queryRaw`
      SELECT "name", "state"::text, COUNT(*)::int AS "count" FROM "jobs"."job"
      WHERE "state" IN ('created', 'retry', 'active', 'failed') AND "name" NOT LIKE '\\_\\_%'
      GROUP BY "name", "state" ORDER BY "name", "state"`,
  )
}

/** Returns for how many seconds the job that should have started first has waited; 0 if none is due. */
export async function oldestDueSeconds(db: PrismaClient): Promise<number> {
  const [row] = z.array(z.object({ seconds: z.number() })).parse(
    await db.$queryRaw`
      SELECT COALESCE(GREATEST(0, extract(epoch FROM now() - MIN("start_after"))), 0)::float8 AS "seconds"
      FROM "jobs"."job" WHERE "state" IN ('created', 'retry') AND "name" NOT LIKE '\\_\\_%'`,
  )
  return row?.seconds ?? 0
}

/** Returns the `take` most important jobs: failed ones, then those being retried, running and waiting. */
export async function mostUrgentJobs(db: PrismaClient, take: number): Promise<readonly StoredJob[]> {
  return rows.parse(
    await db.$queryRaw`
      SELECT ${columns}
      FROM "jobs"."job"
      WHERE "state" IN ('created', 'retry', 'active', 'failed') AND "name" NOT LIKE '\\_\\_%'
      ORDER BY array_position(ARRAY['failed', 'retry', 'active', 'created'], "state"::text), "start_after", "id"
      LIMIT ${take}`,
  )
}

/** Returns a job, locked until the transaction ends; null when it does not exist. */
export async function lockJob(tx: Transaction, id: string): Promise<StoredJob | null> {
  const found = await tx.$queryRaw`
    SELECT ${columns}
    FROM "jobs"."job" WHERE "id" = ${id}::uuid FOR UPDATE`
  return rows.parse(found)[0] ?? null
}

/** Whether a job that runs one at a time is queued or running. */
export async function isQueuedOrActive(tx: Transaction, name: string): Promise<boolean> {
  const others: unknown[] = await tx.$queryRaw`
    SELECT 1 FROM "jobs"."job" WHERE "name" = ${name} AND "policy" = 'exclusive' AND "state" <= 'active' LIMIT 1`
  return others.length > 0
}

/** Whether a job of a name runs, or waits for its first attempt. */
export async function isBegun(db: PrismaClient, name: string): Promise<boolean> {
  const begun: unknown[] = await db.$queryRaw`
    SELECT 1 FROM "jobs"."job" WHERE "name" = ${name} AND "state" IN ('created', 'active') LIMIT 1`
  return begun.length > 0
}

/** Returns whether at least `most` jobs of a name wait. */
export async function isQueueFull(db: PrismaClient | Transaction, name: string, most: number): Promise<boolean> {
  const last: unknown[] = await db.$queryRaw`
    SELECT 1 FROM "jobs"."job" WHERE "name" = ${name} AND "state" < 'active' OFFSET ${most - 1}::int LIMIT 1`
  return last.length > 0
}

/** Returns the last started run of each of these jobs and, if that is still running, the last finished one. */
export async function lastRuns(db: PrismaClient, names: readonly string[]): Promise<readonly StoredJob[]> {
  return rows.parse(
    await db.$queryRaw`
      SELECT DISTINCT ON ("name", "state" = 'active') ${columns}
      FROM "jobs"."job"
      WHERE "name" = ANY(${names}) AND "state" IN ('retry', 'active', 'completed', 'failed')
      ORDER BY "name", "state" = 'active', "started_on" DESC`,
  )
}
