import type { TRPCError } from '@trpc/server'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'

/** An owner's usage and quota in bytes, trash included; a `quota` of null is unlimited. */
export interface Room {
  readonly used: number
  readonly quota: number | null
}

/** Returns null if there is no such user or the user is banned. */
export async function readRoom(
  db: PrismaClient | Transaction,
  ownerId: string,
  siteQuota: number | null,
): Promise<Room | null> {
  const owner = await db.user.findUnique({
    where: { id: ownerId, bannedAt: null },
    select: { usedBytes: true, quotaBytes: true },
  })
  if (!owner) return null
  // Sums of image sizes are far below 2^53.
  return { used: Number(owner.usedBytes), quota: owner.quotaBytes === null ? siteQuota : Number(owner.quotaBytes) }
}

/** Whether another `size` bytes fit. */
export const hasRoom = ({ used, quota }: Room, size: number): boolean => quota === null || used + size <= quota

/** Returns the error for an image that does not fit. `size` is null if the quota is used up. */
export function refuseOverQuota({ used, quota }: Room, size: number | null): TRPCError {
  const room = { used: { bytes: used }, quota: { bytes: quota ?? used } }
  return size === null ? refuse('quota-full', room) : refuse('over-quota', { ...room, size: { bytes: size } })
}
