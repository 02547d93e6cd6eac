import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Cidr, parseCidr } from '#server/cidr.ts'
import { type Address, countedAs, parseAddress } from '#server/counted-address.ts'
import { embeddedIpv4 } from '#server/embedded-ipv4.ts'
import type { Caller } from '#server/limits/subject.ts'
import { Generations } from './generations.ts'

/**
 * Headers that state a client's address, host or scheme (x-forwarded-for, forwarded, cf-connecting-ip, true-client-ip,
 * x-azure-socketip, x-remote-addr and the like), and the server's own for its pages. They are evaluated here alone and
 * removed, so that no later code trusts one.
 */
const STATED =
  /^((x-)?([a-z]+-)*forwarded(-.+)?|x-sluice-.+|.*-(ip|ipv6|addr|address)|x-azure-.*ip|x-vercel-proxied-for)$/

export interface ClientAddress {
  /** The form that limits count by: IPv4, or an IPv6 /64. */
  readonly counted: string
  /** The full address; null if it is not certain: the peer is an untrusted proxy, or a trusted one does not name the client. */
  readonly exact: Address | null
}

/** A cached client: the same object as long as it is in the cache. */
export interface SeenClient {
  readonly counted: string
  /** The full address behind `counted`, which may be that of an untrusted proxy. */
  readonly address: Address
  /** The IPv4 address that an IPv6 `address` stands for; null for none. */
  readonly embedded: Address | null
  /** A trusted proxy has named it. */
  readonly isNamed: boolean
  /** The peer is a trusted proxy, whose request ID and trace are kept. */
  readonly isProxied: boolean
  /** A guest at this address as a caller of the limiter. */
  readonly guest: Caller
}

/** A cache entry: the peer, its X-Forwarded-For, and the client that they result in. */
interface Seen {
  readonly remote: string
  readonly forwarded: string
  readonly client: SeenClient
}

export interface AddressReader {
  /** Returns the request's client without changing the request. */
  seen(req: IncomingMessage): SeenClient
  /** Returns the request's client, and removes every header that states an address. */
  read(req: IncomingMessage): ClientAddress
  /** Returns the counted address of a connection whose request has no headers; null for that of a trusted proxy. */
  peer(socket: Socket): string | null
}

/** Clients in each generation of the cache, which spares a 304 a sixth of its processor time. */
const CACHED_CLIENTS = 16_384
/** Longer header names and values are not cached. */
const MAX_CACHED_LENGTH = 100

interface AddressSettings {
  /** Addresses and CIDRs. */
  readonly trustedProxies: readonly string[]
  /** CIDRs of NAT64 besides the well-known one. */
  readonly nat64: readonly string[]
}

/**
 * The client is the socket's peer, unless that is a trusted proxy: then it is the rightmost hop of X-Forwarded-For that is
 * not one. Hops further left are ignored, because any client can write them. `onUntrustedProxy` is called once for a private
 * peer that sends X-Forwarded-For without being trusted: most likely a proxy missing from the settings.
 */
export function createAddressReader(
  { trustedProxies, nat64 }: AddressSettings,
  onUntrustedProxy: (peer: string) => void,
): AddressReader {
  const isTrusted = withinRanges(trustedProxies)
  const prefixes = nat64.map(parseRange)
  const known = new Generations<Seen>(CACHED_CLIENTS)
  let hasWarned = false

  const embeddedIn = (address: Address) => (address instanceof ipaddr.IPv6 ? embeddedIpv4(address, prefixes) : null)

  const resolve = (remote: string, forwarded: string): SeenClient => {
    const hops = parseHops(forwarded)
    const peer = parseAddress(remote) ?? ipaddr.parse('0.0.0.0')
    if (hops.length > 0 && !isTrusted(peer) && isPrivate(peer) && !hasWarned) {
      hasWarned = true
      onUntrustedProxy(peer.toString())
    }
    const { client, isNamed } = findClient(peer, hops, isTrusted)
    const embedded = embeddedIn(client)
    const counted = countedAs(embedded ?? client)
    return {
      counted,
      address: client,
      embedded,
      isNamed,
      isProxied: isTrusted(peer),
      guest: { address: counted, userId: null, shared: false, role: 'guest' },
    }
  }

  const seen = (req: IncomingMessage): SeenClient => {
    const remote = req.socket.remoteAddress ?? ''
    const forwarded = req.headers['x-forwarded-for']?.toString() ?? ''
    if (forwarded.length > MAX_CACHED_LENGTH) return resolve(remote, forwarded)
    // Keyed by one of the two, comparing both: joining them would cost more than everything else.
    const key = forwarded || remote
    const before = known.get(key)
    if (before?.remote === remote && before.forwarded === forwarded) return before.client
    return known.add(key, { remote, forwarded, client: resolve(remote, forwarded) }).client
  }

  return {
    seen,
    peer({ remoteAddress = '' }) {
      const address = parseAddress(remoteAddress)
      return address && !isTrusted(address) ? countedAs(embeddedIn(address) ?? address) : null
    },
    read(req) {
      const { counted, address, isNamed } = seen(req)
      return { counted, exact: removeStated(req) && !isNamed ? null : address }
    },
  }
}

/**
 * Walks outwards from the socket over trusted hops. A hop that is not an address ends the walk at the last known one,
 * and the client then counts as not named.
 */
function findClient(peer: Address, hops: readonly string[], isTrusted: (address: Address) => boolean) {
  let client = peer
  let isNamed = false
  for (const hop of hops.toReversed()) {
    if (!isTrusted(client)) break
    const next = parseAddress(hop)
    if (!next) return { client, isNamed: false }
    client = next
    isNamed = true
  }
  return { client, isNamed }
}

function parseHops(forwarded: string): readonly string[] {
  return forwarded
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
}

const statedNames = new Generations<'stated' | 'other'>(1_024)

/** Returns whether a header states an address. */
function isStated(name: string): boolean {
  const known = statedNames.get(name)
  if (known !== undefined) return known === 'stated'
  const kind = STATED.test(name.toLowerCase()) ? 'stated' : 'other'
  if (name.length <= MAX_CACHED_LENGTH) statedNames.add(name, kind)
  return kind === 'stated'
}

/** Returns whether any header was removed. */
function removeStated(req: IncomingMessage): boolean {
  const raw = req.rawHeaders
  let hasRemoved = false
  for (let at = raw.length - 2; at >= 0; at -= 2) {
    const name = raw[at] ?? ''
    if (!isStated(name)) continue
    hasRemoved = true
    delete req.headers[name.toLowerCase()]
    raw.splice(at, 2)
  }
  return hasRemoved
}

/** Returns a test for membership in addresses and CIDRs. Throws TypeError for an invalid one. */
export function withinRanges(texts: readonly string[]): (address: Address) => boolean {
  const ranges = texts.map(parseRange)
  return (address) =>
    ranges.some(({ network, bits }) => network.kind() === address.kind() && address.match(network, bits))
}

function parseRange(text: string): Cidr {
  const cidr = parseCidr(text)
  if (!cidr) throw new TypeError(`${text} is no range of addresses`)
  return cidr
}

function isPrivate(address: Address): boolean {
  return ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(address.range())
}
