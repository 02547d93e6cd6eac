import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials, revokeInvites } from '../tokens/tokens.ts'
import type { Viewer } from '../viewer.ts'
import { accountRemoval, BATCH_SIZE, removeAccount } from './account-removal.ts'
import { type ChangedUser, changeUser } from './users.ts'

/** Generous, because uploads that arrive while it waits for locks are deleted too. */
const TIMEOUT_MS = 120_000

export interface Leaving {
  /** The account: another user's, which only superadmins may delete, or the viewer's own. */
  readonly id: string
  /** Records the deletion of the locked account and its number of images. Throws to keep it. */
  readonly record: (tx: Transaction, user: ChangedUser, images: number) => Promise<void>
}

/** Deletes an account with its images and invites: a few images in one transaction with the account, many in batches behind a
 *  ban (account-removal.ts). Sessions, tokens and links end at once. Throws like `changeUser`. */
export async function deleteAccount(app: Services, viewer: Viewer, leaving: Leaving): Promise<void> {
  const hasMany = (await app.db.image.count({ where: { ownerId: leaving.id } })) > BATCH_SIZE
  await (hasMany ? deleteInBatches(app, viewer, leaving) : deleteAtOnce(app, viewer, leaving))
}

async function deleteAtOnce({ db, images }: Services, viewer: Viewer, { id, record }: Leaving): Promise<void> {
  let locked: readonly string[] = []
  const before = async (tx: Transaction) => {
    locked = await images.lockUserImages(tx, id)
  }
  const remove = async (tx: Transaction, user: ChangedUser) => {
    await record(tx, user, await tx.image.count({ where: { ownerId: id } }))
    await images.purgeUserImages(tx, user.id, locked)
    await revokeInvites(tx, user.id)
    await tx.user.delete({ where: { id: user.id }, select: { id: true } })
  }
  await changeUser(db, viewer, id, remove, { before, isOwn: true, timeout: TIMEOUT_MS })
}

async function deleteInBatches(app: Services, viewer: Viewer, { id, record }: Leaving): Promise<void> {
  const removal = { userId: id, bannedAt: new Date().toISOString() }
  const leave = async (tx: Transaction, user: ChangedUser) => {
    await record(tx, user, await tx.image.count({ where: { ownerId: id } }))
    await endSessions(tx, user.id)
    await revokeCredentials(tx, user.id)
    await tx.user.update({ where: { id: user.id }, data: { bannedAt: removal.bannedAt }, select: { id: true } })
    await app.jobs.send(tx, accountRemoval, [{ data: removal }])
  }
  await changeUser(app.db, viewer, id, leave, { isOwn: true })
  if (!(await removeAccount(app, removal))) throw refuse('unbanned-during-deletion')
}
