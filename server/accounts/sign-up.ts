import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { checkPassword, credentialsShape } from './credentials.ts'
import { inviteLookup } from './invites/limits.ts'
import { isInviteUsable, usableInvite } from './invites/usable-invite.ts'
import { signUps } from './limits.ts'
import { hasUsers } from './owner.ts'
import { guestLane } from './password-lanes.ts'
import { hashPassword } from './passwords.ts'
import { insertUser } from './users/insert-user.ts'

const input = z.strictObject({ ...credentialsShape, invite: z.string().max(100).optional() }).check(checkPassword)

/** Creates an account, with an invite unless sign-up is open. */
export const signUpProcedure = publicProcedure
  .meta({ limits: inviteLookup, audit: 'account.signUp' })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { db, site } = ctx.app
    const { signup, passwords } = site.read()
    if (signup === 'closed') throw refuse('signup-closed')
    if (!passwords) throw refuse('passwords-off')
    // The first account must be the owner's: a stranger's would end set-up.
    if (!(await hasUsers(db))) throw refuse('not-set-up')
    if (signup === 'invite' && !(await isInviteUsable(db, input.invite ?? ''))) throw refuse('unusable-invite')
    await ctx.charge(signUps)
    const passwordHash = await hashPassword(input.password, { lane: guestLane(ctx.caller.address), signal })
    await db.$transaction(async (tx) => {
      const usedInvite = signup === 'invite' ? await spendInvite(tx, input.invite) : null
      const { id: userId, username } = await insertUser(tx, { username: input.username, passwordHash })
      await writeAudit(tx, toActor({ ...ctx, viewer: { userId, username } }), {
        action: 'account.signUp',
        target: `user/${userId}`,
        account: { id: userId, username },
        before: null,
        after: { role: 'user', invite: usedInvite },
      })
    })
    return { username: input.username }
  })

/** Takes one use in the sign-up's transaction, so that a failed sign-up rolls it back. Returns the invite's ID. */
async function spendInvite(tx: Transaction, code: string | undefined): Promise<string> {
  const data = { usesLeft: { decrement: 1 } }
  const [spent] = await tx.invite.updateManyAndReturn({ where: usableInvite(code), data, select: { id: true } })
  if (!spent) throw refuse('unusable-invite')
  return spent.id
}
