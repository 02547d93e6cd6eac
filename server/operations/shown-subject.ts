import type { PrismaClient } from '#server/database/database.ts'

const USER_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHARED = /^(.+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const ADDRESS = /^[0-9a-f.:]+(?:\/64)?$/

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
  const ids = [...new Set(subjects.flatMap((subject) => userIdIn(subject) ?? []))]
  if (ids.length === 0) return new Map()
  const users = await db.user.findMany({ where: { id: { in: ids } }, select: { id: true, username: true } })
  return new Map(users.map(({ id, username }) => [id, username]))
}

/** Names a subject. Whoever shares an account with others learns of no address. */
export function shownSubject(key: string, names: UserNames, showsAddresses: boolean): ShownSubject {
  if (key === 'site') return { key, kind: 'site', name: null }
  if (USER_ID.test(key)) return { key, kind: 'user', name: names.get(key) ?? null }
  const [, , userId] = SHARED.exec(key) ?? []
  if (userId) return { key: showsAddresses ? key : userId, kind: 'shared', name: names.get(userId) ?? null }
  if (!ADDRESS.test(key)) return { key, kind: 'digest', name: null }
  return { key: showsAddresses ? key : 'hidden', kind: 'address', name: null }
}

/** The user in a subject; null where there is none. */
export function userIdIn(subject: string): string | null {
  return USER_ID.test(subject) ? subject : (SHARED.exec(subject)?.[2] ?? null)
}
