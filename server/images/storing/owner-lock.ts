import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'

const found = z.array(z.object({ id: z.uuid(), username: z.string() }))

/**
 * Counts the bytes of an image that comes in, in the transaction that inserts it, and so keeps its owner from being
 * deleted until that has ended. Answers the owner; null when there is no such user, or one who is banned, or no room: one
 * statement decides and counts. `siteQuota` holds for whom no quota of their own is set; null is none.
 */
export async function countIn(
  tx: Transaction,
  ownerId: string,
  size: number,
  siteQuota: number | null,
): Promise<z.infer<typeof found>[number] | null> {
  const rows = await tx.$queryRaw`
    UPDATE "User" SET "usedBytes" = "usedBytes" + ${size}
    WHERE "id" = ${ownerId}::uuid AND "bannedAt" IS NULL
      AND ("usedBytes" + ${size} > COALESCE("quotaBytes", ${siteQuota}::bigint)) IS NOT TRUE
    RETURNING "id"::text, "username"`
  return found.parse(rows)[0] ?? null
}

/** Counts the bytes of an image that goes, in the transaction that deletes it, its object's row locked. */
export async function countOut(tx: Transaction, ownerId: string, size: number): Promise<void> {
  await tx.$executeRaw`UPDATE "User" SET "usedBytes" = "usedBytes" - ${size} WHERE "id" = ${ownerId}::uuid`
}

/** The same of several images; their owners are locked in the order of their ids. */
export async function countOutAll(
  tx: Transaction,
  images: readonly { readonly ownerId: string; readonly size: number }[],
): Promise<void> {
  const sizes = new Map<string, number>()
  for (const { ownerId, size } of images) sizes.set(ownerId, (sizes.get(ownerId) ?? 0) + size)
  for (const ownerId of [...sizes.keys()].sort()) await countOut(tx, ownerId, sizes.get(ownerId) ?? 0)
}

/** Keeps images of a user from coming in until the transaction ends, once those that are coming in are there. */
export async function shutOutImages(tx: Transaction, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR UPDATE`
}
