import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { parseSubject } from './subject-key.ts'

/** A subject of the limiter's keys as people read it. */
export interface ShownSubject {
  /** As in the keys, for a reset or an override; without its address for those who may not see that. */
  readonly key: string
  /** A 'shared' account counts by the address too; a 'digest' stands for what is not kept; 'site' is everybody together. */
  readonly kind: 'user' | 'token' | 'address' | 'shared' | 'digest' | 'site'
  /** The user's name, the token's with its owner's; null for one that is gone, and for who is neither. */
  readonly name: string | null
}

/** Names of users and tokens by their ids. */
export type SubjectNames = ReadonlyMap<string, string>

/** The names of all users and tokens among these subjects, in a query each; none where there are none. */
export async function subjectNamesOf(db: PrismaClient, subjects: readonly string[]): Promise<SubjectNames> {
  const parsed = subjects.map(parseSubject)
  const users = new Set(parsed.flatMap((subject) => (subject && 'userId' in subject ? subject.userId : [])))
  const tokens = new Set(parsed.flatMap((subject) => (subject && 'tokenId' in subject ? subject.tokenId : [])))
  const names = await Promise.all([userNames(db, [...users]), tokenNames(db, [...tokens])])
  return new Map(names.flat())
}

type Names = readonly (readonly [id: string, name: string])[]

async function userNames(db: PrismaClient, ids: string[]): Promise<Names> {
  if (ids.length === 0) return []
  const users = await db.user.findMany({ where: { id: { in: ids } }, select: { id: true, username: true } })
  return users.map(({ id, username }) => [id, username])
}

async function tokenNames(db: PrismaClient, ids: string[]): Promise<Names> {
  if (ids.length === 0) return []
  const select = { id: true, name: true, user: { select: { username: true } } }
  const tokens = await db.apiToken.findMany({ where: { id: { in: ids } }, select })
  return tokens.map(({ id, name, user }) => [id, `${name} of ${user.username}`])
}

/** Names a subject. Whoever shares an account with others learns of no address. */
export function shownSubject(text: string, names: SubjectNames, showsAddresses: boolean): ShownSubject {
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
    case 'token':
      return { key: text, kind: 'token', name: names.get(subject.tokenId) ?? null }
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

/** Asks for the names of all these subjects, for one viewer. */
export async function subjectTeller(
  db: PrismaClient,
  subjects: readonly string[],
  viewer: Viewer,
): Promise<SubjectTeller> {
  const names = await subjectNamesOf(db, subjects)
  return (subject) => shownSubject(subject, names, !viewer.shared)
}

/** In place of an address. */
const HIDDEN = 'hidden'
