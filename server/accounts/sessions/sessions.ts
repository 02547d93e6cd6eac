import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { Viewer } from '../viewer.ts'

const rows = z.array(z.unknown())

/** Seconds that a session lasts from sign-in, and the cookie that names it: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60

/** Sessions that an account has from one address; a further one ends the oldest there, and nobody's elsewhere: who signs in
 *  rightly is not limited, and a script with the password of a shared account is not to fill the database. */
export const SESSIONS_KEPT = 1_000

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Opens a session for whoever proved to know the password behind `passwordHash`, and answers its id, which goes into the
 * session token; null when that is their password no more, or they are banned by now. The user's row is locked, so that
 * a ban or a new password, which end sessions behind it, end this one too.
 */
export async function openSession(
  db: PrismaClient,
  { id, passwordHash }: { id: string; passwordHash: string },
  from: { address: string; userAgent: string },
): Promise<string | null> {
  const now = Date.now()
  const data = {
    userId: id,
    address: from.address,
    userAgent: from.userAgent.replaceAll('\0', '').slice(0, 300),
    expiresAt: new Date(now + SESSION_SECONDS * 1_000),
  }
  return db.$transaction(async (tx) => {
    const locked = await tx.$queryRaw`
      SELECT id FROM "User"
      WHERE id = ${id}::uuid AND "passwordHash" = ${passwordHash} AND "bannedAt" IS NULL
      FOR NO KEY UPDATE`
    if (rows.parse(locked).length === 0) return null
    await tx.$executeRaw`
      DELETE FROM "Session" WHERE "userId" = ${id}::uuid AND ("expiresAt" < ${new Date(now)} OR "id" IN (
        SELECT "id" FROM "Session" WHERE "userId" = ${id}::uuid AND "address" = ${from.address}
        ORDER BY "createdAt" DESC, "id" DESC OFFSET ${SESSIONS_KEPT - 1}::int))`
    return (await tx.session.create({ data, select: { id: true } })).id
  })
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
  return { userId: id, username, role, shared, sessionId, token: null }
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
