import ipaddr from 'ipaddr.js'

/** The first bits of IPv6 addresses in which a translator puts IPv4 addresses (NAT64). */
export interface Nat64Prefix {
  readonly network: ipaddr.IPv4 | ipaddr.IPv6
  readonly bits: number
}

/** The lengths of a prefix of NAT64 (RFC 6052, 2.2). */
export const NAT64_BITS: readonly number[] = [32, 40, 48, 56, 64, 96]

const WELL_KNOWN: Nat64Prefix = { network: ipaddr.IPv6.parse('64:ff9b::'), bits: 96 }

/** Returns the IPv4 address of a client that reaches an IPv6 server by a tunnel or a translator: 6to4 (RFC 3056), Teredo
 *  (RFC 4380), NAT64 by the well-known prefix and `nat64`, SIIT (RFC 2765), and the old IPv4-compatible form. Null for any
 *  other address. Fit for counting and denying, not for trust: anybody may write such an address. */
export function embeddedIpv4(address: ipaddr.IPv6, nat64: readonly Nat64Prefix[] = []): ipaddr.IPv4 | null {
  const bytes = address.toByteArray()
  const last = bytes.slice(12)
  if (startsWith(bytes, [0x20, 0x02])) return new ipaddr.IPv4(bytes.slice(2, 6))
  if (startsWith(bytes, [0x20, 0x01, 0, 0])) return new ipaddr.IPv4(last.map((byte) => byte ^ 0xff))
  if (startsWith(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0])) return new ipaddr.IPv4(last)
  // Without 0.0.0.0/8, to which :: and ::1 would belong.
  if (startsWith(bytes, Array<number>(12).fill(0)) && bytes[12] !== 0) return new ipaddr.IPv4(last)
  const prefix = [WELL_KNOWN, ...nat64].find(({ network, bits }) => {
    return startsWith(bytes, network.toByteArray().slice(0, bits / 8))
  })
  return prefix ? new ipaddr.IPv4(translated(bytes, prefix.bits)) : null
}

function startsWith(bytes: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte)
}

/** The four bytes after the prefix; bits 64 to 71 are left out of an address. */
function translated(bytes: readonly number[], bits: number): number[] {
  const places = [0, 1, 2, 3, 4].map((place) => bits / 8 + place).filter((place) => bits === 96 || place !== 8)
  return places.slice(0, 4).map((place) => bytes[place] ?? 0)
}
