import { beforeEach, expect, test, vi } from 'vitest'
import { Later } from './later.ts'

beforeEach(() => void vi.useFakeTimers())

function scene() {
  const done: number[] = []
  return { done, later: new Later<number>((items) => done.push(...items)) }
}

test('runs in one go and in order, a millisecond after the first item was added, every time', async () => {
  const { done, later } = scene()
  for (const first of [1, 3]) {
    later.add(first)
    await vi.advanceTimersByTimeAsync(0)
    later.add(first + 1)
    expect(done).toHaveLength(first - 1)
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(done).toEqual([1, 2, 3, 4])
})

test('runs earlier when its results are needed, once', async () => {
  const { done, later } = scene()
  later.add(1)
  later.finish()
  expect(done).toEqual([1])
  later.finish()
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toEqual([1])
})

test('items added by the work itself run after it', () => {
  const done: number[] = []
  const later: Later<number> = new Later((items) => {
    for (const item of items) {
      done.push(item)
      if (item < 3) later.add(item + 2)
    }
  })
  later.add(1)
  later.add(2)
  later.finish()
  expect(done).toEqual([1, 2])
  later.finish()
  expect(done).toEqual([1, 2, 3, 4])
})

test('does not keep the process alive', () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const { later } = scene()
  later.add(1)
  expect(timers.mock.results[0]?.value.hasRef()).toBe(false)
})
