import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { createSealer } from '#server/sealed.ts'
import { readCookie } from '../../accounts/sessions/session-token.ts'
import type { ProviderSession } from '../oidc/provider-session.ts'
import { createChallenge } from '../passkeys/challenges.ts'

/*
 * Between the two steps of a sign-in there is no session: a row that ends after ten minutes, and a cookie that names it. The row is of
 * one account, and ends with its sessions (endSessions), or when it is used.
 */

const MINUTES = 10

/** Pending sign-ins per account and address: a further one ends the oldest from that address, as sessions do. */
export const MAX_PENDING_PER_ADDRESS = 20

interface Site {
  readonly origin: string
  readonly secret: string
}

/** How the first step was made. */
export type FirstStep = 'password' | 'oidc' | 'link'

export interface PendingSignIn {
  readonly id: string
  readonly userId: string
  /** What a passkey has to sign in this step; null for one that an older version began. */
  readonly challenge: string | null
  /** The provider of the first step; null for another way. */
  readonly provider: ProviderSession | null
}

const isSecure = ({ origin }: Site): boolean => origin.startsWith('https:')

const cookieName = (site: Site): string => `${isSecure(site) ? '__Host-' : ''}sluice.second-step`

const createPendingSealer = ({ secret }: Site) => createSealer(secret, 'sluice second step')

function createCookie(site: Site, value: string, seconds: number): string {
  const secure = isSecure(site) ? '; Secure' : ''
  return `${cookieName(site)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

interface NewPendingSignIn extends Pick<PendingSignIn, 'userId' | 'provider'> {
  readonly by: FirstStep
  readonly address: string
}

/** Starts the second step. Returns the Set-Cookie header that binds it to the browser. */
export async function createPendingSignIn(
  { db, config }: { readonly db: PrismaClient; readonly config: Site },
  { userId, by, address, provider }: NewPendingSignIn,
): Promise<string> {
  const now = new Date()
  const expiresAt = new Date(now.getTime() + MINUTES * 60_000)
  await db.$executeRaw`
    DELETE FROM "PendingSignIn" WHERE "userId" = ${userId}::uuid AND ("expiresAt" < ${now} OR "id" IN (
      SELECT "id" FROM "PendingSignIn" WHERE "userId" = ${userId}::uuid AND "address" = ${address}
      ORDER BY "createdAt" DESC, "id" DESC OFFSET ${MAX_PENDING_PER_ADDRESS - 1}::int))`
  const of = provider && { provider: provider.name, sealedIdToken: provider.sealedIdToken }
  const data = { userId, verifiedBy: by, address, challenge: createChallenge(), createdAt: now, expiresAt, ...of }
  const { id } = await db.pendingSignIn.create({ data, select: { id: true } })
  return createCookie(config, createPendingSealer(config).seal(id), MINUTES * 60)
}

/** Returns the Set-Cookie header that ends it in the browser. */
export const removePendingCookie = (site: Site): string => createCookie(site, '', 0)

/** Returns the pending sign-in of a Cookie header; null if there is none, or it has ended. */
export async function findPendingSignIn(
  { db, config }: { readonly db: PrismaClient; readonly config: Site },
  cookie: string | undefined,
): Promise<PendingSignIn | null> {
  const value = readCookie(cookie, cookieName(config))
  const id = value && createPendingSealer(config).open(value)
  if (!id) return null
  const where = { id, expiresAt: { gt: new Date() }, user: { bannedAt: null } }
  const select = { id: true, userId: true, challenge: true, provider: true, sealedIdToken: true }
  const pending = await db.pendingSignIn.findUnique({ where, select })
  if (!pending) return null
  const { provider: name, sealedIdToken, ...rest } = pending
  return { ...rest, provider: name === null ? null : { name, sealedIdToken, hasFactor: false } }
}

/** Uses a pending sign-in up. Returns whether it had not ended. The account's row must be locked. */
export async function spendPendingSignIn(tx: Transaction, { id }: Pick<PendingSignIn, 'id'>): Promise<boolean> {
  const { count } = await tx.pendingSignIn.deleteMany({ where: { id, expiresAt: { gt: new Date() } } })
  return count > 0
}
