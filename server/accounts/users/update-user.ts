import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { revokeLinksFor } from '../links/one-time-link.ts'
import { refuseSharedSuperadmin, roleSchema } from '../roles.ts'
import { endSessions } from '../sessions/sessions.ts'
import { revokeCredentials, revokeInvites } from '../tokens/tokens.ts'
import { type ChangedUser, changeUser, toUserItem, userColumns } from './users.ts'

const input = z.strictObject({
  id: z.uuid(),
  role: roleSchema.optional(),
  shared: z.boolean().optional(),
  /** Quota in bytes; null for the site's default. */
  quotaBytes: z.int().min(0).nullable().optional(),
})

/** Changes a user's role, sharing or quota. A change of rights ends the user's sessions, as rights come with a new one. */
export const updateUser = superadminProcedure
  .meta({ limits: userAdmin, audit: 'user.update', proof: 'fresh' })
  .input(input)
  .mutation(({ ctx, input }) =>
    changeUser(ctx.app.db, ctx.viewer, input.id, async (tx, user) => {
      const { role = user.role, shared = user.shared } = input
      refuseSharedSuperadmin(role, shared)
      if (role !== user.role || shared !== user.shared) await endSessions(tx, user.id)
      // Former users of a shared account must not keep access, and sharing must not leave void tokens behind.
      if (shared !== user.shared) await revokeCredentials(tx, user.id)
      // Whoever created a link for a user may not be allowed to create one for an admin.
      if (role !== user.role) await revokeLinksFor(tx, user.id)
      if (role === 'user') await revokeInvites(tx, user.id)
      const { quotaBytes } = input
      const data = { role, shared, ...(quotaBytes !== undefined && { quotaBytes }) }
      const changed = await tx.user.update({ where: { id: user.id }, data, select: userColumns })
      const [before, after] = [auditedState(user), auditedState(changed)]
      const act = { action: 'user.update', target: `user/${user.id}`, account: user } as const
      await writeAudit(tx, toActor(ctx), { ...act, before, after })
      return toUserItem(changed)
    }),
  )

const auditedState = ({ role, shared, quotaBytes }: Pick<ChangedUser, 'role' | 'shared' | 'quotaBytes'>) => ({
  role,
  shared,
  quotaBytes: quotaBytes === null ? null : Number(quotaBytes),
})
