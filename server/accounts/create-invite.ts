import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { hashInviteCode, newInviteCode } from './invite-code.ts'
import { userAdmin } from './limits.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const input = z.strictObject({
  uses: z.number().int().min(1).max(100).default(1),
  days: z.number().int().min(1).max(90).default(7),
})

/** An invite for so many sign-ups within so many days; its code is shown this once. */
export const createInvite = personalAdminProcedure
  .meta({ limits: userAdmin })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { config, db } = ctx.app
    if (config.signup === 'closed') throw new TRPCError({ code: 'FORBIDDEN', message: 'Nobody can sign up here.' })
    const code = newInviteCode()
    const { expiresAt, ...invite } = await db.invite.create({
      data: {
        codeHash: hashInviteCode(code),
        createdById: ctx.viewer.userId,
        usesLeft: input.uses,
        expiresAt: new Date(Date.now() + input.days * DAY_MS),
      },
      select: { id: true, usesLeft: true, expiresAt: true },
    })
    return { ...invite, code, url: `${config.origin}/signup?invite=${code}`, expiresAt: expiresAt.toISOString() }
  })
