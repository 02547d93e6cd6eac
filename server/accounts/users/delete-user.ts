import { z } from 'zod'
import { type Actor, toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials, revokeInvites } from '../tokens/tokens.ts'
import type { Viewer } from '../viewer.ts'
import { accountRemoval, BATCH_SIZE, removeAccount } from './account-removal.ts'
import { type ChangedUser, changeUser } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

/** Generous, because uploads that arrive while it waits for locks are deleted too. */
const TIMEOUT_MS = 120_000

/** Deletes an account with its images and invites: a few images in one transaction with the account, many in batches behind a
 *  ban (account-removal.ts). */
export const deleteUser = superadminProcedure
  .meta({ limits: userAdmin, audit: 'user.delete' })
  .input(input)
  .mutation(async ({ ctx, input: { id } }) => {
    const hasMany = (await ctx.app.db.image.count({ where: { ownerId: id } })) > BATCH_SIZE
    const remove = hasMany ? deleteInBatches : deleteAtOnce
    await remove(ctx.app, { viewer: ctx.viewer, actor: toActor(ctx) }, id)
    return { id }
  })

interface Deleter {
  readonly viewer: Viewer
  readonly actor: Actor
}

/** Must run before the images are deleted, which it counts. */
async function audit(tx: Transaction, actor: Actor, user: ChangedUser): Promise<void> {
  const images = await tx.image.count({ where: { ownerId: user.id } })
  const before = { role: user.role, shared: user.shared, images }
  const act = { action: 'user.delete', target: `user/${user.id}`, account: user } as const
  await writeAudit(tx, actor, { ...act, before, after: null })
}

async function deleteAtOnce({ db, images }: Services, { viewer, actor }: Deleter, id: string): Promise<void> {
  let locked: readonly string[] = []
  const before = async (tx: Transaction) => {
    locked = await images.lockUserImages(tx, id)
  }
  const remove = async (tx: Transaction, user: ChangedUser) => {
    await audit(tx, actor, user)
    await images.purgeUserImages(tx, user.id, locked)
    await revokeInvites(tx, user.id)
    await tx.user.delete({ where: { id: user.id }, select: { id: true } })
  }
  await changeUser(db, viewer, id, remove, { before, timeout: TIMEOUT_MS })
}

async function deleteInBatches(app: Services, { viewer, actor }: Deleter, id: string): Promise<void> {
  const removal = { userId: id, bannedAt: new Date().toISOString() }
  await changeUser(app.db, viewer, id, async (tx, user) => {
    await audit(tx, actor, user)
    await endSessions(tx, user.id)
    await revokeCredentials(tx, user.id)
    await tx.user.update({ where: { id: user.id }, data: { bannedAt: removal.bannedAt }, select: { id: true } })
    await app.jobs.send(tx, accountRemoval, [{ data: removal }])
  })
  if (!(await removeAccount(app, removal))) throw refuse('unbanned-during-deletion')
}
