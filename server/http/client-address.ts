import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { parseCidr } from '#server/cidr.ts'
import { type Address, countedAs, parseAddress } from '#server/counted-address.ts'
import type { Caller } from '#server/limits/subject.ts'
import { Generations } from './generations.ts'

/**
 * Headers in which somebody else states a client's address, its host or its scheme, and those in which this server
 * tells its pages: read or written here, and believed by nothing behind. (x-forwarded-for, forwarded, cf-connecting-ip,
 * true-client-ip, x-azure-socketip, x-remote-addr and their like.)
 */
const STATED =
  /^((x-)?([a-z]+-)*forwarded(-.+)?|x-sluice-.+|.*-(ip|ipv6|addr|address)|x-azure-.*ip|x-vercel-proxied-for)$/

export interface ClientAddress {
  /** As the limiter counts it: IPv4, or an IPv6 /64. */
  readonly counted: string
  /** The same in full; null where it may be anybody's: somebody speaks for others who is not trusted, or names nobody. */
  readonly exact: Address | null
}

/** A client that was seen, and will be again: one object as long as it is remembered. */
export interface SeenClient {
  readonly counted: string
  /** In full whom `counted` counts, whoever that speaks for. */
  readonly address: Address
  /** Whether a trusted proxy names it. */
  readonly isNamed: boolean
  /** It without an account. */
  readonly guest: Caller
}

/** Whom a peer that says this speaks for. */
interface Seen {
  readonly remote: string
  readonly forwarded: string
  readonly client: SeenClient
}

export interface AddressReader {
  /** Who sends the request. Changes nothing of it. */
  seen(req: IncomingMessage): SeenClient
  /** The same, and removes every header that states an address. */
  read(req: IncomingMessage): ClientAddress
}

/** Of each generation: clients, and names of headers. */
const REMEMBERED = 16_384
const LONGEST_REMEMBERED = 100

/**
 * The socket's peer, unless that is a trusted proxy: then the rightmost hop of X-Forwarded-For that is not one.
 * Nothing further left is believed, because any client can write it. `onUntrustedProxy` hears once of a private peer
 * that sends X-Forwarded-For without being trusted: most likely a proxy that nobody told Sluice about.
 */
export function createAddressReader(
  trustedProxies: readonly string[],
  onUntrustedProxy: (peer: string) => void,
): AddressReader {
  const isTrusted = withinRanges(trustedProxies)
  const known = new Generations<Seen>(REMEMBERED)
  let hasWarned = false

  const look = (remote: string, forwarded: string): SeenClient => {
    const hops = hopsOf(forwarded)
    const peer = parseAddress(remote) ?? ipaddr.parse('0.0.0.0')
    if (hops.length > 0 && !isTrusted(peer) && isPrivate(peer) && !hasWarned) {
      hasWarned = true
      onUntrustedProxy(peer.toString())
    }
    const { client, isNamed } = clientOf(peer, hops, isTrusted)
    const counted = countedAs(client)
    return {
      counted,
      address: client,
      isNamed,
      guest: { address: counted, userId: null, shared: false, role: 'guest' },
    }
  }

  const seen = (req: IncomingMessage): SeenClient => {
    const remote = req.socket.remoteAddress ?? ''
    const forwarded = req.headers['x-forwarded-for']?.toString() ?? ''
    if (forwarded.length > LONGEST_REMEMBERED) return look(remote, forwarded)
    // By one of the two, with both compared: to join them costs more than all the rest.
    const key = forwarded || remote
    const before = known.get(key)
    if (before?.remote === remote && before.forwarded === forwarded) return before.client
    return known.add(key, { remote, forwarded, client: look(remote, forwarded) }).client
  }

  return {
    seen,
    read(req) {
      const { counted, address, isNamed } = seen(req)
      return { counted, exact: removeStated(req) && !isNamed ? null : address }
    },
  }
}

/** Walks from the socket outwards over trusted hops; a hop that is no address ends the walk at the last one known. The
 *  client is named where a trusted hop tells its address. */
function clientOf(peer: Address, hops: readonly string[], isTrusted: (address: Address) => boolean) {
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

function hopsOf(forwarded: string): readonly string[] {
  return forwarded
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
}

const statedNames = new Generations<'stated' | 'other'>(1_024)

/** Whether the header of a name states an address. */
function isStated(name: string): boolean {
  const known = statedNames.get(name)
  if (known !== undefined) return known === 'stated'
  const kind = STATED.test(name.toLowerCase()) ? 'stated' : 'other'
  if (name.length <= LONGEST_REMEMBERED) statedNames.add(name, kind)
  return kind === 'stated'
}

/** Whether there were any. */
function removeStated(req: IncomingMessage): boolean {
  const raw = req.rawHeaders
  let wereThere = false
  for (let at = raw.length - 2; at >= 0; at -= 2) {
    const name = raw[at] ?? ''
    if (!isStated(name)) continue
    wereThere = true
    delete req.headers[name.toLowerCase()]
    raw.splice(at, 2)
  }
  return wereThere
}

/** Whether an address lies in one of these ranges: addresses, or CIDRs. Throws TypeError for what is neither. */
export function withinRanges(texts: readonly string[]): (address: Address) => boolean {
  const ranges = texts.map(rangeOf)
  return (address) => ranges.some((range) => range[0].kind() === address.kind() && address.match(range))
}

function rangeOf(text: string): [Address, number] {
  const cidr = parseCidr(text)
  if (!cidr) throw new TypeError(`${text} is no range of addresses`)
  return [cidr.network, cidr.bits]
}

function isPrivate(address: Address): boolean {
  return ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(address.range())
}
