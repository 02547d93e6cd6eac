import type { PrismaClient } from '#server/database/database.ts'
import { rpIdOf } from './relying-party.ts'

/** Returns the user names of accounts that have passkeys, but none that works at a site's address. */
export async function listEndedPasskeys(
  db: PrismaClient,
  site: { readonly origin: string },
): Promise<readonly string[]> {
  const rpId = rpIdOf(site)
  const users = await db.user.findMany({
    where: { passkeys: { some: {}, none: { rpId } } },
    orderBy: { usernameKey: 'asc' },
    select: { username: true },
  })
  return users.map(({ username }) => username)
}
