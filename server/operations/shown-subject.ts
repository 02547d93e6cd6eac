import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { parseSubject } from './subject-key.ts'

/** A subject of the limiter's keys as people read it. */
export interface ShownSubject {
  /** As in the keys, for a reset or an override; without its address for those who may not see that. */
  readonly key: string
  /** A 'shared' account counts by the address too; a 'digest' stands for what is not kept; 'site' is everybody together. */
  readonly kind: 'user' | 'address' | 'shared' | 'digest' | 'site'
  /** The user's name; null for one that is gone, and for who is no user. */
  readonly name: string | null
}

/** User names by their ids. */
export type UserNames = ReadonlyMap<string, string>

/** The names of all users among these subjects, in one query; none where there are none. */
export async function userNamesOf(db: PrismaClient, subjects: readonly string[]): Promise<UserNames> {
  const ids = new Set(subjects.flatMap((subject) => userIdIn(subject) ?? []))
  if (ids.size === 0) return new Map()
  const users = await db.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, username: true } })
  return new Map(users.map(({ id, username }) => [id, username]))
}

/** Names a subject. Whoever shares an account with others learns of no address. */
export function shownSubject(text: string, names: UserNames, showsAddresses: boolean): ShownSubject {
  const subject = parseSubject(text)
  switch (subject?.kind) {
    case undefined:
    case 'digest':
      return { key: text, kind: 'digest', name: null }
    case 'site':
      return { key: text, kind: 'site', name: null }
    case 'address':
      return { key: showsAddresses ? text : HIDDEN, kind: 'address', name: null }
    case 'user':
      return { key: text, kind: 'user', name: names.get(subject.userId) ?? null }
    case 'shared':
      return {
        key: showsAddresses ? text : subject.userId,
        kind: 'shared',
        name: names.get(subject.userId) ?? null,
      }
  }
}

/** Names a subject of those whose names were asked for. */
export type SubjectTeller = (subject: string) => ShownSubject

/** Asks for the names of all users among these subjects, for one viewer. */
export async function subjectTeller(
  db: PrismaClient,
  subjects: readonly string[],
  viewer: Viewer,
): Promise<SubjectTeller> {
  const names = await userNamesOf(db, subjects)
  return (subject) => shownSubject(subject, names, !viewer.shared)
}

/** In place of an address. */
const HIDDEN = 'hidden'

function userIdIn(text: string): string | null {
  const subject = parseSubject(text)
  return subject && 'userId' in subject ? subject.userId : null
}
