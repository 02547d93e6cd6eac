import { randomBytes } from 'node:crypto'
import { encode } from 'next-auth/jwt'
import { sessionCookieName } from '#server/accounts/sessions/session-token.ts'
import { SESSION_SECONDS } from '#server/accounts/sessions/sessions.ts'
import type { Role } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'

// argon2id of an unknown random password, because most tests do not enter one.
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$0000000000000000000000000000000000000000000'

interface Rights {
  readonly role?: Role
  readonly shared?: boolean
  readonly passwordHash?: string
}

/** The rows of accounts that have just signed in, from one place. Signing in itself takes a dozen statements. */
export function signedInRows(count: number, { role = 'user', shared = false, passwordHash = NOBODYS_HASH }: Rights) {
  const at = new Date()
  const expiresAt = new Date(at.getTime() + SESSION_SECONDS * 1_000)
  const users = Array.from({ length: count }, () => {
    const username = `u${randomBytes(6).toString('hex')}`
    return { id: crypto.randomUUID(), username, usernameKey: username, role, shared, passwordHash, lastSeenAt: at }
  })
  const sessions = users.map(({ id: userId }) => {
    const from = { userAgent: 'test', address: '203.0.113.7' }
    return { id: crypto.randomUUID(), userId, ...from, expiresAt, lastUsedAt: at, provedAt: at }
  })
  return { users, sessions }
}

/** Creates an account with a session, without a password. Returns the cookie that signs it in. */
export async function signedIn(
  db: PrismaClient,
  config: { readonly origin: string; readonly secret: string },
  rights: Rights,
): Promise<{ readonly sessionId: string; readonly cookie: string }> {
  const { users, sessions } = signedInRows(1, rights)
  const [session] = sessions
  if (!session) throw new Error('there is no session')
  await db.user.createMany({ data: users })
  await db.session.createMany({ data: sessions })
  const { id: sessionId, userId: sub } = session
  const token = await encode({ token: { sub, sessionId }, secret: config.secret })
  return { sessionId, cookie: `${sessionCookieName(config.origin)}=${token}` }
}
