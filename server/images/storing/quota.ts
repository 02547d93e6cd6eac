import { formatBytes } from '#format/bytes.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'

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

/** Says what is taken, what there is, and what to do. `size` is of an image that was refused; null when none was looked at. */
export function overQuotaMessage({ used, quota }: Room, size: number | null): string {
  const taken = `Your images take ${formatBytes(used)} of your ${formatBytes(quota ?? used)}`
  const more = size === null ? '.' : `, and this one has ${formatBytes(size)}.`
  return `${taken}${more} Make room by deleting images and emptying the trash, or ask an admin for more.`
}
