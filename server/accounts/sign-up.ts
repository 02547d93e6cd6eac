import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { checkPassword, credentialsShape } from './credentials.ts'
import { isInviteUsable, usableInvite } from './invites/usable-invite.ts'
import { inviteLookup, signUp } from './limits.ts'
import { hasUsers } from './owner.ts'
import { guestLane } from './password-lanes.ts'
import { hashPassword } from './passwords.ts'
import { insertUser } from './users/insert-user.ts'

const input = z.strictObject({ ...credentialsShape, invite: z.string().max(100).optional() }).check(checkPassword)

/** Creates an account, with an invite unless sign-up is open. */
export const signUpProcedure = publicProcedure
  .meta({ limits: inviteLookup })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { config, db } = ctx.app
    if (config.signup === 'closed') throw refuse('signup-closed')
    // The first account must be the owner's: a stranger's would end set-up.
    if (!(await hasUsers(db))) throw refuse('not-set-up')
    if (config.signup === 'invite' && !(await isInviteUsable(db, input.invite ?? ''))) throw refuse('unusable-invite')
    await ctx.charge(signUp)
    const passwordHash = await hashPassword(input.password, { lane: guestLane(ctx.caller.address), signal })
    await db.$transaction(async (tx) => {
      if (config.signup === 'invite') await spendInvite(tx, input.invite)
      await insertUser(tx, { username: input.username, passwordHash })
    })
    return { username: input.username }
  })

/** Takes one use in the sign-up's transaction, so that a failed sign-up rolls it back. */
async function spendInvite(tx: Transaction, code: string | undefined): Promise<void> {
  const { count } = await tx.invite.updateMany({ where: usableInvite(code), data: { usesLeft: { decrement: 1 } } })
  if (count === 0) throw refuse('unusable-invite')
}
