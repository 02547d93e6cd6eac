import { expect, test } from 'vitest'
import { networkLane } from './network-lane.ts'

test.each([
  ['198.51.100.7', ['198.51.100.0/24', '198.51.100.7']],
  ['2001:db8:1:2::/64', ['2001:db8:1::/48', '2001:db8:1:2::/64']],
  ['2001:db8:1:ffff::/64', ['2001:db8:1::/48', '2001:db8:1:ffff::/64']],
  ['::/64', ['::/48', '::/64']],
  ['', ['unknown', '']],
])('the lane of %j is %j', (address, lane) => {
  expect(networkLane(address)).toEqual(lane)
})
