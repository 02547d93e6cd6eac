import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { parseCidr } from './cidr.ts'
import { embeddedIpv4 } from './embedded-ipv4.ts'

const embedded = (text: string, ...prefixes: readonly string[]) =>
  embeddedIpv4(
    ipaddr.IPv6.parse(text),
    prefixes.flatMap((prefix) => parseCidr(prefix) ?? []),
  )?.toString() ?? null

test.each([
  ['6to4', '2002:c000:221:5::1'],
  ['Teredo', '2001:0:53aa:64c:1c2b:63bf:3fff:fdde'],
  ['NAT64', '64:ff9b::c000:221'],
  ['SIIT', '::ffff:0:c000:221'],
  ['IPv4-compatible', '::c000:221'],
])('%s holds 192.0.2.33', (_, address) => {
  expect(embedded(address)).toBe('192.0.2.33')
})

// The table of RFC 6052, 2.4.
test.each([
  ['2001:db8::/32', '2001:db8:c000:221::'],
  ['2001:db8:100::/40', '2001:db8:1c0:2:21::'],
  ['2001:db8:122::/48', '2001:db8:122:c000:2:2100::'],
  ['2001:db8:122:300::/56', '2001:db8:122:3c0:0:221::'],
  ['2001:db8:122:344::/64', '2001:db8:122:344:c0:2:2100:0'],
  ['2001:db8:122:344::/96', '2001:db8:122:344::c000:221'],
])('a NAT64 of the prefix %s translates 192.0.2.33 to %s', (prefix, address) => {
  expect(embedded(address, prefix)).toBe('192.0.2.33')
  expect(embedded(address)).toBeNull()
})

test.each(['::', '::1', 'fe80::1', '2001:db8::c000:221', '2003::1', '64:ff9b:1::c000:221', '2001:1::c000:221'])(
  '%s holds none',
  (address) => expect(embedded(address)).toBeNull(),
)
