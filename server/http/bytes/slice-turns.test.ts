import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { networkLane } from '#server/turns/network-lane.ts'
import { sliceTurn } from './slice-turns.ts'

const gone: string[] = []
beforeEach(async () => {
  await turn()
  gone.length = 0
})

/** Asks for a turn for each of these, on behalf of an address. */
function ask(address: string, ...names: readonly string[]): void {
  for (const name of names) {
    const mine = sliceTurn(networkLane(address))
    if (mine === null) gone.push(name)
    else void mine.then(() => gone.push(name))
  }
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, id) => `${id}`)

test('eight slices are written per turn, in order of arrival', async () => {
  ask('192.0.2.1', ...upTo(19))
  expect(gone).toEqual(upTo(7))
  await turn()
  expect(gone).toEqual(upTo(15))
  ask('192.0.2.1', '20')
  await turn()
  expect(gone).toEqual(upTo(20))
  await turn()
  ask('192.0.2.1', '21')
  expect(gone).toEqual(upTo(21))
})

test('networks take turns, and so do the addresses in each, however many answers one reads', async () => {
  ask('192.0.2.1', ...upTo(99))
  ask('192.0.2.2', 'neighbour')
  ask('198.51.100.1', 'other')
  ask('2001:db8:1:2::/64', 'another')
  await turn()
  expect(gone.slice(8)).toEqual(['8', 'other', 'another', 'neighbour', '9', '10', '11', '12'])
  ask('198.51.100.1', 'again')
  await turn()
  expect(gone.slice(16)).toContain('again')
  for (let at = 0; at < 12; at += 1) await turn()
  expect(gone).toHaveLength(104)
})
