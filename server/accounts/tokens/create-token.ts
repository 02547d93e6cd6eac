import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { lockCaller } from '../lock-caller.ts'
import { scopes } from '../viewer.ts'
import { makeToken } from './api-token.ts'
import { accountChange } from './limits.ts'
import { MAX_TOKENS } from './tokens.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const isOneLine = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

const input = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, invalid('tokenName'))
    .max(60, invalid('tokenNameTooLong'))
    .refine(isOneLine, invalid('tokenNameLines')),
  scopes: z.array(z.enum(scopes)).min(1, invalid('tokenScopes')).max(scopes.length),
  /** Null for a token that does not expire. */
  expiresInDays: z.int().min(1).max(3650).nullable(),
})

/** Creates an API token for the viewer. The token itself is returned only here. Throws CONFLICT at MAX_TOKENS. */
export const createToken = personalProcedure
  .meta({ limits: accountChange, audit: 'token.create', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { token, ...kept } = makeToken()
    const expiresAt = input.expiresInDays === null ? null : new Date(Date.now() + input.expiresInDays * DAY_MS)
    const own = scopes.filter((scope) => input.scopes.includes(scope))
    const data = { ...kept, userId: ctx.viewer.userId, name: input.name, scopes: own, expiresAt }
    const { id } = await transact(ctx.app.db, async (tx) => {
      // Serializes calls, so that the count holds, and fails if a ban or password reset has ended the session.
      await lockCaller(tx, ctx.viewer)
      const count = await tx.apiToken.count({ where: { userId: data.userId } })
      if (count >= MAX_TOKENS) throw refuse('too-many-tokens', { limit: MAX_TOKENS })
      const created = await tx.apiToken.create({ data, select: { id: true } })
      await writeAudit(tx, toActor(ctx), {
        action: 'token.create',
        target: `token/${created.id}`,
        account: ownAccount(ctx.viewer),
        before: null,
        after: { name: data.name, ending: data.ending, scopes: own, expiresAt: expiresAt?.toISOString() ?? null },
      })
      return created
    })
    return { id, token, name: data.name, scopes: own, expiresAt: expiresAt?.toISOString() ?? null }
  })
