import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { tagKey } from '#server/images/tag-name.ts'

/** The maximum number of tags of an owner, and of an image. */
export const MAX_TAGS = 10_000
export const MAX_TAGS_OF_IMAGE = 100

export interface TagRow {
  readonly id: string
  readonly name: string
}

/** Serializes the changes of an owner's tags until the transaction ends, so that no tag exists twice, is deleted while it is given
 *  to an image, or exceeds a limit. Whoever locks images as well locks those first, and several owners in the order of their IDs. */
export async function lockTags(tx: Transaction, ownerId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${ownerId}, 0))`
}

/** Returns those of an owner's tags that exist, whatever their case. */
export function findTags(tx: Transaction, ownerId: string, names: readonly string[]): Promise<TagRow[]> {
  const where = { ownerId, nameKey: { in: names.map(tagKey) } }
  return tx.tag.findMany({ where, select: { id: true, name: true } })
}

/** Returns an owner's tags of these names, and creates those that do not exist. The caller has locked the tags. */
export async function findOrCreateTags(tx: Transaction, ownerId: string, names: readonly string[]): Promise<TagRow[]> {
  const existing = await findTags(tx, ownerId, names)
  const keys = new Set(existing.map(({ name }) => tagKey(name)))
  const missing = new Map(names.map((name) => [tagKey(name), name] as const).filter(([key]) => !keys.has(key)))
  if (missing.size === 0) return existing
  if ((await tx.tag.count({ where: { ownerId } })) + missing.size > MAX_TAGS)
    throw refuse('too-many-tags', { limit: MAX_TAGS })
  const data = [...missing].map(([nameKey, name]) => ({ ownerId, name, nameKey }))
  return [...existing, ...(await tx.tag.createManyAndReturn({ data, select: { id: true, name: true } }))]
}

const fullRows = z.array(z.object({ id: z.string() }))

/** Returns the images that would have too many tags with these. */
export async function findFull(
  tx: Transaction,
  images: readonly string[],
  tags: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw`
    SELECT "imageId"::text AS "id" FROM "ImageTag"
    WHERE "imageId" = ANY(${images}::uuid[]) AND "tagId" <> ALL(${tags}::uuid[])
    GROUP BY "imageId" HAVING count(*) > ${MAX_TAGS_OF_IMAGE - tags.length}`
  return new Set(fullRows.parse(rows).map(({ id }) => id))
}

const pairs = z.array(z.object({ imageId: z.string(), tagId: z.string() }))

/** An image that was given a tag or has lost it. */
type Pair = z.output<typeof pairs>[number]

/** Gives each image each tag. Returns only those that it did not have. */
export async function insertPairs(
  tx: Transaction,
  images: readonly string[],
  tags: readonly string[],
): Promise<readonly Pair[]> {
  const rows = await tx.$queryRaw`
    INSERT INTO "ImageTag" ("imageId", "tagId")
    SELECT "image"."id", "tag"."id"
    FROM unnest(${images}::uuid[]) AS "image" ("id") CROSS JOIN unnest(${tags}::uuid[]) AS "tag" ("id")
    ON CONFLICT DO NOTHING RETURNING "imageId"::text, "tagId"::text`
  return pairs.parse(rows)
}

/** Takes each tag from each image. Returns only those that it had. */
export async function deletePairs(
  tx: Transaction,
  images: readonly string[],
  tags: readonly string[],
): Promise<readonly Pair[]> {
  const rows = await tx.$queryRaw`
    DELETE FROM "ImageTag" WHERE "imageId" = ANY(${images}::uuid[]) AND "tagId" = ANY(${tags}::uuid[])
    RETURNING "imageId"::text, "tagId"::text`
  return pairs.parse(rows)
}
