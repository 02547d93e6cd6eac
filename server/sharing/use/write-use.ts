import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { WebhookEvent } from '#server/webhooks/events.ts'
import type { ReachedLimit, UseRow } from './use-book.ts'
import { mergeSketches } from './visitor-sketch.ts'

/** Shares written per transaction: the embedded database answers nothing else during it. */
const TOGETHER = 25

const stored = z.array(
  z.object({
    visitors: z.instanceof(Uint8Array),
    nearAt: z.date().nullable(),
    spentAt: z.date().nullable(),
    ownerId: z.string(),
    username: z.string(),
  }),
)

/** Tells of an event, in the transaction in which it happens. */
export type Announce = (tx: Transaction, event: WebhookEvent) => Promise<void>

/** Adds to the days of shares, and announces share.near and share.spent once a day for each share. A share that is gone is left out. */
export async function writeUse(
  { db, announce }: { readonly db: PrismaClient; readonly announce: Announce },
  rows: readonly UseRow[],
): Promise<void> {
  // In one order, so that processes wait for each other and do not lock each other out.
  const sorted = rows.toSorted((a, b) => (a.shareId < b.shareId ? -1 : 1))
  for (let at = 0; at < sorted.length; at += TOGETHER) {
    await transact(db, async (tx) => {
      for (const row of sorted.slice(at, at + TOGETHER)) await writeRow(tx, announce, row)
    })
  }
}

async function writeRow(tx: Transaction, announce: Announce, row: UseRow): Promise<void> {
  const { shareId, day, requests, bytes, refused, near, spent } = row
  await tx.$executeRaw`
    INSERT INTO "ShareDay" ("shareId", "day", "visitors")
    SELECT "id", ${day}::date, ''::bytea FROM "Share" WHERE "id" = ${shareId}::uuid FOR KEY SHARE
    ON CONFLICT DO NOTHING`
  const found = await tx.$queryRaw`
    SELECT d."visitors", d."nearAt", d."spentAt", s."ownerId"::text, u."username"
    FROM "ShareDay" d JOIN "Share" s ON s."id" = d."shareId" JOIN "User" u ON u."id" = s."ownerId"
    WHERE d."shareId" = ${shareId}::uuid AND d."day" = ${day}::date FOR UPDATE OF d`
  const [before] = stored.parse(found)
  if (!before) return
  const now = new Date()
  const news = [
    ...(near && !before.nearAt ? [{ type: 'share.near', reached: near } as const] : []),
    ...(spent && !before.spentAt ? [{ type: 'share.spent', reached: spent } as const] : []),
  ]
  const visitors = Buffer.from(mergeSketches(before.visitors, row.visitors))
  await tx.$executeRaw`
    UPDATE "ShareDay" SET "requests" = "requests" + ${requests}::bigint, "bytes" = "bytes" + ${bytes}::bigint,
      "refused" = "refused" + ${refused}::bigint, "visitors" = ${visitors},
      "nearAt" = COALESCE("nearAt", ${near && now}), "spentAt" = COALESCE("spentAt", ${spent && now})
    WHERE "shareId" = ${shareId}::uuid AND "day" = ${day}::date`
  for (const { type, reached } of news)
    await announce(tx, { type, timestamp: now.toISOString(), data: toData(shareId, before, reached) })
}

interface Owner {
  readonly ownerId: string
  readonly username: string
}

const toData = (id: string, { ownerId, username }: Owner, { name, limit, used }: ReachedLimit) => ({
  ...{ id, owner: { id: ownerId, username } },
  ...{ limit: name, amount: limit, used },
})
