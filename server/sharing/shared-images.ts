import type { PrismaClient } from '#server/database/database.ts'
import { readableThroughShare } from '#server/images/access.ts'
import { sentColumns } from '#server/images/representation.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { ShareRow } from './share-row.ts'

/** The most images in one answer, page or zip of a share. */
export const MAX_TOGETHER = 100

export const sharedColumns = {
  ...sentColumns,
  description: true,
  object: { select: { frames: true, variants: true, variantsDue: true, variantsReserved: true, placeholder: true } },
} as const satisfies Prisma.ImageSelect

export type SharedRow = Prisma.ImageGetPayload<{ select: typeof sharedColumns }>

/** Returns how many images a share shows. */
export function countShared(db: PrismaClient, { id, ownerId, album }: ShareRow): Promise<number> {
  const image = readableThroughShare(ownerId)
  return album
    ? db.albumImage.count({ where: { albumId: album.id, image } })
    : db.shareImage.count({ where: { shareId: id, image } })
}

/** Returns up to `most` images of a share in their order, the first `from` left out. */
export async function findShared(
  db: PrismaClient,
  share: ShareRow,
  from: number,
  most = MAX_TOGETHER,
): Promise<readonly SharedRow[]> {
  const { id: shareId, album } = share
  const image = readableThroughShare(share.ownerId)
  const part = { skip: from, take: most, select: { image: { select: sharedColumns } } } as const
  const rows = album
    ? await db.albumImage.findMany({ where: { albumId: album.id, image }, orderBy: albumOrder(album.order), ...part })
    : await db.shareImage.findMany({ where: { shareId, image }, orderBy: { position: 'asc' }, ...part })
  return rows.map((row) => row.image)
}

function albumOrder(order: string): Prisma.AlbumImageOrderByWithRelationInput[] {
  if (order === 'manual') return [{ rank: 'asc' }, { imageId: 'asc' }]
  const direction = order === 'oldest' ? 'asc' : 'desc'
  return [{ image: { createdAt: direction } }, { imageId: direction }]
}

/** Returns the image if the share shows it now; null for any other. */
export function findSharedImage(
  db: PrismaClient,
  { id: shareId, ownerId, album }: ShareRow,
  imageId: string,
): Promise<Prisma.ImageGetPayload<{ select: typeof sentColumns }> | null> {
  const member = album ? { inAlbums: { some: { albumId: album.id } } } : { shares: { some: { shareId } } }
  return db.image.findFirst({
    where: { id: imageId, ...readableThroughShare(ownerId), ...member },
    select: sentColumns,
  })
}
