import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type AuditedAccount, toActor } from '#server/audit/audit.ts'
import { refuse } from '#server/errors/refuse.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { checkPassword, credentialsShape } from './credentials.ts'
import { setUp } from './limits.ts'
import { createOwner, hasUsers, setUpCode } from './owner.ts'
import { guestLane } from './password-lanes.ts'
import { recordWrong } from './record-wrong.ts'

const input = z.strictObject({ ...credentialsShape, code: z.string().max(100) }).check(checkPassword)

/** Creates the first user, a superadmin. Throws NOT_FOUND once any user exists. */
export const createOwnerProcedure = publicProcedure
  .meta({ limits: setUp, audit: 'setup.createOwner' })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    if (await hasUsers(ctx.app.db)) throw refuse('already-set-up')
    if (!isSame(input.code.trim().toUpperCase(), setUpCode(ctx.app.config.secret))) {
      recordWrong(ctx, 'wrong-setup-code')
      throw refuse('wrong-setup-code')
    }
    const turn = { lane: guestLane(ctx.caller.address), signal }
    const by = ({ id: userId, username }: AuditedAccount) => toActor({ ...ctx, viewer: { userId, username } })
    if (!(await createOwner(ctx.app.db, input, { turn, by }))) throw refuse('already-set-up')
    return { username: input.username }
  })

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
