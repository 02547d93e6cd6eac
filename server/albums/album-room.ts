import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'

/** The most albums of an owner; deleted ones do not count. */
const MAX_ALBUMS = 10_000

/** Throws CONFLICT unless the owner may have one more album. Serializes calls, so that the maximum holds. */
export async function requireAlbumRoom(tx: Transaction, ownerId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${ownerId}::uuid FOR NO KEY UPDATE`
  const count = await tx.album.count({ where: { ownerId, deletedAt: null } })
  if (count >= MAX_ALBUMS) throw refuse('too-many-albums', { limit: MAX_ALBUMS })
}
