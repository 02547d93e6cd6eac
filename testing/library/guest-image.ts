import type { PrismaClient } from '#server/database/database.ts'
import { openGuestAccount } from '#server/guests/guest-accounts.ts'
import { insertBareImage } from './insert-image.ts'

/** Inserts a guest's image that waits for approval, without bytes. Returns its ID. */
export async function insertPending(db: PrismaClient): Promise<string> {
  const asked = { size: 1, budget: { images: 1_000, bytes: 1_000 }, maxUploadBytes: 1_000, address: '203.0.113.7' }
  const ownerId = await openGuestAccount(db, asked)
  const { id } = await insertBareImage(db, ownerId, { visibility: 'private' })
  await db.image.update({ where: { id }, data: { awaitsApproval: true } })
  return id
}
