import { z } from 'zod'
import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'
import { type Scope, scopes } from '../viewer.ts'
import { MAX_TOKENS } from './tokens.ts'

export interface TokenItem {
  readonly id: string
  readonly name: string
  /** The last four characters of the token. */
  readonly ending: string
  readonly scopes: readonly Scope[]
  /** ISO 8601, like all dates here. */
  readonly createdAt: string
  /** Null for a token that does not expire. */
  readonly expiresAt: string | null
  /** Accurate to a minute; null for a token that was never used. */
  readonly lastUsedAt: string | null
  /** The User-Agent header of that use, if it had one. */
  readonly lastUsedBy: string | null
}

const scopeList = z.array(z.enum(scopes))

/** Returns the viewer's tokens, newest first, including expired ones. */
export const listTokens = personalProcedure
  .meta({ limits: accountView })
  .query(async ({ ctx }): Promise<{ items: readonly TokenItem[] }> => {
    const tokens = await ctx.app.db.apiToken.findMany({
      where: { userId: ctx.viewer.userId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: MAX_TOKENS,
      select: {
        id: true,
        name: true,
        ending: true,
        scopes: true,
        createdAt: true,
        expiresAt: true,
        lastUsedAt: true,
        lastUsedBy: true,
      },
    })
    const items = tokens.map(({ createdAt, expiresAt, lastUsedAt, ...token }) => ({
      ...token,
      scopes: scopeList.parse(token.scopes),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }))
    return { items }
  })
