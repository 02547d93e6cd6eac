import { z } from 'zod'
import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import { type AuditedAccount, ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { notFound } from '#server/images/find-image.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { auditedShare } from './audited-share.ts'
import type { UserContext } from './share-settings.ts'

/** The most shares of an account, ended ones included. */
export const MAX_SHARES = 10_000

/** An image at its place in a share, from 0. */
export interface SharePlace {
  readonly id: string
  readonly position: number
}

/** What a share shows: an album, or images at their places. */
export type ShownByShare = { readonly album: string } | { readonly images: readonly SharePlace[] }

type Columns = Omit<Prisma.ShareUncheckedCreateInput, 'ownerId' | 'albumId' | 'images'> & { readonly id: string }

/** Returns whose share of this the viewer may make: their own, or for a superadmin that of whoever owns all of it. Throws BAD_REQUEST
 *  if several do. */
export async function shareOwner(tx: Transaction, viewer: Viewer, shown: ShownByShare): Promise<AuditedAccount> {
  if (!isSuperadmin(viewer)) return ownAccount(viewer)
  const select = { owner: { select: { id: true, username: true } } } as const
  const owned =
    'album' in shown
      ? await tx.album.findMany({ where: { id: shown.album }, select })
      : await tx.image.findMany({
          where: { id: { in: shown.images.map(({ id }) => id) } },
          distinct: ['ownerId'],
          take: 2,
          select,
        })
  if (owned.length > 1) throw refuse('share-owners')
  return owned[0]?.owner ?? ownAccount(viewer)
}

/** Inserts a share of `owner`, whose row `lockOwner` has locked. Throws NOT_FOUND for an album or an image that is not theirs. */
export async function insertShare(
  tx: Transaction,
  ctx: UserContext,
  owner: AuditedAccount,
  columns: Columns,
  shown: ShownByShare,
) {
  const { id: ownerId } = owner
  const count = await tx.share.count({ where: { ownerId } })
  if (count >= MAX_SHARES) throw refuse('too-many-shares', { limit: MAX_SHARES })
  const target = 'album' in shown ? await toAlbum(tx, ownerId, shown.album) : await toImages(tx, ownerId, shown.images)
  const created = await tx.share.create({ data: { ...columns, ownerId, ...target }, select: auditedShare.columns })
  await writeAudit(tx, toActor(ctx), {
    action: 'share.create',
    target: `share/${columns.id}`,
    account: owner,
    before: null,
    after: auditedShare.state(created),
  })
}

/** Serializes calls, so that the maximum holds, and a ban comes entirely before or after. */
export async function lockOwner(tx: Transaction, ownerId: string): Promise<void> {
  const owner = await tx.$queryRaw`SELECT "bannedAt" FROM "User" WHERE "id" = ${ownerId}::uuid FOR NO KEY UPDATE`
  const [row] = z.array(z.object({ bannedAt: z.date().nullable() })).parse(owner)
  if (!row || row.bannedAt) throw refuse('signed-out')
}

async function toAlbum(tx: Transaction, ownerId: string, albumId: string) {
  const count = await tx.album.count({ where: { id: albumId, ownerId, deletedAt: null } })
  if (count === 0) throw refuse('album-not-found')
  return { albumId }
}

async function toImages(tx: Transaction, ownerId: string, places: readonly SharePlace[]) {
  await requireImages(tx, ownerId, places)
  return { images: { create: places.map(({ id: imageId, position }) => ({ imageId, position })) } }
}

/** Throws the same NOT_FOUND for another user's image as for one that does not exist. */
export async function requireImages(tx: Transaction, ownerId: string, places: readonly SharePlace[]): Promise<void> {
  const ids = places.map(({ id }) => id)
  const count = await tx.image.count({ where: { id: { in: ids }, ownerId, trashedAt: null } })
  if (count < ids.length) throw notFound()
}
