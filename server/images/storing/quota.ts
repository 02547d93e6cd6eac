import type { PrismaClient, Transaction } from '#server/database/database.ts'

/** What an owner's images take of what they may; `quota` null is as much as they like. Bytes, the trash included. */
export interface Room {
  readonly used: number
  readonly quota: number | null
}

/** Null when there is no such user. */
export async function roomOf(
  db: PrismaClient | Transaction,
  ownerId: string,
  siteQuota: number | null,
): Promise<Room | null> {
  const owner = await db.user.findUnique({ where: { id: ownerId }, select: { usedBytes: true, quotaBytes: true } })
  if (!owner) return null
  // Sums of image sizes: far below 2^53.
  return { used: Number(owner.usedBytes), quota: owner.quotaBytes === null ? siteQuota : Number(owner.quotaBytes) }
}

/** Whether `size` bytes more fit in. */
export const hasRoom = ({ used, quota }: Room, size: number): boolean => quota === null || used + size <= quota

/** Says what is taken, what there is, and what to do. `size` is of an image that was refused; null when none was looked at. */
export function overQuotaMessage({ used, quota }: Room, size: number | null): string {
  const taken = `Your images take ${readable(used)} of your ${readable(quota ?? used)}`
  const more = size === null ? '.' : `, and this one has ${readable(size)}.`
  return `${taken}${more} Make room by deleting images and emptying the trash, or ask an admin for more.`
}

/** Bytes for people, in the unit that fits, as the pages write them: a kB has 1,024. */
function readable(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024
    unit += 1
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${units[unit]}`
}
