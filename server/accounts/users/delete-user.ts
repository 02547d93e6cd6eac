import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials, revokeInvites } from '../tokens/tokens.ts'
import type { Viewer } from '../viewer.ts'
import { accountRemoval, BATCH_SIZE, removeAccount } from './account-removal.ts'
import { changeUser } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

/** Generous, because uploads that arrive while it waits for locks are deleted too. */
const TIMEOUT_MS = 120_000

/** Deletes an account with its images and invites: a few images in one transaction with the account, many in batches behind a
 *  ban (account-removal.ts). */
export const deleteUser = superadminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(async ({ ctx, input: { id } }) => {
    const hasMany = (await ctx.app.db.image.count({ where: { ownerId: id } })) > BATCH_SIZE
    await (hasMany ? deleteInBatches(ctx.app, ctx.viewer, id) : deleteAtOnce(ctx.app, ctx.viewer, id))
    return { id }
  })

async function deleteAtOnce({ db, images }: Services, viewer: Viewer, id: string): Promise<void> {
  let locked: readonly string[] = []
  const before = async (tx: Transaction) => {
    locked = await images.lockUserImages(tx, id)
  }
  const remove = async (tx: Transaction, user: { id: string }) => {
    await images.purgeUserImages(tx, user.id, locked)
    await revokeInvites(tx, user.id)
    await tx.user.delete({ where: { id: user.id }, select: { id: true } })
  }
  await changeUser(db, viewer, id, remove, { before, timeout: TIMEOUT_MS })
}

async function deleteInBatches(app: Services, viewer: Viewer, id: string): Promise<void> {
  const removal = { userId: id, bannedAt: new Date().toISOString() }
  await changeUser(app.db, viewer, id, async (tx, user) => {
    await endSessions(tx, user.id)
    await revokeCredentials(tx, user.id)
    await tx.user.update({ where: { id: user.id }, data: { bannedAt: removal.bannedAt }, select: { id: true } })
    await app.jobs.send(tx, accountRemoval, [{ data: removal }])
  })
  if (!(await removeAccount(app, removal))) throw refuse('unbanned-during-deletion')
}
