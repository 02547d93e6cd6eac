import ipaddr from 'ipaddr.js'
import { embeddedIpv4 } from './embedded-ipv4.ts'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Returns the form of an address that limits count by: IPv6 by its /64, which usually belongs to one customer; IPv4 as is,
 *  and so an IPv6 address that stands for an IPv4 one (embedded-ipv4.ts), of which one client would have many. */
export function countedAs(address: Address): string {
  const ipv4 = address instanceof ipaddr.IPv6 ? embeddedIpv4(address) : address
  if (ipv4) return ipv4.toString()
  const network = [...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]
  return `${ipaddr.fromByteArray(network).toString()}/64`
}

/** Parses `1.2.3.4`, `1.2.3.4:567`, `::1`, `[::1]:567`, `fe80::1%eth0`; IPv4-mapped IPv6 becomes IPv4. Returns null for
 *  anything else. */
export function parseAddress(text: string): Address | null {
  const bare = text
    .trim()
    .replace(/^"|"$/g, '')
    .replace(/^\[(.+)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null
  return ipaddr.process(bare)
}
