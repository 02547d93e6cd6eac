import { hash } from 'node:crypto'
import type { CountBy } from './rule-set.ts'

/** The caller of a procedure. `address` is already normalised (IPv6 as its /64, mapped IPv4 as IPv4). */
export interface Caller {
  readonly address: string
  readonly userId: string | null
  readonly shared: boolean
  /** The role by which overrides can target callers, such as 'guest' or 'admin'. */
  readonly role?: string
}

/** A subject named by the code that calls the limiter, such as an account name with an address. It is hashed into the
 *  key, so it may be any text. Counts under it for every `by` but 'site'. */
export interface NamedSubject {
  readonly subject: string
}

/** A subject as it is spelled in keys: a user's id, an address, both for a shared account, or the digest of a name. For
 *  code that reads a subject from the statistics and wants to peek or reset it. Counts under it for every `by` but
 *  'site'. */
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

/** The subject before escaping, where it is a single text; null where it is made of two texts, or named. */
export function plainSubjectOf(by: CountBy, caller: AnyCaller): string | null {
  if (by === 'site') return 'site'
  if (!('address' in caller)) return null
  const { address, userId, shared } = caller
  if (by === 'network') return networkOf(caller)
  if (by === 'ip' || userId === null) return address
  return by === 'subject' && shared ? null : userId
}

/** The subject of the total over all addresses of a shared account, its user id; null for callers who are not counted
 *  by address within one. */
export function totalSubjectOf(by: CountBy, caller: AnyCaller): string | null {
  if (by !== 'subject' || !('address' in caller) || !caller.shared || caller.userId === null) return null
  return safe(caller.userId)
}

/** The network of a caller: IPv4 by /24, IPv6 by /48. A named subject stands for itself. */
export function networkOf(caller: AnyCaller): string {
  if (!('address' in caller)) return subjectOf('ip', caller)
  const { address } = caller
  const [, ipv4] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address) ?? []
  if (ipv4 !== undefined) return `${ipv4}.0/24`
  // Of an IPv6 address in its canonical form, the groups before `::` are the first.
  const [groups = ''] = address.split('::', 1)
  return safe(`${[...groups.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3).join(':')}::/48`)
}

/** The text, or its digest when it contains anything that could break the key's hash tag or make the key too long. No
 *  safe text equals a digest. */
export function safe(text: string): string {
  return /^[A-Za-z0-9.:/_-]{1,64}$/.test(text) ? text : digest(text)
}

function isDigest(text: string): boolean {
  return /^#[A-Za-z0-9_-]{22}$/.test(text)
}

/** '#' and 22 characters of the SHA-256 of the text in base64url. */
export function digest(text: string): string {
  return `#${hash('sha256', text, 'base64url').slice(0, 22)}`
}
