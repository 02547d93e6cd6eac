import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { monthBounds } from './bill/month.ts'

const count = z.number()
const spending = { writes: count, reads: count, deletes: count, bytesIn: count, bytesOut: count, nanos: count }

const spendingOfDay = z.object({ day: z.iso.date(), ...spending })
const servedOnDay = z.object({ day: z.iso.date(), calls: count, sent: count })
const procedureUsage = z.object({
  procedure: z.string(),
  ...spending,
  sent: count,
  /** Calls of a route that sends images; requests to the store of everything else. */
  requests: count,
  /** Nanos and `requests` by day, from the first of the month. */
  days: z.array(count),
  requestDays: z.array(count),
})
const subjectUsage = z.object({
  subject: z.string(),
  writes: count,
  reads: count,
  bytesOut: count,
  sent: count,
  nanos: count,
})
const imageUsage = z.object({
  /** Null for a deleted image and for the row that sums up all the images not kept individually. */
  id: z.string().nullable(),
  slug: z.string().nullable(),
  mime: z.string().nullable(),
  title: z.string().nullable(),
  owner: z.string().nullable(),
  sha256: z.string(),
  reads: count,
  bytesOut: count,
  sent: count,
  nanos: count,
})

/** A day's requests to the bucket, including open leases. */
export type SpendingOfDay = Readonly<z.output<typeof spendingOfDay>>
/** The images that clients were sent on a day, from a cache or not. */
export type ServedOnDay = Readonly<z.output<typeof servedOnDay>>
export type ProcedureUsage = Readonly<z.output<typeof procedureUsage>>
export type SubjectUsage = Readonly<z.output<typeof subjectUsage>>
/** Images with the same bytes share one row, under the oldest of them. */
export type ImageUsage = Readonly<z.output<typeof imageUsage>>

export interface UsageReport {
  readonly days: readonly SpendingOfDay[]
  readonly served: readonly ServedOnDay[]
  readonly procedures: readonly ProcedureUsage[]
  readonly subjects: readonly SubjectUsage[]
  readonly images: readonly ImageUsage[]
}

const TOP = 20

/** Returns what a month (`YYYY-MM`) has cost by day, procedure, subject and image. */
export async function readUsage(db: PrismaClient, month: string): Promise<UsageReport> {
  const { first, next } = monthBounds(month)
  return {
    days: await readSpendingDays(db, first, next),
    served: await readServedDays(db, first, next),
    procedures: await readProcedureUsage(db, first, next),
    subjects: await readSubjectUsage(db, first, next),
    images: await readImageUsage(db, first, next),
  }
}

/** Returns the spending of each day from `first` up to but not including `next`, in order. */
export async function readSpendingDays(db: PrismaClient, first: string, next: string): Promise<SpendingOfDay[]> {
  const rows = await db.$queryRaw`
    SELECT to_char("start", 'YYYY-MM-DD') AS "day", "writes"::float8, "reads"::float8, "deletes"::float8,
      "bytesIn"::float8, "bytesOut"::float8, "nanos"::float8
    FROM "Spending" WHERE "period" = 'day' AND "start" >= ${first}::date AND "start" < ${next}::date ORDER BY "start"`
  return z.array(spendingOfDay).parse(rows)
}

async function readServedDays(db: PrismaClient, first: string, next: string): Promise<ServedOnDay[]> {
  const rows = await db.$queryRaw`
    SELECT to_char("day", 'YYYY-MM-DD') AS "day", SUM("calls")::float8 AS "calls", SUM("sent")::float8 AS "sent"
    FROM "UsageDay" WHERE "day" >= ${first}::date AND "day" < ${next}::date
    GROUP BY "UsageDay"."day" HAVING SUM("calls") > 0 ORDER BY "UsageDay"."day"`
  return z.array(servedOnDay).parse(rows)
}

async function readProcedureUsage(db: PrismaClient, first: string, next: string): Promise<ProcedureUsage[]> {
  const rows = await db.$queryRaw`
    WITH "byDay" AS (
      SELECT "procedure", "day", SUM("writes") AS "writes", SUM("reads") AS "reads", SUM("deletes") AS "deletes",
        SUM("bytesIn") AS "bytesIn", SUM("bytesOut") AS "bytesOut", SUM("nanos") AS "nanos", SUM("sent") AS "sent",
        CASE WHEN SUM("calls") > 0 THEN SUM("calls") ELSE SUM("writes" + "reads" + "deletes") END AS "requests"
      FROM "UsageDay" WHERE "day" >= ${first}::date AND "day" < ${next}::date GROUP BY "procedure", "day"
    ),
    "every" AS (
      SELECT "procedures"."procedure", "days"."day"::date AS "day"
      FROM (SELECT DISTINCT "procedure" FROM "byDay") AS "procedures",
        generate_series(${first}::date, ${next}::date - 1, interval '1 day') AS "days" ("day")
    )
    SELECT "procedure", SUM("writes")::float8 AS "writes", SUM("reads")::float8 AS "reads",
      SUM("deletes")::float8 AS "deletes", SUM("bytesIn")::float8 AS "bytesIn", SUM("bytesOut")::float8 AS "bytesOut",
      SUM("nanos")::float8 AS "nanos", SUM("sent")::float8 AS "sent", SUM("requests")::float8 AS "requests",
      json_agg(COALESCE("nanos", 0) ORDER BY "day") AS "days",
      json_agg(COALESCE("requests", 0) ORDER BY "day") AS "requestDays"
    FROM "every" LEFT JOIN "byDay" USING ("procedure", "day")
    GROUP BY "procedure" ORDER BY SUM("nanos") DESC, SUM("sent") DESC, "procedure"`
  return z.array(procedureUsage).parse(rows)
}

async function readSubjectUsage(db: PrismaClient, first: string, next: string): Promise<SubjectUsage[]> {
  const rows = await db.$queryRaw`
    SELECT "subject", SUM("writes")::float8 AS "writes", SUM("reads")::float8 AS "reads", SUM("bytesOut")::float8 AS "bytesOut",
      SUM("sent")::float8 AS "sent", SUM("nanos")::float8 AS "nanos"
    FROM "UsageDay" WHERE "day" >= ${first}::date AND "day" < ${next}::date
    GROUP BY "subject" ORDER BY SUM("nanos") DESC, SUM("sent") DESC, "subject" LIMIT ${TOP}::int`
  return z.array(subjectUsage).parse(rows)
}

async function readImageUsage(db: PrismaClient, first: string, next: string): Promise<ImageUsage[]> {
  const rows = await db.$queryRaw`
    WITH "dearest" AS (
      SELECT "sha256", SUM("reads")::float8 AS "reads", SUM("bytesOut")::float8 AS "bytesOut",
        SUM("sent")::float8 AS "sent", SUM("nanos")::float8 AS "nanos"
      FROM "ObjectUsageDay" WHERE "day" >= ${first}::date AND "day" < ${next}::date
      GROUP BY "sha256" ORDER BY SUM("nanos") DESC, SUM("sent") DESC, "sha256" LIMIT ${TOP}::int
    )
    SELECT "image"."id", "image"."slug", "image"."mime", "image"."title", "image"."owner", "dearest".* FROM "dearest" LEFT JOIN LATERAL (
      SELECT "Image"."id"::text, "slug", "mime", "title", "username" AS "owner"
      FROM "Image" JOIN "User" ON "User"."id" = "ownerId"
      WHERE "Image"."sha256" = "dearest"."sha256" ORDER BY "Image"."createdAt", "Image"."id" LIMIT 1
    ) AS "image" ON true
    ORDER BY "dearest"."nanos" DESC, "dearest"."sent" DESC, "dearest"."sha256"`
  return z.array(imageUsage).parse(rows)
}
