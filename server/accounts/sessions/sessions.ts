import { z } from 'zod'
import { toLocale } from '#format/locale.ts'
import { type Actor, ownAccount, toStoredAgent, writeAudit } from '#server/audit/audit.ts'
import { recordSignIn } from '#server/audit/sign-ins.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { noteSeen } from '../last-seen.ts'
import { type Viewer, viewerColumns } from '../viewer.ts'
import { rememberDevice } from './devices.ts'

const rows = z.array(z.object({ username: z.string() }))

/** The lifetime of a session and its cookie, from sign-in: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60

/** The maximum of sessions per account and address; a further sign-in ends the oldest from that address. Successful sign-ins
 *  are not limited, and a script with a shared account's password must not fill the database or end others' sessions. */
export const MAX_SESSIONS_PER_ADDRESS = 1_000

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Opens a session for a user whose password was verified against `passwordHash`, and returns its ID for the session token,
 * with that of the device, which is remembered. Returns null if the password has changed since, or the user is banned. The user's row is locked, so that a concurrent
 * ban or new password, which ends all sessions, ends this one too.
 */
export async function openSession(
  db: PrismaClient,
  { id, passwordHash }: { id: string; passwordHash: string },
  from: { address: string; userAgent: string; requestId?: string | undefined; deviceId?: string | null },
): Promise<{ sessionId: string; deviceId: string } | null> {
  const now = Date.now()
  const data = {
    userId: id,
    address: from.address,
    userAgent: toStoredAgent(from.userAgent),
    expiresAt: new Date(now + SESSION_SECONDS * 1_000),
  }
  return db.$transaction(async (tx) => {
    const locked = await tx.$queryRaw`
      SELECT "username" FROM "User"
      WHERE id = ${id}::uuid AND "passwordHash" = ${passwordHash} AND "bannedAt" IS NULL
      FOR NO KEY UPDATE`
    const [user] = rows.parse(locked)
    if (!user) return null
    await tx.$executeRaw`
      DELETE FROM "Session" WHERE "userId" = ${id}::uuid AND ("expiresAt" < ${new Date(now)} OR "id" IN (
        SELECT "id" FROM "Session" WHERE "userId" = ${id}::uuid AND "address" = ${from.address}
        ORDER BY "createdAt" DESC, "id" DESC OFFSET ${MAX_SESSIONS_PER_ADDRESS - 1}::int))`
    const session = await tx.session.create({ data, select: { id: true } })
    await tx.user.update({ where: { id }, data: { lastSeenAt: new Date(now) }, select: { id: true } })
    const { address, userAgent, requestId = 'page' } = from
    await recordSignIn(tx, { address, userAgent, requestId, userId: id, username: user.username })
    return { sessionId: session.id, deviceId: await rememberDevice(tx, id, from.deviceId ?? null, new Date(now)) }
  })
}

/** Returns the session's viewer, or null if it has ended. Read on every request, so that a ban or a revocation applies from
 *  the next request on. */
export async function viewerOfSession(db: PrismaClient, sessionId: string): Promise<Viewer | null> {
  if (!UUID.test(sessionId)) return null
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: { expiresAt: true, user: { select: viewerColumns } },
  })
  if (!session || session.user.bannedAt || session.expiresAt.getTime() <= Date.now()) return null
  await noteSeen(db, session.user)
  const { id: userId, bannedAt: _, lastSeenAt: __, locale, ...facts } = session.user
  return { userId, ...facts, locale: facts.shared ? null : toLocale(locale), sessionId, token: null }
}

/** Ends one of an actor's own sessions. Returns whether it existed. */
export async function endSession(
  db: PrismaClient,
  actor: Actor,
  { sessionId, action }: { readonly sessionId: string; readonly action: 'account.signOut' | 'account.revokeSession' },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { userId } = actor
    const session = await tx.session.findFirst({
      where: { id: sessionId, userId },
      select: { address: true, userAgent: true, createdAt: true },
    })
    const { count } = await tx.session.deleteMany({ where: { id: sessionId, userId } })
    if (!session || count === 0) return false
    const { address, userAgent, createdAt } = session
    const before = { address, userAgent, signedInAt: createdAt.toISOString() }
    const target = `session/${sessionId}`
    await writeAudit(tx, actor, { action, target, account: ownAccount(actor), before, after: null })
    return true
  })
}

/** Ends all sessions of a user except `keep`, and forgets their devices. */
export async function endSessions(db: PrismaClient | Transaction, userId: string, keep?: string): Promise<void> {
  await db.session.deleteMany({ where: { userId, ...(keep === undefined ? {} : { id: { not: keep } }) } })
  await db.device.deleteMany({ where: { userId } })
}
