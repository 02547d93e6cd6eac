import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { notFound } from '#server/images/find-image.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { auditedShare } from './audited-share.ts'
import { settingsInput, targetInput } from './input.ts'
import { shareChange } from './limits.ts'
import { toColumns } from './share-settings.ts'

/** The most shares of an account, ended ones included. */
export const MAX_SHARES = 10_000

const input = z.strictObject({ target: targetInput, ...settingsInput })

/** Shares images or an album of the viewer by a new link. Their visibility stays as it is. */
export const createShare = personalProcedure
  .meta({ limits: shareChange, scope: 'manage', audit: 'share.create' })
  .input(input)
  .mutation(async ({ ctx, input: { target, ...settings } }) => {
    const { db, sharing } = ctx.app
    const { userId: ownerId } = ctx.viewer
    const id = randomUUID()
    const { url, ...link } = sharing.links.make(id)
    const columns = await toColumns(ctx, id, settings)
    await transact(db, async (tx) => {
      await lockOwner(tx, ownerId)
      const count = await tx.share.count({ where: { ownerId } })
      if (count >= MAX_SHARES) throw refuse('too-many-shares', { limit: MAX_SHARES })
      const shown =
        'album' in target ? await toAlbum(tx, ownerId, target.album) : await toImages(tx, ownerId, target.images)
      const data = { id, ownerId, ...link, ...columns, ...shown }
      const created = await tx.share.create({ data, select: auditedShare.columns })
      await writeAudit(tx, toActor(ctx), {
        action: 'share.create',
        target: `share/${id}`,
        account: ownAccount(ctx.viewer),
        before: null,
        after: auditedShare.state(created),
      })
    })
    return { id, url }
  })

/** Serializes calls, so that the maximum holds, and a ban comes entirely before or after. */
async function lockOwner(tx: Transaction, ownerId: string): Promise<void> {
  const owner = await tx.$queryRaw`SELECT "bannedAt" FROM "User" WHERE "id" = ${ownerId}::uuid FOR NO KEY UPDATE`
  const [row] = z.array(z.object({ bannedAt: z.date().nullable() })).parse(owner)
  if (!row || row.bannedAt) throw refuse('signed-out')
}

async function toAlbum(tx: Transaction, ownerId: string, albumId: string) {
  const count = await tx.album.count({ where: { id: albumId, ownerId, deletedAt: null } })
  if (count === 0) throw refuse('album-not-found')
  return { albumId }
}

/** Throws the same NOT_FOUND for another user's image as for one that does not exist. */
async function toImages(tx: Transaction, ownerId: string, ids: readonly string[]) {
  const count = await tx.image.count({ where: { id: { in: [...ids] }, ownerId, trashedAt: null } })
  if (count < ids.length) throw notFound()
  return { images: { create: ids.map((imageId, position) => ({ imageId, position })) } }
}
