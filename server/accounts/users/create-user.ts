import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { checkPassword, credentialsShape } from '../credentials.ts'
import { userAdmin } from '../limits.ts'
import { createPasswordLink } from '../links/password-link.ts'
import { lockCaller } from '../lock-caller.ts'
import { viewerLane } from '../password-lanes.ts'
import { hashPassword } from '../passwords.ts'
import { refuseSharedSuperadmin, roleSchema } from '../roles.ts'
import { insertUser } from './insert-user.ts'

const input = z
  .strictObject({
    ...credentialsShape,
    /** For superadmins. Without it, the answer has a one-time link with which the user sets one. */
    password: credentialsShape.password.optional(),
    role: roleSchema.default('user'),
    shared: z.boolean().default(false),
  })
  .check(checkPassword)

/** Creates an account. An admin can only create users, who set their password by a one-time link; a superadmin can create every
 *  role, and set the first password. */
export const createUser = personalAdminProcedure
  .meta({ limits: userAdmin, audit: 'user.create', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { username, password, role, shared } = input
    const isSuperadmin = ctx.viewer.role === 'superadmin'
    if (!isSuperadmin && (role !== 'user' || shared)) throw refuse('grant-needs-superadmin')
    if (!isSuperadmin && password !== undefined) throw refuse('password-needs-superadmin')
    refuseSharedSuperadmin(role, shared)
    const passwordHash = await hashPassword(password ?? unknownPassword(), { lane: viewerLane(ctx.viewer), signal })
    return transact(ctx.app.db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const user = await insertUser(tx, { username, passwordHash, role, shared })
      const actor = toActor(ctx)
      const act = { action: 'user.create', account: user } as const
      if (password !== undefined) {
        const after = { role, shared }
        await writeAudit(tx, actor, { ...act, target: `user/${user.id}`, before: null, after })
        return { ...user, link: null }
      }
      const { origin } = ctx.app.config
      return { ...user, link: await createPasswordLink(tx, { ...act, origin, actor, state: { role, shared } }) }
    })
  })

/** Nobody knows it, so that only the link opens the account. */
const unknownPassword = (): string => randomBytes(32).toString('base64url')
