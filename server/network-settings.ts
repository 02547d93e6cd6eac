import { z } from 'zod'
import { parseCidr } from './cidr.ts'
import { NAT64_BITS } from './embedded-ipv4.ts'

/** Addresses and CIDRs, separated by commas. */
export const cidrs = z.string().transform((text, ctx) => {
  const parts = text.split(',').map((part) => part.trim())
  for (const part of parts.filter(Boolean)) {
    if (parseCidr(part) === null) {
      ctx.addIssue(`"${part}" is neither an address nor a CIDR such as 10.0.0.0/8`)
    }
  }
  return parts.filter(Boolean)
})

/** IPv6 prefixes that a NAT64 uses. */
export const nat64 = cidrs.transform((texts, ctx) => {
  for (const text of texts) {
    const prefix = parseCidr(text)
    if (prefix?.network.kind() !== 'ipv6' || !NAT64_BITS.includes(prefix.bits))
      ctx.addIssue(`"${text}" is not an IPv6 prefix of ${NAT64_BITS.join(', ')} bits, such as 2001:db8:64::/96`)
  }
  return texts
})

/** Where the site is, without a path. */
export const origin = z.string().transform((text, ctx) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.username) {
    ctx.addIssue('must be an origin such as https://images.example.org, without a path')
    return z.NEVER
  }
  return url.origin
})
