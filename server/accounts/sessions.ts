import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { Viewer } from './viewer.ts'

/** Days a session lasts from sign-in. */
export const SESSION_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Opens a session and answers its id, which goes into the session token. */
export async function openSession(
  db: PrismaClient,
  userId: string,
  from: { address: string; userAgent: string },
): Promise<string> {
  const now = Date.now()
  await db.session.deleteMany({ where: { userId, expiresAt: { lt: new Date(now) } } })
  const session = await db.session.create({
    data: {
      userId,
      address: from.address,
      userAgent: from.userAgent.slice(0, 300),
      expiresAt: new Date(now + SESSION_DAYS * DAY_MS),
    },
    select: { id: true },
  })
  return session.id
}

/** Who holds the session now: asked on every request, so that a ban or a revocation holds from the next one on. */
export async function viewerOfSession(db: PrismaClient, sessionId: string): Promise<Viewer | null> {
  if (!UUID.test(sessionId)) return null
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: {
      expiresAt: true,
      user: { select: { id: true, username: true, role: true, shared: true, bannedAt: true } },
    },
  })
  if (!session || session.user.bannedAt || session.expiresAt.getTime() <= Date.now()) return null
  const { id, username, role, shared } = session.user
  return { userId: id, username, role, shared, sessionId }
}

/** Ends one session of a user. Answers whether there was one. */
export async function endSession(db: PrismaClient, userId: string, sessionId: string): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { id: sessionId, userId } })
  return count > 0
}

/** Ends every session of a user, but for one to keep. */
export async function endSessions(db: PrismaClient | Transaction, userId: string, keep?: string): Promise<void> {
  await db.session.deleteMany({ where: { userId, ...(keep === undefined ? {} : { id: { not: keep } }) } })
}
