import { randomBytes } from 'node:crypto'
import { SESSION_SECONDS, viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import type { Role } from '#server/accounts/viewer.ts'
import type { Services } from '#server/services.ts'
import type { SignedIn } from '../sluice/sluice-app.ts'
import { NOBODYS_HASH } from './signed-in.ts'

/** Creates `count` accounts with a session each by two statements, because signing in as many would take most of a suite's
 *  time. Returns a function that returns one of them at each call, and throws when there are no more. */
export async function manyPeople(
  app: Pick<Services, 'db' | 'site'>,
  count: number,
  rights: { readonly role: Role; readonly shared: boolean },
): Promise<() => Promise<SignedIn>> {
  const { db } = app
  const now = new Date()
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1_000)
  const people = Array.from({ length: count }, () => {
    const username = `u${randomBytes(6).toString('hex')}`
    return { id: crypto.randomUUID(), username, usernameKey: username, ...rights }
  })
  await db.user.createMany({
    data: people.map((person) => ({ ...person, passwordHash: NOBODYS_HASH, lastSeenAt: now })),
  })
  const sessions = people.map(({ id: userId }) => {
    return {
      id: crypto.randomUUID(),
      userId,
      userAgent: 'test',
      address: '203.0.113.7',
      expiresAt,
      lastUsedAt: now,
      provedAt: now,
    }
  })
  await db.session.createMany({ data: sessions })
  return async () => {
    const sessionId = sessions.pop()?.id ?? ''
    const viewer = await viewerOfSession(app, sessionId)
    if (!viewer) throw new Error(`there are no more than ${count} people`)
    return { viewer, sessionId }
  }
}
