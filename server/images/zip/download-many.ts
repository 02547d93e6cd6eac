import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { mayRead } from '#server/images/access.ts'
import { imageIds, MAX_IMAGES } from '#server/images/bulk/ids.ts'
import { bulk } from '#server/images/bulk/limits.ts'
import { notFound } from '#server/images/find-image.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { toLinkHolder } from '../links/download-link.ts'
import { refuseIfLimited } from './refuse-if-limited.ts'

/** The maximum size of a zip's images: half of what a subject may receive in an hour, so that an interrupted download can be
 *  repeated. */
const MAX_ZIP_BYTES = 10 * 1024 ** 3

/** Without `ids`: all of the viewer's images except the trash. */
const input = z.strictObject({ ids: imageIds.optional() })

/**
 * Returns a link that downloads images as one zip. It is valid for 15 minutes, as long as the session or token that created
 * it is valid. Only the call is charged here; the zip is charged when it is sent, as if each image were downloaded. If that
 * would be refused now, the call is refused.
 */
export const downloadMany = userProcedure
  .meta({ limits: [bulk], scope: 'read', audit: { none: 'it changes nothing' } })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { config, db, images } = ctx.app
    const found = await findImages(db, ctx.viewer, input.ids)
    const ids = input.ids ?? [...found.keys()]
    if (ids.length > MAX_IMAGES) throw refuse('too-many-for-zip', { limit: MAX_IMAGES })
    const bytes = [...found.values()].reduce((sum, size) => sum + size, 0)
    if (bytes > MAX_ZIP_BYTES) {
      const size = { bytes, beside: MAX_ZIP_BYTES }
      throw refuse('too-large-for-zip', { size, limit: { bytes: MAX_ZIP_BYTES, beside: bytes } })
    }
    const holder = toLinkHolder(ctx.viewer)
    if (found.size === 0 || !holder) throw notFound()
    await refuseIfLimited(ctx, found.size)
    const { link, expiresAt } = images.zipLinks.seal({ holder, ids: ids.filter((id) => found.has(id)) })
    const items = ids.map((id) => ({ id, outcome: found.has(id) ? ('done' as const) : ('not-found' as const) }))
    return { url: `${config.origin}/api/zip?link=${link}`, expiresAt: expiresAt.toISOString(), bytes, items }
  })

/** Returns the sizes of the images that the viewer may read, by ID. */
async function findImages(
  db: PrismaClient,
  viewer: Viewer,
  ids: readonly string[] | undefined,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.image.findMany({
    where: ids ? { id: { in: [...ids] } } : { ownerId: viewer.userId, trashedAt: null },
    select: { id: true, size: true, ownerId: true, visibility: true, trashedAt: true },
    ...(!ids && { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: MAX_IMAGES + 1 }),
  })
  return new Map(rows.flatMap((row) => (mayRead(viewer, row) ? [[row.id, row.size] as const] : [])))
}
