import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from './limits.ts'
import { endInvites } from './tokens.ts'
import { changeUser } from './users.ts'

const input = z.strictObject({ id: z.uuid() })

/** Some hundred thousand images, which go with their account or not at all. */
const LONGEST_MS = 120_000

/** Removes an account with everything it uploaded, and the invites that it made. */
export const deleteUser = superadminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { db, images } = ctx.app
    let locked: readonly string[] = []
    const before = async (tx: Transaction) => {
      locked = await images.lockAllOf(tx, input.id)
    }
    const remove = async (tx: Transaction, user: { id: string }) => {
      await images.purgeAllOf(tx, user.id, locked)
      await endInvites(tx, user.id)
      await tx.user.delete({ where: { id: user.id }, select: { id: true } })
    }
    await changeUser(db, ctx.viewer, input.id, remove, { before, timeout: LONGEST_MS })
    images.changes.tell('any')
    return { id: input.id }
  })
