import type { PrismaClient } from '#server/database/database.ts'
import { openTotpSecret } from './totp/factor.ts'

/** Returns the user names of accounts whose authenticator app does not work with a secret of the site; with none (null), all that have
 *  an app. */
export async function listEndedApps(db: PrismaClient, secret: string | null): Promise<readonly string[]> {
  const factors = await db.totpFactor.findMany({
    orderBy: { user: { usernameKey: 'asc' } },
    select: { userId: true, sealedSecret: true, user: { select: { username: true } } },
  })
  const hasEnded = (factor: (typeof factors)[number]) => secret === null || openTotpSecret({ secret }, factor) === null
  return factors.filter(hasEnded).map(({ user }) => user.username)
}
