import { z } from 'zod'
import { toLocale } from '#format/locale.ts'
import { type Actor, ownAccount, toStoredAgent, writeAudit } from '#server/audit/audit.ts'
import { recordSignIn } from '#server/audit/sign-ins.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { lacksRequiredFactor } from '#server/identity/factors.ts'
import type { ProviderSession } from '#server/identity/oidc/provider-session.ts'
import type { Services } from '#server/services.ts'
import { noteSeen, noteUsed } from '../last-seen.ts'
import { type Viewer, viewerColumns } from '../viewer.ts'
import { rememberDevice } from './devices.ts'

const rows = z.array(z.object({ username: z.string() }))

/** The lifetime of a session and its cookie, from sign-in: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60

/** The maximum of sessions per account and address; a further sign-in ends the oldest from that address. Successful sign-ins
 *  are not limited, and a script with a shared account's password must not fill the database or end others' sessions. */
export const MAX_SESSIONS_PER_ADDRESS = 1_000

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** From where somebody signs in. */
export interface SignInFrom {
  /** The client's normalized address. */
  readonly address: string
  readonly userAgent: string
  readonly requestId?: string | undefined
  /** A known device of the account (devices.ts). */
  readonly deviceId?: string | null
  /** Whether sign-ins of the device need no second step from now on; unchanged if absent. */
  readonly trusts?: boolean
  /** Called in the transaction that opens the session, if the account does not know the browser. */
  readonly noteDevice?: (tx: Transaction, device: NewDevice) => Promise<void>
  /** The provider that has verified who signs in. */
  readonly provider?: ProviderSession | null
}

export interface NewDevice {
  readonly userId: string
  readonly userAgent: string
  readonly address: string
}

/**
 * Opens a session for a user whose password was verified against `passwordHash`, or who was verified otherwise (null), and returns
 * its ID for the session token, with that of the device, which is remembered. Returns null if the password has changed since, the user
 * is banned, or `claim` returns false. The user's row is locked, so that a concurrent ban or new password, which ends all sessions,
 * ends this one too, and `claim` can use up what it was verified by.
 */
export async function openSession(
  db: PrismaClient,
  { id, passwordHash }: { id: string; passwordHash: string | null },
  from: SignInFrom,
  claim: (tx: Transaction, user: { readonly username: string }) => Promise<boolean> = async () => true,
): Promise<{ sessionId: string; deviceId: string; username: string } | null> {
  const now = Date.now()
  const { address, requestId = 'page', deviceId = null, trusts, noteDevice, provider = null } = from
  const userAgent = toStoredAgent(from.userAgent)
  const expiresAt = new Date(now + SESSION_SECONDS * 1_000)
  const at = new Date(now)
  const data = {
    ...{ userId: id, address, userAgent, expiresAt, lastUsedAt: at, provedAt: at },
    ...(provider && {
      ...{ provider: provider.name, sealedIdToken: provider.sealedIdToken, hasProviderFactor: provider.hasFactor },
    }),
  }
  const open = async (tx: Transaction) => {
    const locked = await tx.$queryRaw`
      SELECT "username" FROM "User"
      WHERE id = ${id}::uuid AND "passwordHash" = COALESCE(${passwordHash}::text, "passwordHash") AND "bannedAt" IS NULL
      FOR NO KEY UPDATE`
    const [user] = rows.parse(locked)
    if (!user) return null
    if (!(await claim(tx, user))) throw new Unclaimed()
    const { username } = user
    await tx.$executeRaw`
      DELETE FROM "Session" WHERE "userId" = ${id}::uuid AND ("expiresAt" < ${at} OR "id" IN (
        SELECT "id" FROM "Session" WHERE "userId" = ${id}::uuid AND "address" = ${address}
        ORDER BY "createdAt" DESC, "id" DESC OFFSET ${MAX_SESSIONS_PER_ADDRESS - 1}::int))`
    const session = await tx.session.create({ data, select: { id: true } })
    await tx.user.update({ where: { id }, data: { lastSeenAt: at }, select: { id: true } })
    const by = { address, userAgent, requestId, userId: id, username }
    await recordSignIn(tx, by, provider?.name ?? null)
    const client = { userId: id, userAgent, address }
    // Programs keep no cookies: one that signs in over and over from one place is known by these.
    const isKnown = !noteDevice || deviceId !== null || (await tx.device.count({ where: client })) > 0
    const remembered = await rememberDevice(tx, { ...client, deviceId, trusts }, at)
    if (!isKnown) await noteDevice(tx, client)
    return { sessionId: session.id, deviceId: remembered, username }
  }
  try {
    return await db.$transaction(open)
  } catch (error) {
    if (error instanceof Unclaimed) return null
    throw error
  }
}

/** Rolls back what a claim has written before it returned false. */
class Unclaimed extends Error {}

/** Returns the session's viewer, or null if it has ended. Read on every request, so that a ban or a revocation applies from
 *  the next request on. */
export async function viewerOfSession(
  { db, site }: Pick<Services, 'db' | 'site'>,
  sessionId: string,
): Promise<Viewer | null> {
  if (!UUID.test(sessionId)) return null
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: {
      ...{ id: true, expiresAt: true, lastUsedAt: true, provedAt: true, hasProviderFactor: true },
      user: { select: viewerColumns },
    },
  })
  if (!session || session.user.bannedAt || session.expiresAt.getTime() <= Date.now()) return null
  await noteSeen(db, session.user)
  await noteUsed(db, session)
  const { id: userId, bannedAt: _, lastSeenAt: __, locale, ...facts } = session.user
  const { provedAt, hasProviderFactor } = session
  const needsFactor =
    !hasProviderFactor && (await lacksRequiredFactor(db, site.read().secondFactor, { userId, ...facts }))
  return {
    userId,
    ...facts,
    locale: facts.shared ? null : toLocale(locale),
    sessionId,
    provedAt,
    needsFactor,
    token: null,
  }
}

/** Returns the same for what a session's links give access to; null too for a session that must set up a second factor first. */
export async function holderOfSession(app: Pick<Services, 'db' | 'site'>, sessionId: string): Promise<Viewer | null> {
  const viewer = await viewerOfSession(app, sessionId)
  return viewer?.needsFactor ? null : viewer
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

/** Ends all sessions of a user except `keep` and their pending sign-ins, and forgets their devices. */
export async function endSessions(db: PrismaClient | Transaction, userId: string, keep?: string): Promise<void> {
  await db.session.deleteMany({ where: { userId, ...(keep === undefined ? {} : { id: { not: keep } }) } })
  await db.pendingSignIn.deleteMany({ where: { userId } })
  await db.device.deleteMany({ where: { userId } })
}
