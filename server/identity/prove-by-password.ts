import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { viewerLane } from '../accounts/password-lanes.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { recordWrong } from '../accounts/record-wrong.ts'
import { proving } from './limits.ts'
import { noteProof } from './proof.ts'

const input = z.strictObject({ password: z.string().max(1_000) })

/** Proves by the password who uses the session, for ten minutes. */
export const proveByPassword = personalProcedure
  .meta({ limits: proving, audit: { none: 'it changes nothing; wrong passwords are recorded' }, settingUp: true })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { db, site } = ctx.app
    const { userId } = ctx.viewer
    if (!site.read().passwords) throw refuse('passwords-off')
    const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } })
    if (!(await verifyPassword(passwordHash, input.password, { lane: viewerLane(ctx.viewer), signal }))) {
      recordWrong(ctx, 'wrong-current-password')
      throw refuse('wrong-current-password')
    }
    await noteProof(db, ctx.viewer)
    return { userId }
  })
