import { randomBytes } from 'node:crypto'
import type { PrismaClient } from '#server/database/database.ts'
import { newSlug } from '#server/images/slug.ts'

export interface ImageSpec {
  readonly owner: 'self' | 'other'
  readonly visibility: 'private' | 'link' | 'public'
  readonly trashed: boolean
  /** Another user has the same bytes. */
  readonly twin: boolean
}

/** The owners of the images: `third` has the twins. */
export interface Owners {
  readonly self: string
  readonly other: string
  readonly third: string
}

/** Inserts images into the database, without bytes but counted in their owners' usage. Returns their ids in order. */
export async function insertImages(
  db: PrismaClient,
  owners: Owners,
  specs: readonly ImageSpec[],
): Promise<readonly string[]> {
  const made = specs.map((spec, index) => {
    const sha256 = randomBytes(32).toString('hex')
    const row = { sha256, mime: 'image/png', width: 1, height: 1, size: index + 1, filename: 'a.png', title: 'a' }
    const trashedAt = spec.trashed ? new Date(index) : null
    const own = { ...row, id: crypto.randomUUID(), ownerId: owners[spec.owner], slug: newSlug(), trashedAt }
    return {
      own: { ...own, visibility: spec.visibility },
      twin: { ...row, ownerId: owners.third, slug: newSlug() },
      spec,
    }
  })
  await db.storedObject.createMany({ data: made.map(({ own: { sha256, size } }) => ({ sha256, size })) })
  await db.image.createMany({ data: made.flatMap(({ own, twin, spec }) => (spec.twin ? [own, twin] : [own])) })
  await db.$executeRaw`
    UPDATE "User" SET "usedBytes" = COALESCE((SELECT sum("size") FROM "Image" WHERE "ownerId" = "User"."id"), 0)`
  return made.map(({ own }) => own.id)
}
