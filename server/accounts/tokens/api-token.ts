import { hash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { scopes, type Viewer } from '../viewer.ts'

/** How every token begins, for people and scanners of leaked secrets to know one. */
const PREFIX = 'slu_'
const RANDOM_BYTES = 32
const TOKEN = /^slu_[A-Za-z0-9_-]{43}$/

/** Milliseconds to which the last use of a token is kept. */
const USE_MS = 60_000

const scopeList = z.array(z.enum(scopes))

/** A new token of 256 random bits, with what is kept of it. */
export function makeToken(): { readonly token: string; readonly tokenHash: string; readonly ending: string } {
  const token = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')
  return { token, tokenHash: hash('sha256', token), ending: token.slice(-4) }
}

/** What a request gives as its token, `Authorization: Bearer slu_…`; null where it gives none, or is somebody else's. */
export function bearerTokenOf(authorization: string | undefined): string | null {
  const [, token = null] = /^Bearer +(slu_\S*)$/i.exec(authorization ?? '') ?? []
  return token
}

/** Whose token it is, now: asked on every request, so that a revocation holds from the next one on. Null for one that is void. */
export async function viewerOfToken(
  db: PrismaClient,
  token: string,
  { 'user-agent': userAgent }: IncomingHttpHeaders,
): Promise<Viewer | null> {
  if (!TOKEN.test(token)) return null
  const row = await findToken(db, { tokenHash: hash('sha256', token) })
  if (row && Date.now() - (row.lastUsedAt?.getTime() ?? 0) > USE_MS) await noteUse(db, row.id, userAgent)
  return row && viewerOf(row)
}

/** Whose token has this id, now: for what was made by it and lives as long as it does. Null for one that is void. */
export async function viewerOfTokenId(db: PrismaClient, id: string): Promise<Viewer | null> {
  const row = await findToken(db, { id })
  return row && viewerOf(row)
}

async function findToken(db: PrismaClient, where: { readonly tokenHash: string } | { readonly id: string }) {
  const row = await db.apiToken.findUnique({
    where,
    select: {
      id: true,
      scopes: true,
      expiresAt: true,
      lastUsedAt: true,
      user: { select: { id: true, username: true, role: true, shared: true, bannedAt: true } },
    },
  })
  // An account that several people share has no tokens; those of before are void.
  if (!row || row.user.bannedAt || row.user.shared) return null
  return row.expiresAt && row.expiresAt.getTime() <= Date.now() ? null : row
}

function viewerOf(row: NonNullable<Awaited<ReturnType<typeof findToken>>>): Viewer {
  const { id: userId, username, role, shared } = row.user
  const own = { id: row.id, scopes: scopeList.parse(row.scopes), isSuperadmins: role === 'superadmin' }
  return { userId, username, role: 'user', shared, sessionId: null, token: own }
}

async function noteUse(db: PrismaClient, id: string, userAgent = ''): Promise<void> {
  const lastUsedBy = userAgent.replaceAll('\0', '').slice(0, 300) || null
  await db.apiToken.updateMany({ where: { id }, data: { lastUsedAt: new Date(), lastUsedBy } })
}
