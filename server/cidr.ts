import ipaddr from 'ipaddr.js'
import type { Address } from './counted-address.ts'

/** A range of addresses: all that share the first `bits` bits. */
export interface Cidr {
  readonly network: Address
  readonly bits: number
}

/** Parses `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32`; IPv4-mapped IPv6 becomes IPv4. Returns null for anything
 *  else. */
export function parseCidr(text: string): Cidr | null {
  const [address = '', length, ...more] = text.trim().split('/')
  if (more.length > 0 || (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length))) return null
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !isPlainIpv6(address)) return null
  const parsed = ipaddr.parse(address)
  const most = 8 * parsed.toByteArray().length
  const bits = length === undefined ? most : Number(length)
  if (bits > most) return null
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress())
    return bits < 96 ? null : applyMask(parsed.toIPv4Address(), bits - 96)
  return applyMask(parsed, bits)
}

const isPlainIpv6 = (text: string): boolean => ipaddr.IPv6.isValid(text) && !text.includes('%')

function applyMask(address: Address, bits: number): Cidr {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * index))
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return { network: ipaddr.fromByteArray(bytes), bits }
}

/** Returns the canonical notation of a range. */
export const cidrText = ({ network, bits }: Cidr): string => `${network.toString()}/${bits}`

/** Whether one range contains the other. */
export function overlap(one: Cidr, other: Cidr): boolean {
  if (one.network.kind() !== other.network.kind()) return false
  const bits = Math.min(one.bits, other.bits)
  return cidrText(applyMask(one.network, bits)) === cidrText(applyMask(other.network, bits))
}
