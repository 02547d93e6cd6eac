import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { type CompletedSignIn, completeSignIn } from '#server/identity/complete-sign-in.ts'
import type { Services } from '#server/services.ts'
import { spendOneTimeLink, usableLink } from '../links/one-time-link.ts'
import { findDevice } from './devices.ts'

interface Attempt {
  readonly link: string
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
  readonly cookie: string | undefined
}

/** Returns the user name of the account that a link signs in to; null if it cannot be used. Uses nothing up, because programs that preview
 *  links load its page too. */
export async function findSignInLink(db: PrismaClient, link: string): Promise<string | null> {
  const where = usableLink(link, 'sign-in')
  const found = await db.oneTimeLink.findFirst({ where, select: { user: { select: { username: true } } } })
  return found?.user.username ?? null
}

/** Signs in by a one-time link of the owner (`sluice admin sign-in-link`), in place of the password: a second factor is asked for as
 *  ever. Nobody can guess its 256 random bits. Throws NOT_FOUND. */
export async function signInByLink(app: Services, { link, address, ...client }: Attempt): Promise<CompletedSignIn> {
  const { userAgent, requestId, cookie } = client
  const userId = await app.db.$transaction(async (tx) => {
    const where = usableLink(link, 'sign-in')
    const found = await tx.oneTimeLink.findFirst({ where, select: { userId: true } })
    if (!found) throw refuse('unusable-link')
    await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${found.userId}::uuid FOR NO KEY UPDATE`
    if (!(await spendOneTimeLink(tx, { link, purpose: 'sign-in', address }))) throw refuse('unusable-link')
    return found.userId
  })
  const from = { address, userAgent, requestId, deviceId: await findDevice(app, userId, cookie) }
  const completed = await completeSignIn(app, { userId, by: 'link' }, from)
  if (!completed) throw refuse('unusable-link')
  return completed
}
