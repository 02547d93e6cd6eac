import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { accountChange } from '../limits.ts'
import { lockCaller } from '../lock-caller.ts'
import { scopes } from '../viewer.ts'
import { makeToken } from './api-token.ts'
import { MOST_TOKENS } from './tokens.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const isOneLine = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

const input = z.strictObject({
  /** For its owner to know it by. */
  name: z
    .string()
    .trim()
    .min(1, 'A token needs a name.')
    .max(60, 'A name has at most 60 characters.')
    .refine(isOneLine, 'A name is one line of text.'),
  scopes: z.array(z.enum(scopes)).min(1, 'Choose what the token may do.').max(scopes.length),
  /** Days for which it holds; null for until it is revoked. */
  expiresInDays: z.int().min(1).max(3650).nullable(),
})

/** A token by which a program speaks for one; the token itself is answered this once. CONFLICT for more than an account has. */
export const createToken = personalProcedure
  .meta({ limits: accountChange })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { token, ...kept } = makeToken()
    const expiresAt = input.expiresInDays === null ? null : new Date(Date.now() + input.expiresInDays * DAY_MS)
    const own = scopes.filter((scope) => input.scopes.includes(scope))
    const data = { ...kept, userId: ctx.viewer.userId, name: input.name, scopes: own, expiresAt }
    const { id } = await transact(ctx.app.db, async (tx) => {
      // One after another; and whoever's session a ban or a reset of the password has ended makes no token any more.
      await lockCaller(tx, ctx.viewer)
      const count = await tx.apiToken.count({ where: { userId: data.userId } })
      if (count >= MOST_TOKENS) {
        const message = `An account has at most ${MOST_TOKENS} tokens: revoke one first.`
        throw new TRPCError({ code: 'CONFLICT', message })
      }
      return tx.apiToken.create({ data, select: { id: true } })
    })
    return { id, token, name: data.name, scopes: own, expiresAt: expiresAt?.toISOString() ?? null }
  })
