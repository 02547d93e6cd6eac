import { encode } from 'next-auth/jwt'
import { OWNER_LANE } from '#server/accounts/password-lanes.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { sessionCookieName } from '#server/accounts/sessions/session-token.ts'
import { openSession } from '#server/accounts/sessions/sessions.ts'
import { insertUser } from '#server/accounts/users/insert-user.ts'
import type { PrismaClient } from '#server/database/database.ts'
import type { Owner } from './entries.ts'
import { ORIGIN, SECRET } from './site.ts'

const OWNERS = 12

/** Creates users with a password and a session each. */
export async function makeOwners(db: PrismaClient): Promise<readonly [Owner, ...Owner[]]> {
  const [first, ...more] = Array.from({ length: OWNERS }, (_, at) => `owner${at + 1}`)
  return [await makeOwner(db, first ?? ''), ...(await Promise.all(more.map((name) => makeOwner(db, name))))]
}

async function makeOwner(db: PrismaClient, username: string): Promise<Owner> {
  const password = `the password of ${username}`
  const passwordHash = await hashPassword(password, { lane: OWNER_LANE, signal: undefined })
  const { id } = await insertUser(db, { username, passwordHash })
  const session = await openSession(db, { id, passwordHash }, { address: '203.0.113.251', userAgent: 'fleet' })
  const token = await encode({ token: { sub: id, sessionId: session?.sessionId }, secret: SECRET })
  return { username, password, cookie: `${sessionCookieName(ORIGIN)}=${token}` }
}
