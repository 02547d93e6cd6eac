import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { passwordLinkLookup } from './limits.ts'
import { usableLink } from './one-time-link.ts'

const input = z.strictObject({ link: z.string().max(100) })

/** Returns whose password the link sets, and who created it, and changes nothing, because programs that preview links load its
 *  page too. Throws NOT_FOUND. */
export const showByLink = publicProcedure
  .meta({ limits: passwordLinkLookup })
  .input(input)
  .query(async ({ ctx, input }) => {
    const { user, createdBy, isMailed, expiresAt } = await findPasswordLink(ctx.app.db, input.link)
    return {
      username: user.username,
      /** The display name of an administrator, if they have one and it was not mailed. */
      createdBy: createdBy?.displayName ?? null,
      isMailed,
      expiresAt: expiresAt.toISOString(),
    }
  })

/** Finds a usable link that sets a password. Throws NOT_FOUND. */
export async function findPasswordLink(db: PrismaClient, link: string) {
  const found = await db.oneTimeLink.findFirst({
    where: usableLink(link, 'password'),
    select: {
      expiresAt: true,
      isMailed: true,
      user: { select: { id: true, username: true } },
      createdBy: { select: { username: true, displayName: true } },
    },
  })
  if (!found) throw refuse('unusable-link')
  return found
}
