import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInOwnNetwork } from '#testing/servers/own-network.ts'

const program = join(import.meta.dirname, '../../testing/servers/ipv6-visits.ts')

/** Returns the status of each visit, over real sockets; null where this machine has no network for it. */
async function visitFrom(visits: readonly string[], denied: readonly string[] = []): Promise<unknown> {
  const addresses = ['2001:db8::1', ...visits.filter((address) => address.includes(':'))]
  const order = JSON.stringify({ denied, visits })
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', program, order]
  const said = await runInOwnNetwork({ addresses, command })
  return said === null ? null : JSON.parse(said)
}

test('clients over IPv6 are counted by their /64, and blocked by the ranges and the IPv4 addresses that they stand for', async () => {
  const sameNetwork = Array.from(
    { length: 101 },
    (_, index) => `2001:db8:1:1:${(index * 37).toString(16)}::${index + 1}`,
  )
  const answers = new Map<string, number>([
    ['2001:db8:1:2::1', 404],
    ['2001:db8:2:9::1', 403],
    ['2001:db8:3::1', 404],
    // An IPv4 client of a socket for both kinds of address.
    ['127.0.0.9', 403],
    ['127.0.0.8', 404],
    // NAT64 and 6to4 of 192.0.2.9, and of 192.0.2.8.
    ['64:ff9b::c000:209', 403],
    ['64:ff9b::c000:208', 404],
    ['2002:c000:209::1', 403],
    ['2002:c000:208::1', 404],
  ])
  const denied = ['2001:db8:2::/48', '127.0.0.9/32', '192.0.2.9/32']
  const statuses = await visitFrom([...sameNetwork, ...answers.keys()], denied)
  if (statuses === null) return
  expect(statuses).toEqual([...Array(100).fill(404), 429, ...answers.values()])
})
