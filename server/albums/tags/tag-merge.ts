import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { defineJob } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { lockTags } from './tag-rows.ts'

/** Images that a transaction gives the other tag, each of which changes its entries in the index of terms: about a second for all. */
export const BATCH = 500

/** A merge goes on only as long as the tag has the name that it had. */
const data = z.strictObject({ ownerId: z.uuid(), from: z.uuid(), fromKey: z.string(), to: z.uuid() })
type Merge = Readonly<z.output<typeof data>>

/** Merges a tag of many images. Until then both tags exist, and an attempt does what an earlier one has left. */
export const tagMerge = defineJob({
  name: 'tag-merge',
  data,
  retries: { limit: 20, delaySeconds: 5, delayMaxSeconds: 15 * 60 },
  expireSeconds: 60 * 60,
  heartbeatSeconds: 60,
})

export const workTagMerges = (jobs: JobQueue, db: PrismaClient): Promise<void> =>
  jobs.work(tagMerge, async (merge, { signal }) => {
    let images = 0
    for (;;) {
      signal.throwIfAborted()
      const { given, isOver } = await transact(db, (tx) => mergeSome(tx, merge))
      images += given
      if (isOver) return { images }
    }
  })

/** Merges a tag of few images in the caller's transaction, which has locked the owner's tags. */
export async function mergeAll(tx: Transaction, { from, to }: Pick<Merge, 'from' | 'to'>): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "ImageTag" ("imageId", "tagId")
    SELECT "imageId", ${to}::uuid FROM "ImageTag" WHERE "tagId" = ${from}::uuid ON CONFLICT DO NOTHING`
  await tx.tag.delete({ where: { id: from }, select: { id: true } })
}

const rows = z.array(z.object({ id: z.string() }))

/** Gives the images of a tag the other one too, at most a batch of them; deletes the tag once all have it. */
export async function mergeSome(tx: Transaction, merge: Merge): Promise<{ given: number; isOver: boolean }> {
  const { ownerId, from, to } = merge
  const images = rows.parse(
    await tx.$queryRaw`
      SELECT "id"::text FROM "Image" WHERE "id" IN (
        SELECT "imageId" FROM "ImageTag" AS "old" WHERE "tagId" = ${from}::uuid AND NOT EXISTS (
          SELECT FROM "ImageTag" WHERE "tagId" = ${to}::uuid AND "imageId" = "old"."imageId")
        LIMIT ${BATCH})
      ORDER BY "id" FOR NO KEY UPDATE`,
  )
  await lockTags(tx, ownerId)
  const tags = await tx.tag.findMany({ where: { id: { in: [from, to] } }, select: { id: true, nameKey: true } })
  const isWanted = tags.length === 2 && tags.some(({ id, nameKey }) => id === from && nameKey === merge.fromKey)
  if (!isWanted) return { given: 0, isOver: true }
  const ids = images.map(({ id }) => id)
  // Those that have lost the tag since they were chosen do not get the other one.
  const given = await tx.$executeRaw`
    INSERT INTO "ImageTag" ("imageId", "tagId")
    SELECT "imageId", ${to}::uuid FROM "ImageTag" WHERE "tagId" = ${from}::uuid AND "imageId" = ANY(${ids}::uuid[])
    ON CONFLICT DO NOTHING`
  if (images.length === BATCH || (await hasMore(tx, merge))) return { given, isOver: false }
  await tx.tag.delete({ where: { id: from }, select: { id: true } })
  return { given, isOver: true }
}

const more = z.tuple([z.object({ more: z.boolean() })])

async function hasMore(tx: Transaction, { from, to }: Merge): Promise<boolean> {
  const found = await tx.$queryRaw`
    SELECT EXISTS (SELECT FROM "ImageTag" AS "old" WHERE "tagId" = ${from}::uuid AND NOT EXISTS (
      SELECT FROM "ImageTag" WHERE "tagId" = ${to}::uuid AND "imageId" = "old"."imageId")) AS "more"`
  return more.parse(found)[0].more
}
