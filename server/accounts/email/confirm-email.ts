import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { passwordLinkLookup } from '../links/limits.ts'
import { revokeMailedLinks, spendOneTimeLink } from '../links/one-time-link.ts'
import { parseEmail } from './address.ts'
import { findEmailLink } from './show-email-link.ts'

/** Makes the address of a link that of its account: whoever has the link reads the address. Throws NOT_FOUND, and CONFLICT if another
 *  account has confirmed the address. */
export const confirmEmailByLink = publicProcedure
  .meta({ limits: passwordLinkLookup, audit: 'account.confirmEmail' })
  .input(z.strictObject({ link: z.string().max(100) }))
  .mutation(async ({ ctx, input: { link } }) => {
    const { db, mail } = ctx.app
    const { user } = await findEmailLink(db, link)
    const { id, username } = user
    const { address } = ctx.caller
    return transact(db, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${id}::uuid FOR NO KEY UPDATE`
      const before = await tx.user.findUniqueOrThrow({ where: { id }, select: { email: true, pendingEmail: true } })
      const confirmed = before.pendingEmail === null ? null : parseEmail(before.pendingEmail)
      if (!confirmed || !(await spendOneTimeLink(tx, { link, purpose: 'email', address })))
        throw refuse('unusable-link')
      const { text: email, key: emailKey } = confirmed
      const data = { email, emailKey, emailVerifiedAt: await readDatabaseTime(tx), pendingEmail: null }
      await revokeMailedLinks(tx, id)
      await tx.user.update({ where: { id }, data, select: { id: true } }).catch(explainTaken)
      const actor = toActor({ ...ctx, viewer: { userId: id, username } })
      if (before.email !== null && parseEmail(before.email)?.key !== emailKey) await mail.moved(tx, actor, before.email)
      await writeAudit(tx, actor, {
        action: 'account.confirmEmail',
        target: `user/${id}`,
        account: ownAccount({ userId: id, username }),
        before,
        after: { email, pendingEmail: null },
      })
      return { username, email }
    })
  })

function explainTaken(error: unknown): never {
  const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
  throw isTaken ? refuse('email-taken') : error
}
