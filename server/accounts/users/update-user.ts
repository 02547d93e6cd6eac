import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { refuseSharedSuperadmin, roleSchema } from '../roles.ts'
import { endSessions } from '../sessions/sessions.ts'
import { endInvites, endKeys } from '../tokens/tokens.ts'
import { changeUser, toUserItem, userColumns } from './users.ts'

const input = z.strictObject({
  id: z.uuid(),
  role: roleSchema.optional(),
  shared: z.boolean().optional(),
  /** Bytes that their images may take; null for the site's quota. */
  quotaBytes: z.int().min(0).nullable().optional(),
})

/** Grants a role, marks an account shared, or sets its quota. Sessions end with a change of rights: those come with a new one. */
export const updateUser = superadminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(({ ctx, input }) =>
    changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      const { role = user.role, shared = user.shared } = input
      refuseSharedSuperadmin(role, shared)
      if (role !== user.role || shared !== user.shared) await endSessions(tx, user.id)
      // Those who shared it have no keys of it, whatever it is again later.
      if (shared !== user.shared) await endKeys(tx, user.id)
      if (role === 'user') await endInvites(tx, user.id)
      const { quotaBytes } = input
      const data = { role, shared, ...(quotaBytes !== undefined && { quotaBytes }) }
      return toUserItem(await tx.user.update({ where: { id: user.id }, data, select: userColumns }))
    }),
  )
