import { countedAs, parseAddress } from '#server/counted-address.ts'
import { networkOf } from '#server/limits/subject.ts'

/** An address that nobody calls from, in place of one that is not known. */
export const NOWHERE = '0.0.0.0'

/** A subject as written in the limiter's keys (server/limits/subject.ts), parsed. */
export type ParsedSubjectKey =
  | { readonly kind: 'user'; readonly key: string; readonly userId: string }
  | { readonly kind: 'address'; readonly key: string; readonly address: string }
  /** An IPv4 /24 or an IPv6 /48. */
  | { readonly kind: 'network'; readonly key: string }
  /** An address of a shared account. */
  | { readonly kind: 'shared'; readonly key: string; readonly address: string; readonly userId: string }
  /** A program calling with a token. */
  | { readonly kind: 'token'; readonly key: string; readonly tokenId: string }
  /** What comes through a link of a share. */
  | { readonly kind: 'share'; readonly key: string; readonly shareId: string }
  /** A digest of something that is not stored: an attempted name, or an argument. */
  | { readonly kind: 'digest'; readonly key: string }
  /** Everyone together. */
  | { readonly kind: 'site'; readonly key: 'site' }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const USER = new RegExp(`^${UUID}$`)
const TOKEN = new RegExp(`^token/(${UUID})$`)
const SHARE = new RegExp(`^share/(${UUID})$`)
const SHARED = new RegExp(`^(.+):(${UUID})$`)
const DIGEST = /^#[A-Za-z0-9_-]{22}$/

/** Parses a subject from a key or from user input: an ID or an address in any notation. Returns null if it is
 *  neither. */
export function parseSubject(text: string): ParsedSubjectKey | null {
  if (text === 'site') return { kind: 'site', key: text }
  if (DIGEST.test(text)) return { kind: 'digest', key: text }
  const lower = text.toLowerCase()
  if (USER.test(lower)) return { kind: 'user', key: lower, userId: lower }
  const [, tokenId] = TOKEN.exec(lower) ?? []
  if (tokenId !== undefined) return { kind: 'token', key: lower, tokenId }
  const [, shareId] = SHARE.exec(lower) ?? []
  if (shareId !== undefined) return { kind: 'share', key: lower, shareId }
  const network = parseNetwork(lower)
  if (network !== null) return { kind: 'network', key: network }
  const [, before = lower, userId] = SHARED.exec(lower) ?? []
  const bare = before.replace(/\/64$/, '')
  const parsed = parseAddress(bare)
  if (!parsed) return null
  const address = countedAs(parsed)
  // IPv4 is counted by address, never by network.
  if (bare !== before && parsed.kind() === 'ipv4') return null
  if (userId === undefined) return { kind: 'address', key: address, address }
  return { kind: 'shared', key: `${address}:${userId}`, address, userId }
}

/** Returns a network as the limiter counts it; null for any other text. */
function parseNetwork(text: string): string | null {
  const [, before = '', bits] = /^([^/]+)\/(24|48)$/.exec(text) ?? []
  const address = parseAddress(before)
  if (!address || (address.kind() === 'ipv4') !== (bits === '24')) return null
  return networkOf({ address: countedAs(address), userId: null, shared: false })
}
