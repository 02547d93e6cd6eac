import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { daysBefore } from '../bill/month.ts'
import { addImageUsage, type ImageUsageRow } from './image-usage-rows.ts'
import { OTHERS } from './others.ts'

/** What a subject has used through a procedure on a day. */
export interface UsageRow {
  readonly day: string
  readonly procedure: string
  readonly subject: string
  writes: number
  reads: number
  deletes: number
  bytesIn: number
  bytesOut: number
  nanos: number
  calls: number
  sent: number
}

/** What an object has cost on a day. */
export interface ObjectRow {
  readonly day: string
  readonly sha256: string
  reads: number
  bytesOut: number
  nanos: number
  sent: number
}

/** Rows kept individually for a past day: those that cost most or sent most. */
const KEPT = 1_000
/** With this many rows, a day adds no new subjects, hashes or images: a client can change its address without end. */
const MAX_NAMED = 50_000
/** Days after which no subject or hash is kept individually. */
const NAMED_DAYS = 92

const intoUsage = Prisma.sql`
    INSERT INTO "UsageDay" AS "row" ("day", "procedure", "subject", "writes", "reads", "deletes", "bytesIn", "bytesOut",
      "nanos", "calls", "sent")`
const addUsage = Prisma.sql`
    ON CONFLICT ("day", "procedure", "subject") DO UPDATE SET
      "writes" = "row"."writes" + EXCLUDED."writes", "reads" = "row"."reads" + EXCLUDED."reads",
      "deletes" = "row"."deletes" + EXCLUDED."deletes", "bytesIn" = "row"."bytesIn" + EXCLUDED."bytesIn",
      "bytesOut" = "row"."bytesOut" + EXCLUDED."bytesOut", "nanos" = "row"."nanos" + EXCLUDED."nanos",
      "calls" = "row"."calls" + EXCLUDED."calls", "sent" = "row"."sent" + EXCLUDED."sent"`

const intoObjects = Prisma.sql`
    INSERT INTO "ObjectUsageDay" AS "row" ("day", "sha256", "reads", "bytesOut", "nanos", "sent")`
const addObjects = Prisma.sql`
    ON CONFLICT ("day", "sha256") DO UPDATE SET
      "reads" = "row"."reads" + EXCLUDED."reads", "bytesOut" = "row"."bytesOut" + EXCLUDED."bytesOut",
      "nanos" = "row"."nanos" + EXCLUDED."nanos", "sent" = "row"."sent" + EXCLUDED."sent"`

/** Days that have MAX_NAMED rows or more, by table. */
export interface FullDays {
  readonly ofSubjects: readonly string[]
  readonly ofObjects: readonly string[]
  readonly ofImages: readonly string[]
}

/** What is written in one transaction. */
export interface UsageBatch {
  readonly rows: readonly UsageRow[]
  readonly objects: readonly ObjectRow[]
  readonly images: readonly ImageUsageRow[]
}

export async function fullDays(db: PrismaClient, days: readonly string[], most = MAX_NAMED): Promise<FullDays> {
  const full: ({ day: string } & Record<keyof FullDays, boolean>)[] = await db.$queryRaw`
    SELECT "day", (SELECT COUNT(*) FROM (
      SELECT FROM "UsageDay" AS "row" WHERE "row"."day" = "asked"."day"::date LIMIT ${most}::int
    ) AS "counted") >= ${most}::int AS "ofSubjects", (SELECT COUNT(*) FROM (
      SELECT FROM "ObjectUsageDay" AS "row" WHERE "row"."day" = "asked"."day"::date LIMIT ${most}::int
    ) AS "counted") >= ${most}::int AS "ofObjects", (SELECT COUNT(*) FROM (
      SELECT FROM "ImageUsageDay" AS "row" WHERE "row"."day" = "asked"."day"::date LIMIT ${most}::int
    ) AS "counted") >= ${most}::int AS "ofImages"
    FROM unnest(${days}::text[]) AS "asked" ("day")`
  const daysWithFull = (which: keyof FullDays) => full.filter((each) => each[which]).map(({ day }) => day)
  return {
    ofSubjects: daysWithFull('ofSubjects'),
    ofObjects: daysWithFull('ofObjects'),
    ofImages: daysWithFull('ofImages'),
  }
}

/** Adds usage to the stored rows in one transaction. Rows are locked in one order, so that concurrent processes wait for
 *  each other instead of deadlocking. On a `full` day, what has no row yet is added to OTHERS. */
export async function writeUsage(
  db: PrismaClient,
  { rows, objects, images }: UsageBatch,
  full: FullDays = { ofSubjects: [], ofObjects: [], ofImages: [] },
): Promise<void> {
  const usage = db.$executeRaw`
    ${intoUsage}
    SELECT "day", "procedure", "name", SUM("writes"), SUM("reads"), SUM("deletes"), SUM("bytesIn"), SUM("bytesOut"),
      SUM("nanos"), SUM("calls"), SUM("sent")
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS "new" (
      "day" date, "procedure" text, "subject" text, "writes" bigint, "reads" bigint, "deletes" bigint,
      "bytesIn" bigint, "bytesOut" bigint, "nanos" bigint, "calls" bigint, "sent" bigint
    ), LATERAL (
      SELECT CASE WHEN "day"::text = ANY(${full.ofSubjects}::text[]) AND "subject" <> 'site' AND NOT EXISTS (
        SELECT FROM "UsageDay" AS "old"
        WHERE ("old"."day", "old"."procedure", "old"."subject") = ("new"."day", "new"."procedure", "new"."subject")
      ) THEN ${OTHERS} ELSE "subject" END AS "name"
    ) AS "named"
    GROUP BY "day", "procedure", "name" ORDER BY "day", "procedure", "name"
    ${addUsage}`
  const ofObjects = db.$executeRaw`
    ${intoObjects}
    SELECT "day", "name", SUM("reads"), SUM("bytesOut"), SUM("nanos"), SUM("sent")
    FROM jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) AS "new" (
      "day" date, "sha256" text, "reads" bigint, "bytesOut" bigint, "nanos" bigint, "sent" bigint
    ), LATERAL (
      SELECT CASE WHEN "day"::text = ANY(${full.ofObjects}::text[]) AND NOT EXISTS (
        SELECT FROM "ObjectUsageDay" AS "old" WHERE ("old"."day", "old"."sha256") = ("new"."day", "new"."sha256")
      ) THEN ${OTHERS} ELSE "sha256" END AS "name"
    ) AS "named"
    GROUP BY "day", "name" ORDER BY "day", "name"
    ${addObjects}`
  await db.$transaction([usage, ofObjects, addImageUsage(db, images, full.ofImages)])
}

const folded = z.tuple([z.object({ rows: z.int() })])

/**
 * Folds rows into OTHERS: for days before `today` all but the `kept` largest, and after 92 days all. Deleting and adding
 * are one statement, so that any process may run it, and several at once. Returns the number of rows folded.
 */
export async function foldUsage(db: PrismaClient, today: string, kept = KEPT): Promise<number> {
  const named = daysBefore(today, NAMED_DAYS)
  const ofSubjects = await db.$queryRaw`
    WITH "ranked" AS (
      SELECT "day", "procedure", "subject",
        row_number() OVER (PARTITION BY "day" ORDER BY "nanos" DESC, "sent" DESC, "subject", "procedure") AS "rank"
      FROM "UsageDay" WHERE "day" < ${today}::date AND "subject" NOT IN (${OTHERS}, 'site')
    ),
    "gone" AS (
      DELETE FROM "UsageDay" AS "row" USING "ranked"
      WHERE "row"."day" = "ranked"."day" AND "row"."procedure" = "ranked"."procedure"
        AND "row"."subject" = "ranked"."subject" AND ("rank" > ${kept}::int OR "row"."day" < ${named}::date)
      RETURNING "row".*
    ),
    "added" AS (
      ${intoUsage}
      SELECT "day", "procedure", ${OTHERS}, SUM("writes"), SUM("reads"), SUM("deletes"), SUM("bytesIn"), SUM("bytesOut"),
        SUM("nanos"), SUM("calls"), SUM("sent")
      FROM "gone" GROUP BY "day", "procedure" ORDER BY "day", "procedure"
      ${addUsage}
    )
    SELECT COUNT(*)::int AS "rows" FROM "gone"`
  const ofObjects = await db.$queryRaw`
    WITH "ranked" AS (
      SELECT "day", "sha256",
        row_number() OVER (PARTITION BY "day" ORDER BY "nanos" DESC, "sent" DESC, "sha256") AS "rank"
      FROM "ObjectUsageDay" WHERE "day" < ${today}::date AND "sha256" <> ${OTHERS}
    ),
    "gone" AS (
      DELETE FROM "ObjectUsageDay" AS "row" USING "ranked"
      WHERE "row"."day" = "ranked"."day" AND "row"."sha256" = "ranked"."sha256"
        AND ("rank" > ${kept}::int OR "row"."day" < ${named}::date)
      RETURNING "row".*
    ),
    "added" AS (
      ${intoObjects}
      SELECT "day", ${OTHERS}, SUM("reads"), SUM("bytesOut"), SUM("nanos"), SUM("sent") FROM "gone"
      GROUP BY "day" ORDER BY "day"
      ${addObjects}
    )
    SELECT COUNT(*)::int AS "rows" FROM "gone"`
  return folded.parse(ofSubjects)[0].rows + folded.parse(ofObjects)[0].rows
}
