import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { checkPassword, credentialsShape } from '../credentials.ts'
import { userAdmin } from '../limits.ts'
import { lockCaller } from '../lock-caller.ts'
import { viewerLane } from '../password-lanes.ts'
import { hashPassword } from '../passwords.ts'
import { refuseSharedSuperadmin, roleSchema } from '../roles.ts'
import { insertUser } from './insert-user.ts'

const input = z
  .strictObject({ ...credentialsShape, role: roleSchema.default('user'), shared: z.boolean().default(false) })
  .check(checkPassword)

/** Creates an account. An admin can only create users, a superadmin every role. */
export const createUser = personalAdminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { username, password, role, shared } = input
    if (ctx.viewer.role !== 'superadmin' && (role !== 'user' || shared)) throw refuse('grant-needs-superadmin')
    refuseSharedSuperadmin(role, shared)
    const passwordHash = await hashPassword(password, { lane: viewerLane(ctx.viewer), signal })
    return transact(ctx.app.db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      return insertUser(tx, { username, passwordHash, role, shared })
    })
  })
