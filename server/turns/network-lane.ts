import { cidrText, parseCidr } from '#server/cidr.ts'
import type { Lane } from './lanes.ts'

/** The networks that belong to one owner, as a rule: who has one address in it may have them all. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 }

/** Returns the lane of an address as limits count it: its IPv4 /24 or IPv6 /48, then the address or its /64. */
export function networkLane(address: string): Lane {
  const [bare = ''] = address.split('/')
  const range = parseCidr(bare)
  const network = range && parseCidr(`${bare}/${NETWORK_BITS[range.network.kind()]}`)
  return [network ? cidrText(network) : 'unknown', address]
}
