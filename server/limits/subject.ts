import { hash } from 'node:crypto'
import type { CountBy } from './rule-set.ts'

/** Who calls. `address` is already normalised (IPv6 as its /64, mapped IPv4 as IPv4). */
export interface Caller {
  readonly address: string
  readonly userId: string | null
  readonly shared: boolean
  /** What overrides for some callers go by, such as 'guest' or 'admin'. */
  readonly role?: string
}

/** A subject that the caller of the limiter names itself, such as an account name with an address. It is hashed into
 *  the key, so it may hold anything, and counts for every `by` but 'site'. */
export interface NamedSubject {
  readonly subject: string
}

/** A subject as a rule set's keys spell it, whoever that is: a user's id, an address, both for a shared account, or the
 *  digest of a name. Counts for every `by` but 'site'. For whoever reads of a subject and wants to look, or forget. */
export interface SubjectKey {
  readonly subjectKey: string
}

/** Whom a call may be charged to. */
export type AnyCaller = Caller | NamedSubject | SubjectKey

/** The subject of a rule set's keys: the text in the key's braces. */
export function subjectOf(by: CountBy, caller: AnyCaller): string {
  const plain = plainSubjectOf(by, caller)
  if (plain !== null) return safe(plain)
  if ('subject' in caller) return digest(caller.subject)
  if ('subjectKey' in caller) return isDigest(caller.subjectKey) ? caller.subjectKey : safe(caller.subjectKey)
  return `${safe(caller.address)}:${safe(caller.userId ?? '')}`
}

/** The one text that the subject is made of, as the caller has it; null for a subject that is made of two, or named. */
export function plainSubjectOf(by: CountBy, caller: AnyCaller): string | null {
  if (by === 'site') return 'site'
  if (!('address' in caller)) return null
  const { address, userId, shared } = caller
  if (by === 'ip' || userId === null) return address
  return by === 'subject' && shared ? null : userId
}

/** Whoever counts by address within a shared account is also held by a total over all its addresses: its user id. */
export function totalSubjectOf(by: CountBy, caller: AnyCaller): string | null {
  if (by !== 'subject' || !('address' in caller) || !caller.shared || caller.userId === null) return null
  return safe(caller.userId)
}

/** What could end a key's hash tag, or make it endless, is replaced by a digest, which no safe text equals. */
export function safe(text: string): string {
  return /^[A-Za-z0-9.:/_-]{1,64}$/.test(text) ? text : digest(text)
}

function isDigest(text: string): boolean {
  return /^#[A-Za-z0-9_-]{22}$/.test(text)
}

/** A text of 23 characters that stands for another, of which it tells nothing. */
export function digest(text: string): string {
  return `#${hash('sha256', text, 'base64url').slice(0, 22)}`
}
