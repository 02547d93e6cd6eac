import { hash, randomBytes } from 'node:crypto'
import type { PrismaClient } from '#server/database/database.ts'
import { readCookie } from '../../accounts/sessions/session-token.ts'

/*
 * What a passkey signs is stored until it has signed, for ten minutes and once, and is bound to the session that asked for it, or to the
 * browser of somebody who signs in. The second step of a sign-in has its own (second-step/pending-sign-in.ts).
 */

const MINUTES = 10

interface Site {
  readonly origin: string
}

/** Returns a new challenge, in base64url. */
export const createChallenge = (): string => randomBytes(32).toString('base64url')

/** Whom a challenge is for. */
export const aboutRegistration = (sessionId: string): string => `register/${sessionId}`
export const aboutProof = (sessionId: string): string => `prove/${sessionId}`
export const aboutSignIn = (browser: string): string => `sign-in/${hash('sha256', browser)}`

/** Stores a challenge until it is spent. */
export async function saveChallenge(db: PrismaClient, challenge: string, about: string): Promise<void> {
  const now = Date.now()
  await db.passkeyChallenge.deleteMany({ where: { expiresAt: { lt: new Date(now) } } })
  const data = { challenge, about, expiresAt: new Date(now + MINUTES * 60_000) }
  await db.passkeyChallenge.create({ data, select: { challenge: true } })
}

/** Uses a challenge up, whatever becomes of the answer to it. Returns whether it was stored for this purpose and has not ended. */
export async function spendChallenge(db: PrismaClient, challenge: string, about: string): Promise<boolean> {
  const { count } = await db.passkeyChallenge.deleteMany({ where: { challenge, about, expiresAt: { gt: new Date() } } })
  return count > 0
}

const cookieName = ({ origin }: Site): string => `${origin.startsWith('https:') ? '__Host-' : ''}sluice.passkey`

/** Returns the name of a browser that signs in, to which its challenges are bound; undefined if it has none. */
export const readBrowser = (site: Site, cookie: string | undefined): string | undefined =>
  readCookie(cookie, cookieName(site))

/** Returns the Set-Cookie header that names the browser for as long as a challenge lasts. */
export function createBrowserCookie(site: Site, browser: string): string {
  const secure = site.origin.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(site)}=${browser}; Path=/; Max-Age=${MINUTES * 60}; HttpOnly; SameSite=Strict${secure}`
}
