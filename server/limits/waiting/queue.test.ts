import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { chargesOfCall, clock, perSecond, settle, stopTime, until, watchedRoom } from '#testing/limits/waiting.ts'
import type { RuleSet } from '../rule-set.ts'

beforeEach(stopTime)
afterEach(() => {
  vi.useRealTimers()
})

describe('a queue', () => {
  test('admits calls in order of arrival, with one request to the store each', async () => {
    const { log, calls, start } = watchedRoom()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      start(name, perSecond(2))
      await settle()
    }
    // Two pass, the third is refused and waits; the four behind it do not ask.
    expect(calls).toHaveLength(3)
    await until(3_000)
    expect(log.slice(2)).toEqual([
      '1000 c passed after 1000',
      '1000 d passed after 1000',
      '2000 e passed after 2000',
      '2000 f passed after 2000',
      '3000 g passed after 3000',
    ])
    expect(calls).toHaveLength(3 + 5)
  })

  test('is not overtaken by a new call that arrives together with permits', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(1))
    start('b', perSecond(1))
    await settle()
    vi.setSystemTime(1_000)
    start('c', perSecond(1))
    await until(2_000)
    expect(log.slice(1)).toEqual(['1000 b passed after 1000', '2000 c passed after 1000'])
  })

  test('does not starve an expensive first call in favour of cheap ones behind it', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(3), { cost: 2 })
    await until(500)
    start('dear', perSecond(3), { cost: 3 })
    await settle()
    for (const name of ['b', 'c', 'd']) start(name, perSecond(3))
    await until(2_000)
    expect(log.slice(1)).toEqual([
      '1000 dear passed after 500',
      '2000 b passed after 1500',
      '2000 c passed after 1500',
      '2000 d passed after 1500',
    ])
  })

  test('keeps the order of arrival of calls that were at the store together', async () => {
    const { log, work, start } = watchedRoom()
    const delays = [0, 10, 20]
    work.before = () => new Promise((resolve) => setTimeout(resolve, delays.pop()))
    for (const name of ['a', 'b', 'c']) start(name, perSecond(1))
    await settle()
    await until(3_000)
    expect(log.map((line) => line.split(' ')[1])).toEqual(['c', 'a', 'b'])
  })

  test('does not delay calls that need other permits; a call keeps its place from queue to queue', async () => {
    const { call, log, start } = watchedRoom()
    const narrow = perSecond(1)
    const wide: RuleSet[] = [{ name: 'wide', by: 'user', rules: [{ limit: 1, window: '3s' }], wait: '10s' }]
    await call('wide', wide)
    await call('narrow', narrow)
    start('both', [...narrow, ...wide])
    await settle()
    start('next', narrow)
    start('second', wide)
    await until(8_000)
    expect(log.slice(2)).toEqual([
      '1000 next passed after 1000',
      '3000 both passed after 3000',
      '6000 second passed after 6000',
    ])
  })

  test('refuses calls that can no longer meet their deadline as soon as that is known', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(1))
    start('b', perSecond(1))
    await settle()
    start('c', perSecond(1, { wait: '1500ms' }))
    await until(999)
    expect(log).toHaveLength(1)
    await until(1_000)
    expect(log.slice(1)).toEqual(['1000 b passed after 1000', '1000 c refused for 1000'])
  })

  test('refuses a call that has room but is not first with the wait of the first', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(3), { cost: 2 })
    start('dear', perSecond(3), { cost: 3 })
    await settle()
    const refused = await call('hurried', perSecond(3, { wait: '400ms' }))
    expect(log[1]).toBe('0 hurried refused for 1000')
    expect(refused.decision.refusedBy?.policy).toBe('set-1s')
  })

  test("asks again when the store's wait was wrong, as it is when other processes take permits", async () => {
    const { call, log, calls, memory, start } = watchedRoom()
    await call('a', perSecond(1))
    start('b', perSecond(1))
    await until(999)
    vi.setSystemTime(1_000)
    memory.apply({ type: 'take', charges: chargesOfCall('elsewhere', perSecond(1)) })
    await until(2_001)
    expect(log.slice(1)).toEqual(['2000 b passed after 2000'])
    expect(calls).toHaveLength(4)
  })

  test.each([
    [50, ['1050 b passed after 1050', '1050 c passed after 1050']],
    [150, ['1121 c refused for 1', '1150 b passed after 1150']],
  ])(
    'with a store that is slow by %d ms, the calls behind are asked about up to 100 ms after their deadline',
    async (slowMs, expected) => {
      const { call, log, start, work } = watchedRoom()
      await call('a', perSecond(2), { cost: 2 })
      start('b', perSecond(2))
      await settle()
      start('c', perSecond(2, { wait: '1020ms' }))
      await settle()
      work.before = async () => {
        if (clock.now() === 1_000) await new Promise((resolve) => setTimeout(resolve, slowMs))
      }
      await until(2_000)
      expect(log.slice(1)).toEqual(expected)
    },
  )

  test('adds the jitter to the time, but never exceeds the deadline', async () => {
    const { call, log, start } = watchedRoom({ jitterMs: () => 7 })
    await call('a', perSecond(1))
    start('b', perSecond(1))
    start('c', perSecond(1, { wait: '2010ms' }))
    await until(3_000)
    expect(log.slice(1)).toEqual(['1007 b passed after 1007', '2010 c passed after 2010'])
  })
})
