import type { PrismaClient } from '#server/database/database.ts'
import { profileColumns } from './profile/own-profile.ts'
import type { Viewer } from './viewer.ts'

/** Returns what the site knows about an account, for its owner's export. Nothing of it opens an account: no hash, no token and no
 *  link. */
export async function readAccountFacts(db: PrismaClient, { userId }: Pick<Viewer, 'userId'>) {
  const newestFirst = { orderBy: { createdAt: 'desc' }, take: 1_000 } as const
  return db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      id: true,
      username: true,
      displayName: true,
      profile: { select: profileColumns },
      role: true,
      createdAt: true,
      lastSeenAt: true,
      sessions: { ...newestFirst, select: { createdAt: true, expiresAt: true, address: true, userAgent: true } },
      identities: { select: { issuer: true, subject: true, email: true, linkedAt: true, lastUsedAt: true } },
      tokens: {
        ...newestFirst,
        select: { name: true, ending: true, scopes: true, createdAt: true, expiresAt: true, lastUsedAt: true },
      },
      passkeys: { ...newestFirst, select: { name: true, isBackedUp: true, createdAt: true, lastUsedAt: true } },
      shares: {
        ...newestFirst,
        select: {
          ...{ title: true, createdAt: true, expiresAt: true, maxViews: true, views: true },
          ...{ originals: true, showsTitles: true, requestsPerHour: true, requestsPerDay: true },
          album: { select: { title: true } },
        },
      },
      invites: { ...newestFirst, select: { createdAt: true, expiresAt: true, usesLeft: true } },
    },
  })
}
