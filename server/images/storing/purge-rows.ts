import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { Conflict } from '#server/database/transact.ts'
import { deleteImages, deleteTrashedImage, deleteUserImages } from '#server/images/image-rows.ts'
import { lockExistingObject } from './object-lock.ts'
import { countOut, countOutAll, shutOutImages } from './owner-lock.ts'

const hashes = z.array(z.object({ sha256: z.string() }))

/**
 * Deletes the row of an image that has been in the trash since `before` or earlier. If it was the last image of its object,
 * marks the object for `removeObject`. Returns false if the image is no longer in the trash.
 */
export async function purgeRow(
  tx: Transaction,
  image: { readonly id: string; readonly sha256: string },
  before: Date | null = null,
): Promise<boolean> {
  const { id, sha256 } = image
  await lockExistingObject(tx, sha256)
  const trashedAt = before ? { lte: before } : { not: null }
  const found = await tx.image.findFirst({ where: { id, trashedAt }, select: { ownerId: true, size: true } })
  if (!found) return false
  // No restore can happen in between: it would have to wait for the lock on this row.
  if (!(await deleteTrashedImage(tx, id, before))) return false
  await countOut(tx, found.ownerId, found.size)
  await markUnneeded(tx, sha256)
  return true
}

interface Purged {
  readonly purged: readonly string[]
  /** The objects that were marked. */
  readonly unneeded: readonly string[]
}

/**
 * The same for several images: those in the trash, or all of the owner's if one is given. Locks rows in the common order, each
 * kind by its key: objects, images, users.
 */
export async function purgeRows(
  tx: Transaction,
  ids: readonly string[],
  ownerId: string | null = null,
): Promise<Purged> {
  const sha256s = hashes.parse(
    await tx.$queryRaw`
    SELECT "sha256" FROM "StoredObject"
    WHERE "sha256" IN (SELECT "sha256" FROM "Image" WHERE "id" = ANY(${ids}::uuid[])) ORDER BY "sha256" FOR UPDATE`,
  )
  const gone = await deleteImages(tx, ids, ownerId)
  await countOutAll(tx, gone)
  // Prisma's own condition for "no images" would read the images of all objects.
  const marked = hashes.parse(
    await tx.$queryRaw`
    UPDATE "StoredObject" AS "object" SET "state" = 'deleting'
    WHERE "sha256" = ANY(${sha256s.map(({ sha256 }) => sha256)}::text[]) AND "state" = 'live'
      AND NOT EXISTS (SELECT 1 FROM "Image" WHERE "Image"."sha256" = "object"."sha256")
    RETURNING "sha256"`,
  )
  return { purged: gone.map(({ id }) => id), unneeded: marked.map(({ sha256 }) => sha256) }
}

/** The same for this many images of a user, in the trash or not. */
export async function purgeSomeUserRows(tx: Transaction, userId: string, most: number): Promise<Purged> {
  const where = { ownerId: userId }
  const some = await tx.image.findMany({ where, orderBy: { sha256: 'asc' }, take: most, select: { id: true } })
  return some.length === 0
    ? { purged: [], unneeded: [] }
    : purgeRows(
        tx,
        some.map(({ id }) => id),
        userId,
      )
}

/** Marks an object, whose row an earlier statement has locked, unless an image uses it. Returns whether it did. */
export async function markUnneeded(tx: Transaction, sha256: string): Promise<boolean> {
  const { count } = await tx.storedObject.updateMany({
    where: { sha256, state: 'live', images: { none: {} } },
    data: { state: 'deleting' },
  })
  return count > 0
}

/** Images that have been in the trash since `before` or earlier, the oldest first. */
export function imagesDue(db: PrismaClient, before: Date, take: number): Promise<{ id: string; sha256: string }[]> {
  const where = { trashedAt: { lte: before } }
  return db.image.findMany({ where, orderBy: { trashedAt: 'asc' }, take, select: { id: true, sha256: true } })
}

/** Locks the objects of all images of a user and returns their hashes. Must precede the lock on the user. */
export async function lockUserObjects(tx: Transaction, userId: string): Promise<readonly string[]> {
  const rows = await tx.$queryRaw`
    SELECT "sha256" FROM "StoredObject"
    WHERE "sha256" IN (SELECT "sha256" FROM "Image" WHERE "ownerId" = ${userId}::uuid)
    ORDER BY "sha256" FOR UPDATE`
  return hashes.parse(rows).map(({ sha256 }) => sha256)
}

/**
 * Deletes the rows of all images of a user, in the trash or not. Marks the objects that no other image uses, and returns them.
 * `locked` is the result of `lockUserObjects`. Throws Conflict, so that the transaction is retried, if images were added since.
 */
export async function purgeUserRows(tx: Transaction, userId: string, locked: readonly string[]): Promise<string[]> {
  await shutOutImages(tx, userId)
  const others = await tx.$queryRaw`
    SELECT "sha256" FROM "Image"
    WHERE "ownerId" = ${userId}::uuid AND NOT ("sha256" = ANY(${locked}::text[])) LIMIT 1`
  if (hashes.parse(others).length > 0) throw new Conflict('Images of the user are coming in')
  return deleteUserImages(tx, userId)
}
