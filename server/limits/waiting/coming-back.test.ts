import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { chargesOfCall, perSecond, settle, stopTime, until, watchedRoom } from '#testing/limits/waiting.ts'
import { takenIn } from '../receipt.ts'
import type { RuleSet } from '../rule-set.ts'

beforeEach(stopTime)
afterEach(() => {
  vi.useRealTimers()
})

describe('permits released in this process', () => {
  test('wake the first of the queue after a refund', async () => {
    const { call, log, start } = watchedRoom()
    const permit = await call('a', perSecond(1))
    start('b', perSecond(1))
    await until(300)
    await permit.refund()
    await settle()
    expect(log.slice(1)).toEqual(['300 b passed after 300'])
  })

  test('wake it after a reset', async () => {
    const { call, log, start, store } = watchedRoom()
    const permit = await call('a', perSecond(1))
    start('b', perSecond(1))
    await until(300)
    await store.apply({ type: 'reset', charges: takenIn(permit.receipt) })
    await settle()
    expect(log.slice(1)).toEqual(['300 b passed after 300'])
  })

  test('are not missed by a call that the store refused a moment before', async () => {
    const { call, log, calls, store, work } = watchedRoom()
    const { receipt } = await call('a', perSecond(1))
    work.after = async ({ type }) => {
      if (type === 'take') await store.apply({ type: 'refund', charges: takenIn(receipt), at: [0], of: receipt })
    }
    await call('b', perSecond(1))
    expect(log.slice(1)).toEqual(['0 b passed after 0'])
    expect(calls).toEqual(['take', 'take', 'refund', 'take', 'refund'])
  })

  test('admit several calls when there are several', async () => {
    const { call, log, start } = watchedRoom()
    const permit = await call('a', perSecond(3), { cost: 3 })
    for (const name of ['b', 'c', 'd', 'e']) start(name, perSecond(3))
    await until(300)
    await permit.refund()
    await until(2_000)
    expect(log.slice(1)).toEqual([
      '300 b passed after 300',
      '300 c passed after 300',
      '300 d passed after 300',
      '1300 e passed after 1300',
    ])
  })
})

const inFlight: readonly RuleSet[] = [{ name: 'set', by: 'user', rules: [{ concurrent: 1 }], wait: '2s' }]

describe('permits released at the end of a call', () => {
  test('are waited for until the deadline, however long their lease', async () => {
    const { call, log, start } = watchedRoom()
    const permit = await call('a', inFlight)
    start('b', inFlight)
    start('c', inFlight)
    await until(1_300)
    await permit.end('succeeded')
    await until(3_000)
    expect(log.slice(1)).toEqual(['1300 b passed after 1300', '2000 c refused for 29300'])
  })

  test('are polled four times a second when they belong to another process', async () => {
    const { call, log, memory, calls, start } = watchedRoom()
    const permit = await call('a', inFlight)
    start('b', inFlight)
    await until(600)
    memory.apply({
      type: 'refund',
      charges: takenIn(permit.receipt),
      at: permit.receipt.lines.map(({ at }) => at.store),
    })
    await until(1_000)
    expect(log.slice(1)).toEqual(['750 b passed after 750'])
    expect(calls).toHaveLength(5)
  })

  test('are asked for once more at each deadline, and refused then', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', inFlight)
    start('b', inFlight)
    await until(100)
    start('hurried', [{ name: 'set', by: 'user', rules: [{ concurrent: 1 }], wait: '300ms' }])
    await until(2_000)
    expect(log.slice(1)).toEqual(['400 hurried refused for 29600', '2000 b refused for 28000'])
  })
})

test('limits that change while the store decides about a call apply to it too', async () => {
  const { room, work, call, log, start } = watchedRoom()
  await call('a', perSecond(1))
  work.after = async () => {
    work.after = async () => {}
    room.renew(() => chargesOfCall('b', perSecond(2)))
  }
  start('b', perSecond(1))
  await settle()
  expect(log).toEqual(['0 a passed after 0', '0 b passed after 0'])
})
