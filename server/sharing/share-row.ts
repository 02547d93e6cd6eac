import type { PrismaClient } from '#server/database/database.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/** The columns that a request through a share is decided by. */
export const shareColumns = {
  id: true,
  ownerId: true,
  title: true,
  passwordHash: true,
  showsTitles: true,
  originals: true,
  expiresAt: true,
  maxViews: true,
  views: true,
  requestsPerHour: true,
  requestsPerDay: true,
  bytesPerDay: true,
  album: { select: { id: true, title: true, description: true, order: true, deletedAt: true } },
  owner: { select: { bannedAt: true } },
} as const satisfies Prisma.ShareSelect

export type ShareRow = Prisma.ShareGetPayload<{ select: typeof shareColumns }>

type Unique = { readonly id: string } | { readonly tokenHash: string }

/** Returns a share that has not ended. Read at each request, so that an end or a revocation applies from the next one on, in
 *  every process. */
export async function findLiveShare(db: PrismaClient, where: Unique): Promise<ShareRow | null> {
  const share = await db.share.findUnique({ where, select: shareColumns })
  return share && isLive(share) ? share : null
}

type Ending = Pick<ShareRow, 'expiresAt' | 'owner' | 'album'>

/** Returns whether a share has not ended. A deleted album may be restored, and its shares with it. */
export function isLive({ expiresAt, owner, album }: Ending): boolean {
  if (owner.bannedAt !== null || (album && album.deletedAt !== null)) return false
  return expiresAt === null || expiresAt.getTime() > Date.now()
}

/** Whether pages and bytes of the share are for those alone who have opened a visit. */
export const needsVisit = ({ passwordHash, maxViews }: Pick<ShareRow, 'passwordHash' | 'maxViews'>): boolean =>
  passwordHash !== null || maxViews !== null

/** Whether a copy of its bytes must be kept nowhere, because it would outlive the share. */
export const isFleeting = (share: Pick<ShareRow, 'passwordHash' | 'maxViews' | 'expiresAt'>): boolean =>
  needsVisit(share) || share.expiresAt !== null
