import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { passwordLinkLookup } from '../links/limits.ts'
import { usableLink } from '../links/one-time-link.ts'

/** Returns which address of which account the link confirms, and changes nothing, because programs that look for harm open links as
 *  well. Throws NOT_FOUND. */
export const showEmailLink = publicProcedure
  .meta({ limits: passwordLinkLookup })
  .input(z.strictObject({ link: z.string().max(100) }))
  .query(async ({ ctx, input }) => {
    const { user, email } = await findEmailLink(ctx.app.db, input.link)
    return { username: user.username, email }
  })

/** Finds a usable link that confirms an address. Throws NOT_FOUND. */
export async function findEmailLink(db: PrismaClient, link: string) {
  const found = await db.oneTimeLink.findFirst({
    where: usableLink(link, 'email'),
    select: { user: { select: { id: true, username: true, pendingEmail: true } } },
  })
  if (!found?.user.pendingEmail) throw refuse('unusable-link')
  return { user: found.user, email: found.user.pendingEmail }
}
