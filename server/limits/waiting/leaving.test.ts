import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { chargesOfCall, perSecond, settle, stopTime, until, watchedRoom } from '#testing/limits/waiting.ts'

beforeEach(stopTime)
afterEach(() => {
  vi.useRealTimers()
})

describe('a cancelled call', () => {
  test('asks nothing when it was cancelled before it began', async () => {
    const { call, calls, log } = watchedRoom()
    await expect(call('a', perSecond(1), {}, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect([calls, log]).toEqual([[], ['0 a gone']])
  })

  test('leaves the queue, and the next takes its place', async () => {
    const { call, calls, log, start } = watchedRoom()
    await call('a', perSecond(1))
    const leaving = new AbortController()
    start('b', perSecond(1), {}, leaving.signal)
    await settle()
    start('c', perSecond(1))
    await until(400)
    leaving.abort(new Error('gone'))
    await until(1_000)
    expect(log.slice(1)).toEqual(['400 b gone', '1000 c passed after 1000'])
    expect(calls).toEqual(['take', 'take', 'take'])
  })

  test('rejects at once while the store decides, and refunds its permits', async () => {
    const { calls, log, work, start } = watchedRoom()
    work.before = ({ type }) => new Promise((resolve) => setTimeout(resolve, type === 'take' ? 50 : 0))
    const leaving = new AbortController()
    start('a', perSecond(1), {}, leaving.signal)
    await until(20)
    leaving.abort(new Error('gone'))
    await until(51)
    start('b', perSecond(1))
    await until(200)
    expect(log).toEqual(['20 a gone', '101 b passed after 0'])
    expect(calls).toEqual(['take', 'refund', 'take'])
  })

  test('has taken nothing or has its permit, between any two steps of its work', async () => {
    for (let steps = 0; steps < 20; steps += 1) {
      const { room, memory } = watchedRoom()
      const charges = chargesOfCall('a', perSecond(1))
      const leaving = new AbortController()
      const taking = room.admit(charges, [], { signal: leaving.signal })
      let leave = Promise.resolve()
      for (let step = 0; step < steps; step += 1) leave = leave.then(() => {})
      leave = leave.then(() => leaving.abort())
      const passed = await taking.then(
        () => 1,
        () => 0,
      )
      await settle()
      expect(answersIn(memory.apply({ type: 'peek', charges }))).toMatchObject([{ remaining: 1 - passed }])
    }
  })

  test('lets the next have its permit at once, when it was the first and the store was deciding', async () => {
    const { call, calls, log, work, start } = watchedRoom()
    await call('a', perSecond(1))
    work.before = ({ type }) => new Promise((resolve) => setTimeout(resolve, type === 'take' ? 50 : 0))
    const leaving = new AbortController()
    start('b', perSecond(1), {}, leaving.signal)
    await until(60)
    start('c', perSecond(1))
    await until(1_040)
    leaving.abort(new Error('gone'))
    await until(1_200)
    expect(log.slice(1)).toEqual(['1040 b gone', '1101 c passed after 1041'])
    expect(calls).toEqual(['take', 'take', 'take', 'refund', 'take'])
  })

  test('does not enter the queue when the store was about to refuse it', async () => {
    const { call, log, work, calls, start } = watchedRoom()
    await call('a', perSecond(1))
    work.after = () => new Promise((resolve) => setTimeout(resolve, 50))
    const leaving = new AbortController()
    start('b', perSecond(1), {}, leaving.signal)
    await until(20)
    leaving.abort(new Error('gone'))
    await until(2_000)
    expect(log.slice(1)).toEqual(['20 b gone'])
    expect(calls).toEqual(['take', 'take'])
  })

  test('affects only itself when several calls share its signal', async () => {
    const { call, log, start } = watchedRoom()
    await call('a', perSecond(1))
    const leaving = new AbortController()
    for (let i = 0; i < 50; i += 1) start(`b${i}`, perSecond(1), {}, leaving.signal)
    await settle()
    start('c', perSecond(1))
    leaving.abort(new Error('gone'))
    await until(1_000)
    expect(log).toHaveLength(52)
    expect(log.at(-1)).toBe('1000 c passed after 1000')
  })
})
