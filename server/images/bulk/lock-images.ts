import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { AuditedImage } from '#server/images/audit-images.ts'

const lockedRows = z.array(
  z.object({
    id: z.string(),
    ownerId: z.string(),
    visibility: z.enum(['private', 'link', 'public']),
    trashedAt: z.date().nullable(),
    title: z.string(),
  }),
)

type Images = ReadonlyMap<string, AuditedImage>

/** Returns the columns that access and audit entries depend on, by image ID. */
export async function findProtected(db: PrismaClient, ids: readonly string[]): Promise<Images> {
  const select = { id: true, ownerId: true, visibility: true, trashedAt: true, title: true } as const
  return byId(await db.image.findMany({ where: { id: { in: [...ids] } }, select }))
}

/** The same for the images that still exist, locked until the transaction ends. Locked in the order of IDs, so that concurrent
 *  calls wait for each other instead of deadlocking. */
export async function lockImages(tx: Transaction, ids: readonly string[]): Promise<Images> {
  const rows = await tx.$queryRaw`
    SELECT "id"::text, "ownerId"::text, "visibility"::text, "trashedAt", "title" FROM "Image"
    WHERE "id" = ANY(${ids}::uuid[]) ORDER BY "id" FOR UPDATE`
  return byId(lockedRows.parse(rows))
}

const byId = (rows: readonly AuditedImage[]): Images => new Map(rows.map((row) => [row.id, row]))
