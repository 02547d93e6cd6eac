import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AddressTree } from '#server/access/address-tree.ts'
import { cidrText, overlap, parseCidr } from './cidr.ts'
import { parseAddress } from './counted-address.ts'

const normalize = (text: string) => {
  const cidr = parseCidr(text)
  return cidr && cidrText(cidr)
}

describe('a range', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7/32'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    [' 10.1.2.3/9 ', '10.0.0.0/9'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.7', '192.0.2.7/32'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
  ])('%s is %s', (text, spelled) => expect(normalize(text)).toBe(spelled))

  test.each(['', '1.2.3', '1.2.3.4/33', '1.2.3.4/', '1.2.3.4/-1', '1.2.3.4/08', '1.2.3.4/8/8', '0x7f.1', '2130706433'])(
    '%j is not a range',
    (text) => expect(parseCidr(text)).toBeNull(),
  )

  test.each(['fe80::1%eth0', '::/129', '::ffff:0:0/90', 'localhost', '1.2.3.4:80'])('%j is not a range', (text) =>
    expect(parseCidr(text)).toBeNull(),
  )
})

const toRules = (rules: Readonly<Record<string, 'allow' | 'deny'>>) =>
  Object.entries(rules).flatMap(([text, verdict]) => {
    const cidr = parseCidr(text)
    return cidr ? [{ cidr, verdict }] : []
  })

function decide(rules: Readonly<Record<string, 'allow' | 'deny'>>, text: string) {
  const address = parseAddress(text)
  if (!address) throw new Error(text)
  return new AddressTree(toRules(rules)).verdictFor(address)
}

describe('the most specific range decides', () => {
  const rules = { '0.0.0.0/0': 'deny', '10.0.0.0/8': 'allow', '10.1.0.0/16': 'deny', '10.1.2.3': 'allow' } as const
  test.each([
    ['192.0.2.1', 'deny'],
    ['10.9.9.9', 'allow'],
    ['10.1.9.9', 'deny'],
    ['10.1.2.3', 'allow'],
    ['::ffff:10.1.2.3', 'allow'],
    ['2001:db8::1', null],
  ])('%s: %s', (address, verdict) => expect(decide(rules, address)).toBe(verdict))

  test('for IPv6 too', () => {
    const ipv6 = { '2001:db8::/32': 'deny', '2001:db8:1::/48': 'allow' } as const
    expect(decide(ipv6, '2001:db8:2::1')).toBe('deny')
    expect(decide(ipv6, '2001:db8:1:2::1')).toBe('allow')
    expect(decide(ipv6, '2001:db9::1')).toBeNull()
  })

  test('exactly as a linear search does', () => {
    const octets = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.'))
    const rule = fc.tuple(octets, fc.nat(32), fc.constantFrom('allow' as const, 'deny' as const))
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 12 }), octets, (all, text) => {
        const own = Object.fromEntries(
          all.map(([network, bits, verdict]) => [normalize(`${network}/${bits}`) ?? '', verdict]),
        )
        const at = parseCidr(text)
        const containing = toRules(own).filter(({ cidr }) => at && overlap(cidr, at))
        const [best] = containing.toSorted((one, other) => other.cidr.bits - one.cidr.bits)
        expect(decide(own, text)).toBe(best?.verdict ?? null)
      }),
    )
  })
})
