import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clock, stopTime, until } from '#testing/limits/waiting.ts'
import { Alarm } from './alarm.ts'

beforeEach(stopTime)
afterEach(() => {
  vi.useRealTimers()
})

function ringing(alarm: Alarm, at: number): readonly number[] {
  const rings: number[] = []
  alarm.set(at, () => rings.push(clock.now()))
  return rings
}

test('rings once, at its time, even when that is too late for a single timer', async () => {
  const rings = ringing(new Alarm(clock), 2 ** 32)
  await until(2 ** 32 - 1)
  expect(rings).toEqual([])
  await until(2 ** 33)
  expect(rings).toEqual([2 ** 32])
})

test('keeps waiting when the timer fired early', async () => {
  const late = { now: () => clock.now() - 1 }
  const rings: number[] = []
  new Alarm(late).set(99, () => rings.push(late.now()))
  vi.setSystemTime(0)
  await vi.advanceTimersByTimeAsync(99)
  expect(rings).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(rings).toEqual([99])
})

test('drops the previous time when it is set again, and all when it is cleared', async () => {
  const alarm = new Alarm(clock)
  const [first, second] = [ringing(alarm, 10), ringing(alarm, 20)]
  await until(20)
  expect([first, second]).toEqual([[], [20]])
  const third = ringing(alarm, 30)
  alarm.clear()
  await until(40)
  expect([third, vi.getTimerCount()]).toEqual([[], 0])
})
