import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isPasswordHash } from '#server/accounts/passwords.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { auditedShare } from './audited-share.ts'
import { MAX_SHARED, settingsInput } from './input.ts'
import { insertShare, lockOwner, requireImages } from './insert-share.ts'
import { shareRestoring } from './limits.ts'
import { limitColumns, toColumns } from './share-settings.ts'

const { password: _, limits, ...settings } = settingsInput
const place = z.strictObject({ id: z.uuid().toLowerCase(), position: z.int().min(0).max(MAX_SHARED) })
const places = z
  .array(place)
  .min(1)
  .max(MAX_SHARED)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, invalid('repeatedImage'))

const input = z.strictObject({
  target: z.union([z.strictObject({ images: places }), z.strictObject({ album: z.uuid().toLowerCase() })]),
  /** ISO 8601. Tells the viewer's shares apart. */
  createdAt: z.iso.datetime({ offset: true }),
  /** As this or another site has made it. */
  passwordHash: z.string().refine(isPasswordHash).nullable(),
  views: z.int().min(0).max(1_000_000),
  ...settings,
  limits,
})

/**
 * Restores a share of an export, around images and albums that are there. It gets a new link, because an export has none: whoever could
 * choose links could take over one that somebody has revoked. A share of the viewer that was created at the same moment stays as it is,
 * but for images that it lacks, so that it can be repeated and an export may come in parts.
 */
export const restoreShare = personalProcedure
  .meta({ ...limitsFor(input, shareRestoring), scope: 'manage', audit: 'share.create' })
  .input(input)
  .mutation(async ({ ctx, input: { target, createdAt, passwordHash, views, limits, ...settings } }) => {
    const { db, sharing } = ctx.app
    const { userId: ownerId } = ctx.viewer
    const id = randomUUID()
    const { url, ...link } = sharing.links.make(id)
    const created = new Date(Math.min(Date.parse(createdAt), Date.now()))
    const kept = { createdAt: created, passwordHash, views, ...limitColumns(limits ?? {}) }
    const columns = { id, ...link, ...(await toColumns(ctx, id, settings)), ...kept }
    return transact(db, async (tx) => {
      await lockOwner(tx, ownerId)
      const known = await tx.share.findFirst({
        where: { ownerId, createdAt: created },
        select: { id: true, ...auditedShare.columns },
      })
      if (!known) {
        await insertShare(tx, ctx, ownAccount(ctx.viewer), columns, target)
        return { id, url, isNew: true }
      }
      const { id: shareId, ...before } = known
      if ('images' in target && before.albumId === null) {
        await requireImages(tx, ownerId, target.images)
        const data = target.images.map(({ id: imageId, position }) => ({ shareId, imageId, position }))
        const { count } = await tx.shareImage.createMany({ data, skipDuplicates: true })
        const images = before._count.images + count
        if (images > MAX_SHARED) throw refuse('share-full', { limit: MAX_SHARED })
        const after = { ...before, _count: { images } }
        if (count > 0)
          await writeAudit(tx, toActor(ctx), {
            action: 'share.update',
            target: `share/${shareId}`,
            account: ownAccount(ctx.viewer),
            before: auditedShare.state(before),
            after: auditedShare.state(after),
          })
      }
      return { id: shareId, url: null, isNew: false }
    })
  })
