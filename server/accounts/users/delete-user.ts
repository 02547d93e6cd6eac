import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { deleteAccount, type Leaving } from './delete-account.ts'

const input = z.strictObject({ id: z.uuid() })

/** Deletes an account with its images and invites. */
export const deleteUser = superadminProcedure
  .meta({ limits: userAdmin, audit: 'user.delete', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input: { id } }) => {
    const record: Leaving['record'] = (tx, user, images) => {
      const before = { role: user.role, shared: user.shared, images }
      const act = { action: 'user.delete', target: `user/${user.id}`, account: user } as const
      return writeAudit(tx, toActor(ctx), { ...act, before, after: null })
    }
    await deleteAccount(ctx.app, ctx.viewer, { id, record })
    return { id }
  })
