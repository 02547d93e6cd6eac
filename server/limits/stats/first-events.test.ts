import { describe, expect, test } from 'vitest'
import { charge } from '../../../testing/limits/charges.ts'
import type { EventsDropped } from './call-event.ts'
import { FirstEvents } from './first-events.ts'

const ROOM = 10_000
const RULES = [
  [5, 60_000],
  [50, 3_600_000],
] as const

function firstEvents() {
  const dropped: EventsDropped[] = []
  const events = new FirstEvents((event) => dropped.push(event))
  const isFirst = (key: string, now: number, more: { type?: 'refused' | 'waited'; policy?: string } = {}) =>
    events.isFirst({ type: 'refused', policy: 'test-60000', ...more, charge: charge(key, RULES), ms: 0 }, now)
  return { dropped, isFirst }
}

describe('first events', () => {
  test('are reported once for a key, type and rule in each window', () => {
    const { isFirst } = firstEvents()
    expect([0, 1, 59_999, 60_000, 119_999, 120_000].map((now) => isFirst('ann', now))).toEqual([
      ...[true, false, false, true, false, true],
    ])
    expect(isFirst('bob', 1)).toBe(true)
    expect([isFirst('ann', 1, { type: 'waited' }), isFirst('ann', 2, { type: 'waited' })]).toEqual([true, false])
    expect([1, 2].map((now) => isFirst('ann', now, { policy: 'test-3600000' }))).toEqual([true, false])
    expect(isFirst('ann', 3)).toBe(false)
  })

  test('are dropped and counted when the table is full, and none is reported twice', () => {
    const { dropped, isFirst } = firstEvents()
    const told = (now: number) =>
      Array.from({ length: 3 * ROOM }, (_, i) => isFirst(`user${i}`, now)).filter(Boolean).length
    expect(told(0)).toBe(ROOM)
    expect(told(1_000)).toBe(0)
    expect(dropped).toEqual([{ type: 'events-dropped', count: 1 }])
    expect(isFirst('new', 59_999)).toBe(false)
    // Entries whose windows have ended make room.
    expect(isFirst('new', 60_999)).toBe(true)
    expect(dropped).toEqual([{ type: 'events-dropped', count: 1 }])
    expect(told(61_000)).toBe(ROOM - 1)
    expect(dropped).toEqual([
      { type: 'events-dropped', count: 1 },
      { type: 'events-dropped', count: 4 * ROOM + 1 },
    ])
  })
})
