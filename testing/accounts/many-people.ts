import { viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import type { Role } from '#server/accounts/viewer.ts'
import type { Services } from '#server/services.ts'
import type { SignedIn } from '../sluice/sluice-app.ts'
import { signedInRows } from './signed-in.ts'

/** Creates `count` accounts with a session each by two statements, because signing in as many would take most of a suite's
 *  time. Returns a function that returns one of them at each call, and throws when there are no more. */
export async function manyPeople(
  app: Pick<Services, 'db' | 'site'>,
  count: number,
  rights: { readonly role: Role; readonly shared: boolean },
): Promise<() => SignedIn> {
  const { users, sessions } = signedInRows(count, rights)
  await app.db.user.createMany({ data: users })
  await app.db.session.createMany({ data: sessions })
  // They differ in their names alone.
  const like = await viewerOfSession(app, sessions[0]?.id ?? '')
  const people = users.map(({ id: userId, username }, at): SignedIn => {
    const sessionId = sessions[at]?.id
    if (!like || !sessionId) throw new Error('a session just opened has no viewer')
    return { viewer: { ...like, userId, username, sessionId }, sessionId }
  })
  return () => {
    const person = people.pop()
    if (!person) throw new Error(`there are no more than ${count} people`)
    return person
  }
}
