import { usernameKey, usernameSchema } from '#server/accounts/credentials.ts'
import type { Role } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import type { AnyCaller } from '#server/limits/subject.ts'
import { NOWHERE, type ParsedSubjectKey, parseSubject } from './subject-key.ts'

/** Who makes the call that is explained. */
export interface ExplainedCaller {
  readonly subject: ParsedSubjectKey
  readonly caller: AnyCaller
  /** No limits apply. */
  readonly isExempt: boolean
  /** What its token may do; null without one. */
  readonly tokenScopes: readonly string[] | null
}

/** Finds who is meant by a subject, in any notation of overrides, or by a user's name for signing in. Returns null for a user or a
 *  token that does not exist. */
export async function findExplainedCaller(db: PrismaClient, text: string): Promise<ExplainedCaller | null> {
  const subject = parseSubject(text)
  if (!subject) return usernameSchema.safeParse(text).success ? findUser(db, { usernameKey: usernameKey(text) }) : null
  switch (subject.kind) {
    case 'user':
      return findUser(db, { id: subject.userId })
    case 'shared':
      return findUser(db, { id: subject.userId }, subject)
    case 'token':
      return findToken(db, subject)
    case 'address': {
      const caller = { address: subject.address, userId: null, shared: false, role: 'guest' }
      return { subject, caller, isExempt: false, tokenScopes: null }
    }
    default:
      return { subject, caller: { subjectKey: subject.key }, isExempt: false, tokenScopes: null }
  }
}

const columns = { id: true, role: true, shared: true } as const

async function findUser(
  db: PrismaClient,
  where: { readonly id: string } | { readonly usernameKey: string },
  from?: Extract<ParsedSubjectKey, { kind: 'shared' }>,
): Promise<ExplainedCaller | null> {
  const user = await db.user.findUnique({ where, select: columns })
  if (!user) return null
  const subject = from ?? { kind: 'user', key: user.id, userId: user.id }
  return { subject, tokenScopes: null, ...asCaller(user, from?.address) }
}

async function findToken(
  db: PrismaClient,
  subject: Extract<ParsedSubjectKey, { kind: 'token' }>,
): Promise<ExplainedCaller | null> {
  const where = { id: subject.tokenId }
  const token = await db.apiToken.findUnique({ where, select: { scopes: true, user: { select: columns } } })
  return token && { subject, tokenScopes: token.scopes, ...asCaller(token.user) }
}

const asCaller = (
  { id, role, shared }: { readonly id: string; readonly role: Role; readonly shared: boolean },
  address = NOWHERE,
) => ({ caller: { address, userId: id, shared, role }, isExempt: role === 'superadmin' })
