import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RingWindow, SECONDS } from './ring-window.ts'
import { SecondHand } from './second-hand.ts'

const NOW = 1_700_000_000

describe('a ring window', () => {
  test('returns the last whole seconds, oldest first, without the current one', () => {
    const ring = new RingWindow(2)
    ring.add(NOW - SECONDS - 1, 0, 1)
    ring.add(NOW - SECONDS, 0, 2)
    ring.add(NOW - 1, 0, 3)
    ring.add(NOW - 1, 1, 4)
    ring.add(NOW, 0, 5)
    expect(ring.seconds(NOW, 0)).toEqual([2, ...Array(58).fill(0), 3])
    expect([ring.minute(NOW), ring.total()]).toEqual([
      [5, 4],
      [11, 4],
    ])
    expect(ring.seconds(NOW + 1, 0)).toEqual([...Array(58).fill(0), 3, 5])
    expect([ring.minute(NOW + 1), ring.total()]).toEqual([
      [8, 4],
      [11, 4],
    ])
  })

  test('removes the most recent count that it remembers, and does nothing when there is none', () => {
    const ring = new RingWindow(2)
    ring.takeBack(0)
    ring.add(NOW - SECONDS - 1, 0)
    ring.add(NOW - 9, 0, 2)
    ring.add(NOW, 1)
    for (let times = 0; times < 3; times += 1) ring.takeBack(0)
    expect([ring.minute(NOW + 1), ring.total()]).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  test('equals a count over the full list of events', () => {
    const happened = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 2 }), fc.nat(9)))
    fc.assert(
      fc.property(happened, fc.nat(130), (all, later) => {
        const ring = new RingWindow(3)
        let second = NOW
        const list = all.map(([idle, counter, amount]) => {
          second += idle < 30 ? 0 : idle - 30
          ring.add(second, counter, amount)
          return { second, counter, amount }
        })
        const now = second + later
        const sum = (of: number, isIn: (second: number) => boolean) =>
          list.filter((one) => one.counter === of && isIn(one.second)).reduce((total, { amount }) => total + amount, 0)
        for (const [counter, total] of ring.total().entries()) expect(total).toBe(sum(counter, () => true))
        for (const [counter, minute] of ring.minute(now).entries())
          expect(minute).toBe(sum(counter, (at) => at >= now - SECONDS && at < now))
        for (const [index, calls] of ring.seconds(now, 1).entries())
          expect(calls).toBe(sum(1, (at) => at === now - SECONDS + index))
      }),
    )
  })
})

test('keeps counting in the same second while the clock steps back, so that no count is lost', () => {
  const clock = { time: 5_999, now: () => clock.time }
  const hand = new SecondHand(clock)
  const read = (time: number) => {
    clock.time = time
    return hand.read()
  }
  expect([5_999, 1_000, 5_000, 5_999, 6_000, 6_999, 60_000].map(read)).toEqual([5, 5, 5, 5, 6, 6, 60])
})
