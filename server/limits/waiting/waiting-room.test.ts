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

describe('caps', () => {
  test('a call above the limit of a key, or of the process, is refused as if its set did not wait', async () => {
    const { call, log, start } = watchedRoom({ waitersPerKey: 2, waitersPerProcess: 3 })
    await call('a', perSecond(1))
    for (const name of ['b', 'c', 'd']) {
      start(name, perSecond(1))
      await settle()
    }
    expect(log.slice(1)).toEqual(['0 d refused for 1000'])
    const others = perSecond(1, { name: 'others' })
    for (const name of ['e', 'f', 'g']) {
      start(name, others)
      await settle()
    }
    expect(log.slice(2)).toEqual(['0 e passed after 0', '0 g refused for 1000'])
  })

  test('a full queue has room again when a call leaves', async () => {
    const { call, log, start } = watchedRoom({ waitersPerKey: 1 })
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
