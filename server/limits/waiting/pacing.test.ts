import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { settle, stopTime, until, watchedRoom } from '#testing/limits/waiting.ts'
import type { RuleSet } from '../rule-set.ts'

beforeEach(stopTime)
afterEach(() => {
  vi.useRealTimers()
})

describe('a bucket that paces', () => {
  const paced: readonly RuleSet[] = [
    {
      name: 'set',
      by: 'user',
      rules: [{ algorithm: 'leaky-bucket', limit: 2, window: '1s', capacity: 3 }],
      wait: '900ms',
    },
  ]

  test('delays calls until their turn, and refuses at once when the turn is too late', async () => {
    const { log, calls, start } = watchedRoom()
    for (const name of ['a', 'b', 'c']) start(name, paced)
    await until(2_000)
    expect(log).toEqual(['0 a passed after 0', '0 c refused for 100', '500 b passed after 500'])
    expect(calls).toEqual(['take', 'take', 'take'])
  })

  test('reports no delay once it is over', async () => {
    const { call } = watchedRoom()
    await call('a', paced)
    const second = call('b', paced)
    await until(500)
    expect((await second).decision).toMatchObject({ allowed: true, delayMs: 0, waitedMs: 500 })
    expect((await second).waitedFor).toBe('set-1s')
  })

  test('releases the turn of a cancelled call', async () => {
    const { call, log, calls, start } = watchedRoom()
    await call('a', paced)
    const leaving = new AbortController()
    start('b', paced, {}, leaving.signal)
    await until(100)
    leaving.abort(new Error('gone'))
    await settle()
    expect(calls).toEqual(['take', 'take', 'refund'])
    start('c', paced)
    await until(1_000)
    expect(log).toEqual(['0 a passed after 0', '100 b gone', '600 c passed after 500'])
  })

  test('delays no more calls than the process may', async () => {
    const { call, log } = watchedRoom({ waitersPerProcess: 1 })
    for (const name of ['a', 'b']) await Promise.race([call(name, paced), settle()])
    const other = paced.map((set) => ({ ...set, name: 'other' }))
    for (const name of ['c', 'd']) await call(name, other)
    await until(1_000)
    expect(log).toEqual(['0 a passed after 0', '0 c passed after 0', '0 d refused for 500', '500 b passed after 500'])
  })

  test('refunds the turn of a call that may not wait', async () => {
    const { log, calls, start } = watchedRoom({ waitersPerProcess: 3 })
    const wide = paced.map((set): RuleSet => {
      return { ...set, rules: [{ algorithm: 'leaky-bucket', limit: 2, window: '1s', capacity: 9 }], wait: '9s' }
    })
    for (const name of ['a', 'b', 'c', 'd']) start(name, wide)
    await until(500)
    start('e', wide)
    await until(2_000)
    expect(log).toEqual([
      '0 a passed after 0',
      '0 d refused for 1500',
      '500 b passed after 500',
      '1000 c passed after 1000',
      '1500 e passed after 1000',
    ])
    expect(calls).toEqual(['take', 'take', 'take', 'take', 'refund', 'peek', 'take'])
  })

  test('refuses at once a call whose turn comes after its own deadline', async () => {
    const { call, log, calls, start } = watchedRoom()
    await call('a', paced)
    start('b', paced, { waitMs: 499 })
    start('c', paced, { waitMs: 500 })
    await until(500)
    expect(log).toEqual(['0 a passed after 0', '0 b refused for 1', '500 c passed after 500'])
    expect(calls).toEqual(['take', 'take', 'take'])
  })

  test('deducts the time that a call has already waited elsewhere', async () => {
    const { call, log, start } = watchedRoom()
    const both: readonly RuleSet[] = [
      ...paced,
      { name: 'log', by: 'user', rules: [{ limit: 1, window: '700ms' }], wait: '5s' },
    ]
    await call('a', both)
    start('b', both)
    await until(700)
    expect(log.slice(1)).toEqual(['700 b passed after 700'])
    start('c', both)
    await until(1_000)
    for (const name of ['d', 'e']) start(name, paced)
    await until(3_000)
    expect(log.slice(2)).toEqual(['1200 d passed after 200', '1400 c refused for 600', '1700 e passed after 700'])
  })

  test('renews the leases of the calls that it delays', async () => {
    const { call, log, calls, start } = watchedRoom()
    const inFlight: RuleSet = { name: 'flight', by: 'user', rules: [{ concurrent: 2, lease: '1s' }] }
    const slow: RuleSet = {
      name: 'slow',
      by: 'user',
      rules: [{ algorithm: 'leaky-bucket', limit: 1, window: '3s', capacity: 2 }],
      wait: '5s',
    }
    await call('a', [slow, inFlight])
    start('b', [slow, inFlight])
    await until(2_900)
    await call('c', [inFlight])
    await call('d', [inFlight])
    await until(3_000)
    expect(log).toEqual([
      '0 a passed after 0',
      '2900 c passed after 0',
      '2900 d refused for 764',
      '3000 b passed after 3000',
    ])
    expect(calls.filter((type) => type === 'force')).toHaveLength(9)
    expect(vi.getTimerCount()).toBe(0)
  })
})
