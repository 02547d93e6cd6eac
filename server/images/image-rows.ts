import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { afterTransaction } from '#server/database/transact.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type ImageRow, imageColumns, ownColumns } from './image-row.ts'
import { toTitle } from './names.ts'
import { newSlug } from './slug.ts'
import type { Visibility } from './visibility.ts'

// Every statement that writes image rows is in this file, which a test checks, so that in-memory caches of images are notified
// of every change.
//
// An image's row exists only while its bytes do: an upload stores the bytes before it inserts the row (storing/store-image.ts),
// and a removal deletes the bytes after the transaction that deleted the row (storing/object-removal.ts).

/** The IDs of changed images; 'any' when there are too many to list. */
export type ChangedImages = readonly string[] | 'any'
type Listener = (changed: ChangedImages) => void

const listeners = new WeakMap<object, Listener[]>()

/** Calls `listener` whenever this process has changed images in a database: after the change, so that any later look-up
 *  sees it. */
export function hearImageChanges(db: PrismaClient, listener: Listener): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

function notify(tx: Transaction, changed: ChangedImages): void {
  if (changed.length === 0) return
  afterTransaction(tx, (db) => {
    for (const listener of listeners.get(db) ?? []) listener(changed)
  })
}

export function insertImage(
  tx: Transaction,
  data: Prisma.ImageUncheckedCreateInput,
): Promise<Omit<ImageRow, 'object' | 'owner'>> {
  return tx.image.create({ data, select: ownColumns })
}

/** Updates the images that match `where`, and returns them. */
export async function updateImages(
  tx: Transaction,
  where: Prisma.ImageWhereInput,
  data: Prisma.ImageUncheckedUpdateManyInput,
): Promise<readonly ImageRow[]> {
  const rows = await tx.image.updateManyAndReturn({ where, data, select: imageColumns })
  notify(
    tx,
    rows.map(({ id }) => id),
  )
  return rows
}

/** Notifies that the images of an object have got variants, which are in the object's row. */
export async function noteRendered(tx: Transaction, sha256: string): Promise<void> {
  const images = await tx.image.findMany({ where: { sha256 }, select: { id: true } })
  notify(
    tx,
    images.map(({ id }) => id),
  )
}

/** Forgets when and with what a user's images were taken. Returns how many it had for. */
export async function forgetPhotoDetails(tx: Transaction, ownerId: string): Promise<number> {
  const where = { ownerId, OR: [{ takenAt: { not: null } }, { camera: { not: null } }] }
  const { count } = await tx.image.updateMany({ where, data: { takenAt: null, camera: null } })
  if (count > 0) notify(tx, 'any')
  return count
}

/** Details that fill what is empty of an image; null, or '' as description, for none. Instants are in ISO 8601. */
export interface FilledDetails {
  readonly id: string
  readonly title: string | null
  readonly description: string
  readonly createdAt: string | null
  readonly takenAt: string | null
  readonly camera: string | null
}

const filledRows = z.array(z.object({ id: z.string(), hasMoved: z.boolean() }))

/** Fills what is empty of images: titles that are still the file's name, descriptions, dates and cameras. An upload date only moves
 *  back. Returns how many of those did. The caller has locked the images. */
export async function fillDetails(tx: Transaction, details: readonly FilledDetails[]): Promise<number> {
  const ids = details.map(({ id }) => id)
  const before = await tx.image.findMany({
    where: { id: { in: ids } },
    select: { id: true, title: true, filename: true },
  })
  const unnamed = new Set(before.filter(({ title, filename }) => title === toTitle(filename)).map(({ id }) => id))
  const filled = details.map((each) => ({ ...each, title: unnamed.has(each.id) ? each.title : null }))
  const rows = await tx.$queryRaw`
    UPDATE "Image" AS "image" SET
      "title" = COALESCE("new"."title", "image"."title"),
      "description" = CASE "image"."description" WHEN '' THEN "new"."description" ELSE "image"."description" END,
      "createdAt" = LEAST("image"."createdAt", "new"."createdAt"),
      "takenAt" = COALESCE("image"."takenAt", "new"."takenAt"),
      "camera" = COALESCE("image"."camera", "new"."camera")
    FROM json_to_recordset(${JSON.stringify(filled)}::json) AS "new" (
      "id" uuid, "title" text, "description" text, "createdAt" timestamptz(3), "takenAt" timestamptz(3), "camera" text)
    JOIN "Image" AS "old" USING ("id")
    WHERE "image"."id" = "new"."id"
    RETURNING "image"."id"::text, "image"."createdAt" < "old"."createdAt" AS "hasMoved"`
  const changed = filledRows.parse(rows)
  notify(
    tx,
    changed.map(({ id }) => id),
  )
  return changed.filter(({ hasMoved }) => hasMoved).length
}

const replacedRows = z.array(z.object({ id: z.string(), ownerId: z.string() }))

/** Gives the images of an object another one, with its size in pixels and bytes, and returns them. Their addresses stay. */
export async function moveToObject(
  tx: Transaction,
  sha256: string,
  by: Pick<ImageRow, 'sha256' | 'size' | 'width' | 'height'>,
): Promise<z.output<typeof replacedRows>> {
  const rows = await tx.$queryRaw`
    UPDATE "Image" SET
      "sha256" = ${by.sha256}, "size" = ${by.size}, "width" = ${by.width}, "height" = ${by.height},
      "replacedAt" = clock_timestamp()
    WHERE "sha256" = ${sha256}
    RETURNING "id"::text, "ownerId"::text`
  const replaced = replacedRows.parse(rows)
  notify(
    tx,
    replaced.map(({ id }) => id),
  )
  return replaced
}

/** Moves images to the trash at `trashedAt`, except those already there, or restores them if it is null. */
export async function moveImages(tx: Transaction, ids: readonly string[], trashedAt: Date | null): Promise<void> {
  const where = { id: { in: [...ids] }, ...(trashedAt && { trashedAt: null }) }
  await tx.image.updateMany({ where, data: { trashedAt } })
  notify(tx, ids)
}

/** Changes the visibility of images. An image that becomes private gets a new address, so that existing links and
 *  cached answers stop working. */
export async function setVisibility(tx: Transaction, ids: readonly string[], visibility: Visibility): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Image" AS "image" SET
      "visibility" = ${visibility}::"Visibility",
      "slug" = CASE WHEN ${visibility} = 'private' AND "image"."visibility" <> 'private'
        THEN "new"."slug" ELSE "image"."slug" END
    FROM unnest(${ids}::uuid[], ${ids.map(() => newSlug())}::text[]) AS "new" ("id", "slug")
    WHERE "image"."id" = "new"."id"`
  notify(tx, ids)
}

/** Deletes an image that is in the trash, since `before` at the latest if given. Returns whether it did. */
export async function deleteTrashedImage(tx: Transaction, id: string, before: Date | null): Promise<boolean> {
  const { count } = await tx.image.deleteMany({ where: { id, trashedAt: before ? { lte: before } : { not: null } } })
  if (count > 0) notify(tx, [id])
  return count > 0
}

const deletedRows = z.array(z.object({ id: z.string(), ownerId: z.string(), size: z.number() }))

/** Deletes those of several images that are in the trash, or belong to the owner if one is given; locks them in the
 *  order of their IDs. */
export async function deleteImages(
  tx: Transaction,
  ids: readonly string[],
  ownerId: string | null,
): Promise<z.output<typeof deletedRows>> {
  const rows = await tx.$queryRaw`
    DELETE FROM "Image" WHERE "id" IN (
      SELECT "id" FROM "Image"
      WHERE "id" = ANY(${ids}::uuid[]) AND ("trashedAt" IS NOT NULL OR "ownerId" = ${ownerId}::uuid)
      ORDER BY "id" FOR UPDATE)
    RETURNING "id"::text, "ownerId"::text, "size"`
  notify(tx, ids)
  return deletedRows.parse(rows)
}

const hashes = z.array(z.object({ sha256: z.string() }))

/** Deletes all images of a user, and subtracts them from the counts. Marks the objects that no other image uses, and
 *  returns their hashes. One statement, because its parts see the same rows, so the deleted rows are still visible to
 *  NOT EXISTS. */
export async function deleteUserImages(tx: Transaction, userId: string): Promise<string[]> {
  const rows = await tx.$queryRaw`
    WITH "gone" AS (DELETE FROM "Image" WHERE "ownerId" = ${userId}::uuid RETURNING "sha256"),
    "freed" AS (UPDATE "User" SET "usedBytes" = 0 WHERE "id" = ${userId}::uuid)
    UPDATE "StoredObject" AS "object" SET "state" = 'deleting' FROM "gone"
    WHERE "object"."sha256" = "gone"."sha256" AND NOT EXISTS (
      SELECT 1 FROM "Image" WHERE "Image"."sha256" = "object"."sha256" AND "Image"."ownerId" <> ${userId}::uuid)
    RETURNING "object"."sha256"`
  notify(tx, 'any')
  return hashes.parse(rows).map(({ sha256 }) => sha256)
}
