import { describe, expect, test } from 'vitest'
import type { Step, StoreHarness } from '../harness.ts'
import { describeBorders } from './fixed-window-borders.ts'
import { describeDefects } from './fixed-window-defects.ts'
import { answer, call, chargeWindows, MINUTE_BOUNDARY, other, type Play, refund } from './fixed-window-steps.ts'

/** Tests the fixed window counter of every store. */
export function describeFixedWindow(name: string, open: () => Promise<StoreHarness>): void {
  const play = async (...steps: readonly Step[]) => {
    await using store = await open()
    return await store.play(steps)
  }
  const playOne = async (...steps: readonly Step[]) => (await play(...steps)).flat()

  describe(`the fixed window ${name}`, () => {
    test('begins with the first hit, allows the limit, and allows a caller exactly after the stated wait', async () => {
      const after = [5, 10_005, 20_005, 60_004, 60_005, 70_000]
      expect(await playOne(...after.map((each) => call(each)))).toEqual([
        answer(1, 60_000),
        answer(0, 50_000),
        answer(0, 40_000, 40_000),
        answer(0, 1, 1),
        answer(1, 60_000),
        answer(0, 50_005),
      ])
    })

    test('charges a call’s cost, and refuses a call that costs more than is left', async () => {
      const rule = { limit: 10 }
      expect(await playOne(call(0, rule, 7), call(1, rule, 4), call(2, rule, 3), call(60_000, rule, 10))).toEqual([
        answer(3, 60_000),
        answer(3, 59_999, 59_999),
        answer(0, 59_998),
        answer(0, 60_000),
      ])
    })

    test('each rule has its own window, and a refusal by one charges none', async () => {
      const both = chargeWindows(1, { limit: 1, windowMs: 1_000 }, { limit: 3, boundaries: [0] })
      const steps = [500, 1_499, 1_500, 2_500, 3_500].map((after) => ({ at: MINUTE_BOUNDARY + after, charges: [both] }))
      expect(await play(...steps)).toEqual([
        [answer(0, 1_000), answer(2, 59_500)],
        [answer(0, 1, 1), answer(2, 58_501)],
        [answer(0, 1_000), answer(1, 58_500)],
        [answer(0, 1_000), answer(0, 57_500)],
        [answer(1, 0), answer(0, 56_500, 56_500)],
      ])
    })

    test('a peek opens no window, and a forced charge goes over the limit', async () => {
      const operation = (type: 'peek' | 'force') => other(0, { type, charges: [chargeWindows(2, {})] })
      expect(await playOne(operation('peek'), operation('force'), operation('force'), call(100))).toEqual([
        answer(2, 0),
        answer(0, 60_000),
        answer(0, 60_000),
        answer(0, 59_900, 59_900),
      ])
    })
  })

  describeBorders(name, playOne)
  describeChange(name, playOne)
  describeRefund(name, playOne)
  describeDefects(name, playOne)
}

function describeChange(name: string, play: Play): void {
  describe(`a change of the fixed window ${name}`, () => {
    test('a changed limit keeps the count, and never less than nothing remains', async () => {
      const limits = [3, 3, 2, 1, 9]
      expect(await play(...limits.map((limit, i) => call(i, { limit })))).toEqual([
        answer(2, 60_000),
        answer(1, 59_999),
        answer(0, 59_998, 59_998),
        answer(0, 59_997, 59_997),
        answer(6, 59_996),
      ])
    })

    test('a window that has begun keeps its end if boundaries change', async () => {
      const moved = { boundaries: [MINUTE_BOUNDARY + 30_000] }
      expect(await play(call(0, { boundaries: [0] }, 2), call(59_999, moved), call(60_000, moved))).toEqual([
        answer(0, 60_000),
        answer(0, 1, 1),
        answer(1, 30_000),
      ])
    })

    test('a clock that steps back stays in the window, with its count and an exact wait', async () => {
      expect(await play(call(0), call(-30_000), call(-90_000), call(-30_000), call(59_999), call(60_000))).toEqual([
        answer(1, 60_000),
        answer(0, 90_000),
        answer(0, 150_000, 150_000),
        answer(0, 90_000, 90_000),
        answer(0, 1, 1),
        answer(1, 60_000),
      ])
    })
  })
}

function describeRefund(name: string, play: Play): void {
  describe(`a refund to the fixed window ${name}`, () => {
    test('returns permits; a window without any left stays where it is', async () => {
      expect(await play(call(0, {}, 2), refund(10, 0, 2), call(20), call(59_999), call(60_000))).toEqual([
        answer(0, 60_000),
        answer(1, 59_980),
        answer(0, 1),
        answer(1, 60_000),
      ])
    })

    test('never makes the count negative', async () => {
      expect(await play(call(0), refund(1, 0, 2), refund(1, 0), call(2, {}, 2), call(3))).toEqual([
        answer(1, 60_000),
        answer(0, 59_998),
        answer(0, 59_997, 59_997),
      ])
    })

    test('of an earlier window’s charge returns nothing to the present one', async () => {
      const steps = [call(0, {}, 2), call(60_000, {}, 2), refund(60_001, 0, 2), refund(60_001, 59_999, 2), call(60_002)]
      expect(await play(...steps)).toEqual([answer(0, 60_000), answer(0, 60_000), answer(0, 59_998, 59_998)])
    })

    test('of a charge before a reset returns nothing, even within the same boundaries', async () => {
      const rule = { boundaries: [0] }
      const reset = other(2, { type: 'reset', charges: [chargeWindows(1, rule)] })
      expect(await play(call(1, rule, 2), reset, call(3, rule, 2), refund(4, 1, 2, rule), call(5, rule))).toEqual([
        answer(0, 59_999),
        answer(0, 59_997),
        answer(0, 59_995, 59_995),
      ])
    })

    test('applies to the rules whose window still counts the charge, and opens none', async () => {
      const rules = [{ windowMs: 1_000 }, {}]
      const both = (after: number): Step => ({ at: MINUTE_BOUNDARY + after, charges: [chargeWindows(2, ...rules)] })
      expect(await play(both(0), refund(5_000, 0, 2, ...rules), both(5_500))).toEqual([
        answer(0, 1_000),
        answer(0, 60_000),
        answer(0, 1_000),
        answer(0, 54_500),
      ])
    })

    test('of a key without a window opens none', async () => {
      expect(await play(refund(0, 0), call(10))).toEqual([answer(1, 60_000)])
    })
  })
}
