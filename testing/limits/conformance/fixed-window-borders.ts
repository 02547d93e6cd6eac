import { describe, expect, test } from 'vitest'
import { type Calendar, calendarBoundaries } from '#server/limits/rules/calendar.ts'
import { answer, call, chargeWindows, MINUTE_BOUNDARY, type Play } from './fixed-window-steps.ts'

/** Tests the boundaries of fixed windows in every store. */
export function describeBorders(name: string, play: Play): void {
  describe(`the boundaries of the fixed window ${name}`, () => {
    test('lie at all multiples of the window from one boundary, before and after it', async () => {
      for (const boundary of [0, MINUTE_BOUNDARY + 60_000 * 7, MINUTE_BOUNDARY - 60_000 * 7, MINUTE_BOUNDARY]) {
        const rule = { boundaries: [boundary] }
        expect(await play(call(59_999, rule), call(60_000, rule), call(60_001, rule))).toEqual([
          answer(1, 1),
          answer(1, 60_000),
          answer(0, 59_999),
        ])
      }
    })

    test('are the given ones, and continue before the first and after the last', async () => {
      const rule = {
        limit: 1,
        windowMs: 60_000,
        boundaries: [0, 10_000, 110_000].map((each) => MINUTE_BOUNDARY + each),
      }
      const after = [-60_001, -60_000, -1, 0, 9_999, 10_000, 109_999, 110_000, 169_999, 170_000]
      expect(await play(...after.map((each) => call(each, rule)))).toEqual([
        answer(0, 1),
        answer(0, 60_000),
        answer(0, 1, 1),
        answer(0, 10_000),
        answer(0, 1, 1),
        answer(0, 100_000),
        answer(0, 1, 1),
        answer(0, 60_000),
        answer(0, 1, 1),
        answer(0, 60_000),
      ])
    })

    test('follow a day of 23 hours', async () => {
      const calendar: Calendar = { align: 'day', timeZone: 'Europe/Berlin' }
      const steps = ['2026-03-28T23:00Z', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00Z'].map((each) => {
        const at = Date.parse(each)
        const rule = { limit: 1, windowMs: 86_400_000, boundaries: calendarBoundaries(calendar, at) }
        return { at, charges: [chargeWindows(1, rule)] }
      })
      expect(await play(...steps)).toEqual([answer(0, 23 * 3_600_000), answer(0, 1, 1), answer(0, 24 * 3_600_000)])
    })

    test.each([
      ['day', 86_400_000, '2026-10-24T12:00Z'],
      ['week', 7 * 86_400_000, '2026-03-25T12:00Z'],
      ['month', 31 * 86_400_000, '2026-02-14T12:00Z'],
    ] as const)('are the same for a caller whose clock is up to one %s off', async (align, windowMs, start) => {
      const decidedBy = (offMs: number) => {
        const calendar: Calendar = { align, timeZone: 'Europe/Berlin' }
        const at = Array.from({ length: 60 }, (_, i) => Date.parse(start) + (i * windowMs) / 12)
        const boundaries = at.map((each) => calendarBoundaries(calendar, each + offMs))
        return play(
          ...at.map((each, i) => ({
            at: each,
            charges: [chargeWindows(1, { windowMs, boundaries: boundaries[i] ?? [] })],
          })),
        )
      }
      const decided = await decidedBy(0)
      expect(decided.filter(({ waitMs }) => waitMs > 0).length).toBeGreaterThan(40)
      for (const offMs of [-(windowMs / 10) * 9, -60_000, 60_000, (windowMs / 10) * 9])
        expect(await decidedBy(offMs)).toEqual(decided)
    })
  })
}
