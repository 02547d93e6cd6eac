import type { TRPCError } from '@trpc/server'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'

/** What an owner's images take of what they may; `quota` null is as much as they like. Bytes, the trash included. */
export interface Room {
  readonly used: number
  readonly quota: number | null
}

/** Null when there is no such user, or one who is banned. */
export async function roomOf(
  db: PrismaClient | Transaction,
  ownerId: string,
  siteQuota: number | null,
): Promise<Room | null> {
  const owner = await db.user.findUnique({
    where: { id: ownerId, bannedAt: null },
    select: { usedBytes: true, quotaBytes: true },
  })
  if (!owner) return null
  // Sums of image sizes: far below 2^53.
  return { used: Number(owner.usedBytes), quota: owner.quotaBytes === null ? siteQuota : Number(owner.quotaBytes) }
}

/** Whether `size` bytes more fit in. */
export const hasRoom = ({ used, quota }: Room, size: number): boolean => quota === null || used + size <= quota

/** Returns the error for an image that does not fit. `size` is null where there is no room for a single byte. */
export function refuseOverQuota({ used, quota }: Room, size: number | null): TRPCError {
  const room = { used: { bytes: used }, quota: { bytes: quota ?? used } }
  return size === null ? refuse('quota-full', room) : refuse('over-quota', { ...room, size: { bytes: size } })
}
