import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'

const found = z.array(
  z.object({
    id: z.uuid(),
    username: z.string(),
    displayName: z.string().nullable(),
    pictureHash: z.string().nullable(),
    keepsPhotoDetails: z.boolean(),
  }),
)

/**
 * Adds an image's bytes to its owner's usage, in the transaction that inserts it. This locks the owner, who cannot be deleted
 * until it ends. Returns the owner; null if there is no such user, the user is banned, or the quota is exceeded: one statement
 * decides and counts. `siteQuota` applies to users without their own; null for unlimited.
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
    RETURNING "id"::text, "username", "displayName", "pictureHash", "keepsPhotoDetails"`
  return found.parse(rows)[0] ?? null
}

/** Subtracts the bytes of an image, in the transaction that deletes it, with its object's row locked. */
export async function countOut(tx: Transaction, ownerId: string, size: number): Promise<void> {
  await tx.$executeRaw`UPDATE "User" SET "usedBytes" = "usedBytes" - ${size} WHERE "id" = ${ownerId}::uuid`
}

/** The same for several images. Owners are locked in the order of their ids. */
export async function countOutAll(
  tx: Transaction,
  images: readonly { readonly ownerId: string; readonly size: number }[],
): Promise<void> {
  const sizes = new Map<string, number>()
  for (const { ownerId, size } of images) sizes.set(ownerId, (sizes.get(ownerId) ?? 0) + size)
  for (const ownerId of [...sizes.keys()].sort()) await countOut(tx, ownerId, sizes.get(ownerId) ?? 0)
}

/** Waits for uploads of a user that are being inserted, and prevents further ones until the transaction ends. */
export async function shutOutImages(tx: Transaction, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR UPDATE`
}
