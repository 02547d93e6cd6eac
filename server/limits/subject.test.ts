import { expect, test } from 'vitest'
import { networkOf } from './subject.ts'

const at = (address: string) => networkOf({ address, userId: 'ann', shared: true })

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['192.0.2.255', '192.0.2.0/24'],
  ['192.0.20.7', '192.0.20.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1::/64', '2001:db8:1::/48'],
  ['2001:db8:0:2::/64', '2001:db8:0::/48'],
  ['2001:db8::/64', '2001:db8:0::/48'],
  ['2001::/64', '2001:0:0::/48'],
  ['::/64', '0:0:0::/48'],
])('the network of %s is %s', (address, network) => {
  expect(at(address)).toBe(network)
})

test('a named subject is a network of its own, and no text breaks a key', () => {
  expect(networkOf({ subject: 'ann' })).toMatch(/^#[A-Za-z0-9_-]{22}$/)
  expect(networkOf({ subject: 'ann' })).not.toBe(networkOf({ subject: 'bob' }))
  expect(at('a}:{b')).toMatch(/^#[A-Za-z0-9_-]{22}$/)
})
