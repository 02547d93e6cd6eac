import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { type Address, countedAs, parseAddress } from '#server/counted-address.ts'

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

export interface AddressReader {
  /** Removes every header that states an address. */
  read(req: IncomingMessage): ClientAddress
}

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
  let hasWarned = false

  return {
    read(req) {
      const hops = hopsOf(req)
      const isForwarded = removeStated(req)
      const peer = parseAddress(req.socket.remoteAddress ?? '') ?? ipaddr.parse('0.0.0.0')
      if (hops.length > 0 && !isTrusted(peer) && isPrivate(peer) && !hasWarned) {
        hasWarned = true
        onUntrustedProxy(peer.toString())
      }
      const { client, isNamed } = clientOf(peer, hops, isTrusted)
      return { counted: countedAs(client), exact: isForwarded && !isNamed ? null : client }
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

function hopsOf(req: IncomingMessage): readonly string[] {
  return [req.headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
}

/** Whether there were any. */
function removeStated(req: IncomingMessage): boolean {
  const stated = Object.keys(req.headers).filter((name) => STATED.test(name))
  for (const name of stated) delete req.headers[name]
  const raw = req.rawHeaders
  for (let at = raw.length - 2; at >= 0; at -= 2) if (STATED.test(raw[at]?.toLowerCase() ?? '')) raw.splice(at, 2)
  return stated.length > 0
}

/** Whether an address lies in one of these ranges: addresses, or CIDRs. */
export function withinRanges(texts: readonly string[]): (address: Address) => boolean {
  const ranges = texts.map(parseRange)
  return (address) => ranges.some((range) => range[0].kind() === address.kind() && address.match(range))
}

function parseRange(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function isPrivate(address: Address): boolean {
  return ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(address.range())
}
