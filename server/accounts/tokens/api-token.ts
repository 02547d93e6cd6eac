import { hash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { noteSeen } from '../last-seen.ts'
import { scopes, type Viewer, viewerColumns } from '../viewer.ts'

/** Lets people and secret scanners recognize a token. */
const PREFIX = 'slu_'
const RANDOM_BYTES = 32
const TOKEN = /^slu_[A-Za-z0-9_-]{43}$/

/** `lastUsedAt` is written at most this often. */
const USE_INTERVAL_MS = 60_000

const scopeList = z.array(z.enum(scopes))

/** Returns a new token of 256 random bits, with what is stored of it: its hash and last four characters. */
export function makeToken(): { readonly token: string; readonly tokenHash: string; readonly ending: string } {
  const token = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')
  return { token, tokenHash: hash('sha256', token), ending: token.slice(-4) }
}

/** Returns the token of `Authorization: Bearer slu_…`; null if there is none, or it is not one of Sluice's. */
export function readBearerToken(authorization: string | undefined): string | null {
  const [, token = null] = /^Bearer +(slu_\S*)$/i.exec(authorization ?? '') ?? []
  return token
}

/** Returns the token's viewer, or null if the token is void. Read on every request, so that a revocation applies from the
 *  next request on. */
export async function viewerOfToken(
  db: PrismaClient,
  token: string,
  { 'user-agent': userAgent }: IncomingHttpHeaders,
): Promise<Viewer | null> {
  if (!TOKEN.test(token)) return null
  const row = await findToken(db, { tokenHash: hash('sha256', token) })
  if (row && Date.now() - (row.lastUsedAt?.getTime() ?? 0) > USE_INTERVAL_MS) await noteUse(db, row.id, userAgent)
  if (row) await noteSeen(db, row.user)
  return row && toViewer(row)
}

/** Returns the viewer of the token with this ID, or null if the token is void; for links that are valid as long as the token
 *  that created them. */
export async function viewerOfTokenId(db: PrismaClient, id: string): Promise<Viewer | null> {
  const row = await findToken(db, { id })
  return row && toViewer(row)
}

async function findToken(db: PrismaClient, where: { readonly tokenHash: string } | { readonly id: string }) {
  const row = await db.apiToken.findUnique({
    where,
    select: {
      id: true,
      scopes: true,
      expiresAt: true,
      lastUsedAt: true,
      user: { select: viewerColumns },
    },
  })
  // Shared accounts have no tokens; those from before an account was shared are void.
  if (!row || row.user.bannedAt || row.user.shared) return null
  return row.expiresAt && row.expiresAt.getTime() <= Date.now() ? null : row
}

/** No session, so no proof of who uses the token, and nothing that its user could be led to set up. */
const sessionless = { sessionId: null, provedAt: null, needsFactor: false } as const

function toViewer(row: NonNullable<Awaited<ReturnType<typeof findToken>>>): Viewer {
  const { id: userId, role, bannedAt: _, lastSeenAt: __, ...facts } = row.user
  const own = { id: row.id, scopes: scopeList.parse(row.scopes), isSuperadmins: role === 'superadmin' }
  return { userId, ...facts, role: 'user', locale: null, ...sessionless, token: own }
}

async function noteUse(db: PrismaClient, id: string, userAgent = ''): Promise<void> {
  const lastUsedBy = userAgent.replaceAll('\0', '').slice(0, 300) || null
  await db.apiToken.updateMany({ where: { id }, data: { lastUsedAt: new Date(), lastUsedBy } })
}
