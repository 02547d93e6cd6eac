import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials } from '../tokens/tokens.ts'
import type { Viewer } from '../viewer.ts'
import { accountRemoval, removeAccount } from './account-removal.ts'
import { type ChangedUser, changeUser } from './users.ts'

export interface Leaving {
  /** The account: another user's, which only superadmins may delete, or the viewer's own. */
  readonly id: string
  /** Records the deletion of the locked account and its number of images. Throws to keep it. */
  readonly record: (tx: Transaction, user: ChangedUser, images: number) => Promise<void>
}

/**
 * Deletes an account with its images and invites, in batches behind a ban (account-removal.ts), so that uploads under way are
 * refused instead of holding up the deletion. Sessions, tokens and links end at once. Throws like `changeUser`.
 */
export async function deleteAccount(app: Services, viewer: Viewer, { id, record }: Leaving): Promise<void> {
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
