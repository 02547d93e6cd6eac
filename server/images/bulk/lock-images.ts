import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { Protected } from '#server/images/access.ts'

const lockedRows = z.array(
  z.object({
    id: z.string(),
    ownerId: z.string(),
    visibility: z.enum(['private', 'link', 'public']),
    trashedAt: z.date().nullable(),
  }),
)

type Images = ReadonlyMap<string, Protected>

/** Returns the columns that access depends on, by image ID. */
export async function findProtected(db: PrismaClient, ids: readonly string[]): Promise<Images> {
  const select = { id: true, ownerId: true, visibility: true, trashedAt: true } as const
  return byId(await db.image.findMany({ where: { id: { in: [...ids] } }, select }))
}

/** The same for the images that still exist, locked until the transaction ends. Locked in the order of IDs, so that concurrent
 *  calls wait for each other instead of deadlocking. */
export async function lockImages(tx: Transaction, ids: readonly string[]): Promise<Images> {
  const rows = await tx.$queryRaw`
    SELECT "id"::text, "ownerId"::text, "visibility"::text, "trashedAt" FROM "Image"
    WHERE "id" = ANY(${ids}::uuid[]) ORDER BY "id" FOR UPDATE`
  return byId(lockedRows.parse(rows))
}

const byId = (rows: readonly (Protected & { readonly id: string })[]): Images =>
  new Map(rows.map((row) => [row.id, row]))
