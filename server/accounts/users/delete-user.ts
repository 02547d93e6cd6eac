import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import type { Services } from '#server/services.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { endSessions } from '../sessions/sessions.ts'
import { endInvites, endKeys } from '../tokens/tokens.ts'
import type { Viewer } from '../viewer.ts'
import { accountRemoval, PORTION, removeAccount } from './account-removal.ts'
import { changeUser } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

/** What came in while it waited for locks may be more than was counted. */
const LONGEST_MS = 120_000

/**
 * Removes an account with everything it uploaded, and the invites that it made. Few images go with their account or not at
 * all; many go by portions, behind a ban, and what a crash leaves of that is ended by a job.
 */
export const deleteUser = superadminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(async ({ ctx, input: { id } }) => {
    const isMuch = (await ctx.app.db.image.count({ where: { ownerId: id } })) > PORTION
    await (isMuch ? deleteInPortions(ctx.app, ctx.viewer, id) : deleteAtOnce(ctx.app, ctx.viewer, id))
    return { id }
  })

async function deleteAtOnce({ db, images }: Services, viewer: Viewer, id: string): Promise<void> {
  let locked: readonly string[] = []
  const before = async (tx: Transaction) => {
    locked = await images.lockAllOf(tx, id)
  }
  const remove = async (tx: Transaction, user: { id: string }) => {
    await images.purgeAllOf(tx, user.id, locked)
    await endInvites(tx, user.id)
    await tx.user.delete({ where: { id: user.id }, select: { id: true } })
  }
  await changeUser(db, viewer, id, remove, { before, timeout: LONGEST_MS })
  images.changes.tell('any')
}

async function deleteInPortions(app: Services, viewer: Viewer, id: string): Promise<void> {
  const removal = { userId: id, bannedAt: new Date().toISOString() }
  await changeUser(app.db, viewer, id, async (tx, user) => {
    await endSessions(tx, user.id)
    await endKeys(tx, user.id)
    await tx.user.update({ where: { id: user.id }, data: { bannedAt: removal.bannedAt }, select: { id: true } })
    await app.jobs.send(tx, accountRemoval, [{ data: removal }])
  })
  if (await removeAccount(app, removal)) return
  const message =
    'The account was let in again while it was being removed: it stays, without the images that were gone.'
  throw new TRPCError({ code: 'CONFLICT', message })
}
