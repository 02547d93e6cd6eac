import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { perSecond, settle, stopTime, until, watchedRoom } from '#testing/limits/waiting.ts'
import type { RuleSet } from '../rule-set.ts'

beforeEach(stopTime)
afterEach(() => {
  vi.useRealTimers()
})

describe('a call whose rule set says wait', () => {
  test('passes when its time has come, and not a millisecond earlier', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(1))
    start('b', perSecond(1))
    await until(999)
    expect(log).toEqual(['0 a passed after 0'])
    await until(1_000)
    expect(log).toEqual(['0 a passed after 0', '1000 b passed after 1000'])
  })

  test('is refused at once when the set, or another one that refuses, does not say wait', async () => {
    const { call, log } = watchedRoom()
    const impatient: RuleSet = { name: 'other', by: 'user', rules: [{ limit: 1, window: '1s' }] }
    await call('a', [...perSecond(1), impatient])
    await call('b', [...perSecond(1), impatient])
    await call('c', [impatient])
    expect(log).toEqual(['0 a passed after 0', '0 b refused for 1000', '0 c refused for 1000'])
  })

  test('is refused at once, with the true wait, when its permit comes after its deadline', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(1))
    await call('b', perSecond(1, { wait: '999ms' }))
    expect(log[1]).toBe('0 b refused for 1000')
    start('c', perSecond(1, { wait: '1s' }))
    await until(1_000)
    expect(log[2]).toBe('1000 c passed after 1000')
  })

  test('uses the shortest wait of the sets that refuse it', async () => {
    const { call, log } = watchedRoom()
    const sets = [...perSecond(1), ...perSecond(1, { name: 'hurried', wait: '500ms' })]
    await call('a', sets)
    await call('b', sets)
    expect(log[1]).toBe('0 b refused for 1000')
  })
})

describe('a call with a deadline of its own', () => {
  test('waits at most that long, and no longer than its set says', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(1))
    start('b', perSecond(1), { waitMs: 60_000 })
    start('c', perSecond(1), { waitMs: 1_999 })
    start('d', perSecond(1, { wait: '1500ms' }), { waitMs: 60_000 })
    await until(1_000)
    expect(log.slice(1)).toEqual(['1000 b passed after 1000', '1000 c refused for 1000', '1000 d refused for 1000'])
  })

  test('of 0 is refused at once, and overtakes nobody', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(2), { cost: 2 })
    await call('b', perSecond(2), { waitMs: 0 })
    start('c', perSecond(2), { cost: 2 })
    await until(1_000)
    await call('d', perSecond(2), { waitMs: 0 })
    expect(log.slice(1)).toEqual(['0 b refused for 1000', '1000 c passed after 1000', '1000 d refused for 1000'])
  })

  test('finds in its decision how long it could wait', async () => {
    const { call } = watchedRoom()
    const { decision } = await call('a', perSecond(2, { wait: '5s' }), { waitMs: 9_000 })
    expect(decision).toMatchObject({ ownWaitMs: 5_000, waitedMs: 0 })
    expect((await call('b', perSecond(2), { waitMs: 2_000 })).decision.ownWaitMs).toBe(2_000)
    expect((await call('c', perSecond(9))).decision).not.toHaveProperty('ownWaitMs')
  })
})

describe('caps', () => {
  test('a subject takes as many places as it leaves free, and is then refused as if its set did not wait', async () => {
    const { call, log, start } = watchedRoom({ waitersPerProcess: 4 })
    const user = (userId: string) => ({ caller: { address: '192.0.2.1', userId, shared: false } })
    await call('a', perSecond(1))
    for (const name of ['b', 'c', 'd']) {
      start(name, perSecond(1))
      await settle()
    }
    expect(log.slice(1)).toEqual(['0 d refused for 1000'])
    for (const [name, userId] of ['e bob', 'f bob', 'g bob', 'h eve', 'i eve', 'j kim', 'k kim'].map((each) =>
      each.split(' '),
    )) {
      start(name ?? '', perSecond(1), user(userId ?? ''))
      await settle()
    }
    expect(log.slice(2)).toEqual([
      '0 e passed after 0',
      '0 g refused for 1000',
      '0 h passed after 0',
      '0 j passed after 0',
      '0 k refused for 1000',
    ])
  })

  test('many calls of one subject wait, and pass in the order in which they came', async () => {
    const { log, calls, start } = watchedRoom()
    for (let i = 0; i < 200; i += 1) start(`${i}`, perSecond(50, { wait: '60s' }))
    await until(3_000)
    expect(log).toEqual(
      Array.from({ length: 200 }, (_, i) => {
        const ms = 1_000 * Math.floor(i / 50)
        return `${ms} ${i} passed after ${ms}`
      }),
    )
    expect(calls).toHaveLength(200 + 150)
  })

  test('a full queue has room again when a call leaves', async () => {
    const { call, log, start } = watchedRoom({ waitersPerProcess: 1 })
    await call('a', perSecond(1))
    const leaving = new AbortController()
    start('b', perSecond(1), {}, leaving.signal)
    await settle()
    leaving.abort(new Error('gone'))
    await settle()
    start('c', perSecond(1))
    await until(1_000)
    expect(log.slice(1)).toEqual(['0 b gone', '1000 c passed after 1000'])
  })
})

describe('a store that fails', () => {
  test('fails the first call alone; the next asks in its place', async () => {
    const { call, log, work, start } = watchedRoom()
    await call('a', perSecond(1))
    start('b', perSecond(1))
    await settle()
    start('c', perSecond(1))
    await until(999)
    let failures = 1
    work.before = async () => {
      if (failures-- > 0) throw new Error('no store')
    }
    await until(1_000)
    expect(log.slice(1)).toEqual(['1000 b no store', '1000 c passed after 1000'])
  })

  test('lets no call wait for ever behind the first when it hangs', async () => {
    const { call, log, work, start } = watchedRoom()
    await call('a', perSecond(1))
    start('b', perSecond(1, { wait: '1500ms' }))
    await settle()
    start('c', perSecond(1, { wait: '2s' }))
    await settle()
    work.before = ({ type }) => (type === 'take' ? new Promise(() => {}) : Promise.resolve())
    await until(5_000)
    expect(log.slice(1)).toEqual(['2101 c refused for 1'])
  })
})

describe('closing', () => {
  test('refuses calls that wait in a queue or for their turn, and lets no further call wait', async () => {
    const { call, log, room, start } = watchedRoom()
    await call('a', perSecond(1))
    for (const name of ['b', 'c']) start(name, perSecond(1))
    const paced = perSecond(1, {
      name: 'paced',
      rules: [{ algorithm: 'leaky-bucket', limit: 1, window: '1s', capacity: 2 }],
    })
    await call('d', paced)
    start('e', paced)
    await until(250)
    await room.close()
    expect(log.slice(2)).toEqual(['250 b refused for 750', '250 c refused for 750', '250 e refused for 750'])
    await call('f', perSecond(1))
    expect(log.at(-1)).toBe('250 f refused for 750')
    expect(vi.getTimerCount()).toBe(0)
  })
})
