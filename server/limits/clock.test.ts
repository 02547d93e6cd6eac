import { expect, test } from 'vitest'
import { HeldClock } from './clock.ts'

test('a held clock reads the time once, at the first request', () => {
  let reads = 0
  const clock = new HeldClock({
    now: () => {
      reads += 1
      return reads * 10
    },
  })
  expect(clock.now()).toBe(10)
  clock.hold()
  expect(reads).toBe(1)
  expect([clock.now(), clock.now()]).toEqual([20, 20])
  clock.letGo()
  expect([clock.now(), clock.now()]).toEqual([30, 40])
  clock.during(() => {
    expect([clock.now(), clock.now()]).toEqual([50, 50])
  })
  expect(clock.now()).toBe(60)
  clock.hold()
  expect(clock.now()).toBe(70)
  clock.during(() => {})
  expect(clock.now()).toBe(70)
})
