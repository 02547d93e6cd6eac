import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { parseSubject } from './subject-key.ts'

/** A subject as shown to people. */
export interface ShownSubject {
  /** As in the limiter's keys, for a reset or an override; without the address for viewers who may not see it. */
  readonly key: string
  /** 'shared': a shared account counted by address as well; 'digest': of something that is not stored; 'site': everyone
   *  together. */
  readonly kind: 'user' | 'token' | 'share' | 'address' | 'network' | 'shared' | 'digest' | 'site'
  /** The user's name, the token's with its owner's, or that of the share's owner. Null if deleted, and for other kinds. */
  readonly name: string | null
}

/** Names of users, tokens and owners of shares by ID. */
export type SubjectNames = ReadonlyMap<string, string>

/** Returns the names of all users, tokens and owners of shares among the subjects, with at most one query for each. */
export async function loadSubjectNames(db: PrismaClient, subjects: readonly string[]): Promise<SubjectNames> {
  const parsed = subjects.map(parseSubject)
  const users = new Set(parsed.flatMap((subject) => (subject && 'userId' in subject ? subject.userId : [])))
  const tokens = new Set(parsed.flatMap((subject) => (subject && 'tokenId' in subject ? subject.tokenId : [])))
  const shares = new Set(parsed.flatMap((subject) => (subject && 'shareId' in subject ? subject.shareId : [])))
  const names = await Promise.all([userNames(db, [...users]), tokenNames(db, [...tokens]), shareNames(db, [...shares])])
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
  return tokens.map(({ id, name, user }) => [id, `${name} (${user.username})`])
}

/** The title of a share may tell what only its owner's guests should know. */
async function shareNames(db: PrismaClient, ids: string[]): Promise<Names> {
  if (ids.length === 0) return []
  const select = { id: true, owner: { select: { username: true } } }
  const shares = await db.share.findMany({ where: { id: { in: ids } }, select })
  return shares.map(({ id, owner }) => [id, owner.username])
}

/** Describes a subject. Viewers of a shared account see no addresses. */
export function describeSubject(text: string, names: SubjectNames, showsAddresses: boolean): ShownSubject {
  const subject = parseSubject(text)
  switch (subject?.kind) {
    case undefined:
    case 'digest':
      return { key: text, kind: 'digest', name: null }
    case 'site':
      return { key: text, kind: 'site', name: null }
    case 'address':
    case 'network':
      return { key: showsAddresses ? text : HIDDEN, kind: subject.kind, name: null }
    case 'user':
      return { key: text, kind: 'user', name: names.get(subject.userId) ?? null }
    case 'token':
      return { key: text, kind: 'token', name: names.get(subject.tokenId) ?? null }
    case 'share':
      return { key: text, kind: 'share', name: names.get(subject.shareId) ?? null }
    case 'shared':
      return {
        key: showsAddresses ? text : subject.userId,
        kind: 'shared',
        name: names.get(subject.userId) ?? null,
      }
  }
}

/** Describes one of the subjects whose names were loaded. */
export type SubjectNamer = (subject: string) => ShownSubject

/** Loads the names of all subjects, for one viewer. */
export async function createSubjectNamer(
  db: PrismaClient,
  subjects: readonly string[],
  viewer: Viewer,
): Promise<SubjectNamer> {
  const names = await loadSubjectNames(db, subjects)
  return (subject) => describeSubject(subject, names, !viewer.shared)
}

/** Shown in place of an address. */
const HIDDEN = 'hidden'
