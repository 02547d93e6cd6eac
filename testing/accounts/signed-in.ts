import { randomBytes } from 'node:crypto'
import { encode } from 'next-auth/jwt'
import { sessionCookieName } from '#server/accounts/sessions/session-token.ts'
import { openSession } from '#server/accounts/sessions/sessions.ts'
import { insertUser } from '#server/accounts/users/insert-user.ts'
import type { Role } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'

// argon2id of an unknown random password, because most tests do not enter one.
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$0000000000000000000000000000000000000000000'

/** Creates an account with a session, without a password. Returns the cookie that signs it in. */
export async function signedIn(
  db: PrismaClient,
  config: { readonly origin: string; readonly secret: string },
  {
    role = 'user',
    shared = false,
    passwordHash = NOBODYS_HASH,
  }: { role?: Role; shared?: boolean; passwordHash?: string },
): Promise<{ readonly sessionId: string; readonly cookie: string }> {
  const username = `u${randomBytes(6).toString('hex')}`
  const { id } = await insertUser(db, { username, passwordHash, role, shared })
  const opened = await openSession(db, { id, passwordHash }, { address: '203.0.113.7', userAgent: 'test' })
  if (!opened) throw new Error('no session was opened')
  const { sessionId } = opened
  const token = await encode({ token: { sub: id, sessionId }, secret: config.secret })
  return { sessionId, cookie: `${sessionCookieName(config.origin)}=${token}` }
}
