import { z } from 'zod'
import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'
import { type Scope, scopes } from '../viewer.ts'
import { MOST_TOKENS } from './tokens.ts'

export interface TokenItem {
  readonly id: string
  readonly name: string
  /** The last four characters of the token. */
  readonly ending: string
  readonly scopes: readonly Scope[]
  /** ISO 8601, as all dates here. */
  readonly createdAt: string
  /** Null for one that holds until it is revoked. */
  readonly expiresAt: string | null
  /** To the minute; null for one that was never used. */
  readonly lastUsedAt: string | null
  /** The User-Agent header of that use, if it had one. */
  readonly lastUsedBy: string | null
}

const scopeList = z.array(z.enum(scopes))

/** One's own tokens, newest first, those that have expired included. */
export const listTokens = personalProcedure
  .meta({ limits: accountView })
  .query(async ({ ctx }): Promise<{ items: readonly TokenItem[] }> => {
    const tokens = await ctx.app.db.apiToken.findMany({
      where: { userId: ctx.viewer.userId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: MOST_TOKENS,
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
