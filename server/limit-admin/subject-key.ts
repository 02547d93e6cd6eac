import { countedAs, parseAddress } from '#server/counted-address.ts'

/** A subject as the limiter's keys spell it (server/limits/subject.ts), and what it is. */
export type SubjectKey =
  | { readonly kind: 'user'; readonly key: string; readonly userId: string }
  | { readonly kind: 'address'; readonly key: string; readonly address: string }
  /** An address of a shared account. */
  | { readonly kind: 'shared'; readonly key: string; readonly address: string; readonly userId: string }
  /** By which a program calls. */
  | { readonly kind: 'token'; readonly key: string; readonly tokenId: string }
  /** Stands for what is not kept: a name that was tried, an argument. */
  | { readonly kind: 'digest'; readonly key: string }
  /** Everybody together. */
  | { readonly kind: 'site'; readonly key: 'site' }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const USER = new RegExp(`^${UUID}$`)
const TOKEN = new RegExp(`^token/(${UUID})$`)
const SHARED = new RegExp(`^(.+):(${UUID})$`)
const DIGEST = /^#[A-Za-z0-9_-]{22}$/

/** Reads a subject of a key, or what people write for one: an id or an address in any spelling. Null for what is none. */
export function parseSubject(text: string): SubjectKey | null {
  if (text === 'site') return { kind: 'site', key: text }
  if (DIGEST.test(text)) return { kind: 'digest', key: text }
  const lower = text.toLowerCase()
  if (USER.test(lower)) return { kind: 'user', key: lower, userId: lower }
  const [, tokenId] = TOKEN.exec(lower) ?? []
  if (tokenId !== undefined) return { kind: 'token', key: lower, tokenId }
  const [, before = lower, userId] = SHARED.exec(lower) ?? []
  const bare = before.replace(/\/64$/, '')
  const parsed = parseAddress(bare)
  if (!parsed) return null
  const address = countedAs(parsed)
  // Of IPv4 there is no network to count, only addresses.
  if (bare !== before && !address.endsWith('/64')) return null
  if (userId === undefined) return { kind: 'address', key: address, address }
  return { kind: 'shared', key: `${address}:${userId}`, address, userId }
}
