import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { checkPassword, credentialsShape } from './credentials.ts'
import { isInviteUsable, usableInvite } from './invites/usable-invite.ts'
import { signUp } from './limits.ts'
import { hasUsers } from './owner.ts'
import { hashPassword } from './passwords.ts'
import { insertUser } from './users/insert-user.ts'

const input = z.strictObject({ ...credentialsShape, invite: z.string().max(100).optional() }).check(checkPassword)

/** A user account of one's own: by an invite, or by nothing where sign-up is open. */
export const signUpProcedure = publicProcedure
  .meta({ limits: signUp })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { config, db } = ctx.app
    if (config.signup === 'closed') throw new TRPCError({ code: 'FORBIDDEN', message: 'Nobody can sign up here.' })
    // The first account is the owner's: strangers must not take set-up away.
    if (!(await hasUsers(db))) throw new TRPCError({ code: 'FORBIDDEN', message: 'This site is not set up yet.' })
    if (config.signup === 'invite' && !(await isInviteUsable(db, input.invite ?? ''))) throw worthlessInvite()
    const passwordHash = await hashPassword(input.password)
    await db.$transaction(async (tx) => {
      if (config.signup === 'invite') await spendInvite(tx, input.invite)
      await insertUser(tx, { username: input.username, passwordHash })
    })
    return { username: input.username }
  })

/** Takes one use; a sign-up that fails later gives it back by rolling back. */
async function spendInvite(tx: Transaction, code: string | undefined): Promise<void> {
  const { count } = await tx.invite.updateMany({ where: usableInvite(code), data: { usesLeft: { decrement: 1 } } })
  if (count === 0) throw worthlessInvite()
}

const worthlessInvite = () =>
  new TRPCError({
    code: 'FORBIDDEN',
    message: 'This invite does not exist, is used up or has expired. Ask for a new one.',
  })
