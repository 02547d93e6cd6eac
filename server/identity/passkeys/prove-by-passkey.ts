import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { recordWrong } from '#server/accounts/record-wrong.ts'
import { toActor } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { proving } from '../limits.ts'
import { noteProof } from '../proof.ts'
import { acceptPasskey } from './accept-passkey.ts'
import { MAX_ANSWER, readAssertion } from './answer.ts'
import { aboutProof, spendChallenge } from './challenges.ts'

/** Proves by one of the account's passkeys who uses the session, for ten minutes. */
export const proveByPasskey = personalProcedure
  .meta({ limits: proving, audit: 'account.usePasskey' })
  .input(z.strictObject({ answer: z.string().max(MAX_ANSWER) }))
  .mutation(async ({ ctx, input }) => {
    const { db, config } = ctx.app
    const { userId, sessionId } = ctx.viewer
    const answer = readAssertion(input.answer)
    if (!answer) throw refuse('wrong-passkey')
    if (!(await spendChallenge(db, answer.challenge, aboutProof(sessionId ?? '')))) throw refuse('passkey-expired')
    const error = await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const wrong = await acceptPasskey(tx, { userId, answer, site: config, actor: toActor(ctx) })
      if (!wrong) await noteProof(tx, ctx.viewer)
      return wrong
    })
    if (error) {
      recordWrong(ctx, 'wrong-passkey-proof')
      throw error
    }
    return { userId }
  })
