import { describe, expect, test } from 'vitest'
import { answer, call, chargeWindows, MINUTE_BOUNDARY, type Play, type Windows } from './fixed-window-steps.ts'

/** Tests what the usual script, INCR and then EXPIRE in seconds, gets wrong. */
export function describeDefects(name: string, play: Play): void {
  describe(`a defect of INCR and EXPIRE that the fixed window ${name} does not have`, () => {
    test('half a second makes EXPIRE fail and blocks the caller forever: here it lasts 500 ms', async () => {
      expect(await ofShortRule(play, { limit: 1, windowMs: 500 }, [0, 499, 500])).toEqual([
        answer(0, 500),
        answer(0, 1, 1),
        answer(0, 500),
      ])
    })

    test('less than a second is 0 to EXPIRE, so there is no limit: here a window of 1 ms has one', async () => {
      expect(await ofShortRule(play, { limit: 1, windowMs: 1, boundaries: [0] }, [0, 0, 1, 1])).toEqual([
        answer(0, 1),
        answer(0, 1, 1),
        answer(0, 1),
        answer(0, 1, 1),
      ])
    })

    test('milliseconds taken for seconds last a thousand times as long: here they are milliseconds', async () => {
      const rule = { limit: 1, windowMs: 60_000 }
      expect(await play(call(0, rule), call(59_999, rule), call(60_000, rule))).toEqual([
        answer(0, 60_000),
        answer(0, 1, 1),
        answer(0, 60_000),
      ])
    })

    test('twice the limit is allowed within one window: here never', async () => {
      for (const boundaries of [[], [0]]) {
        const after = Array.from({ length: 600 }, (_, i) => i * 100)
        const answers = await ofShortRule(play, { limit: 10, boundaries }, after)
        expect(answers.map(({ waitMs }) => waitMs === 0)).toEqual(after.map((_, i) => i < 10))
      }
    })

    test('by design, twice the limit is still allowed across a boundary', async () => {
      const rule = { limit: 10, boundaries: [0] }
      const after = [...Array.from({ length: 20 }, () => 59_999), ...Array.from({ length: 20 }, () => 60_000)]
      const answers = await ofShortRule(play, rule, after)
      expect(answers.map(({ waitMs }) => waitMs === 0)).toEqual(after.map((_, i) => i % 20 < 10))
    })
  })
}

/** Adds a long rule: with the short one alone, the key would expire in real time during the test. */
async function ofShortRule(play: Play, rule: Windows, after: readonly number[]) {
  const charges = [chargeWindows(1, rule, { limit: 1_000, windowMs: 86_400_000 })]
  return (await play(...after.map((each) => ({ at: MINUTE_BOUNDARY + each, charges })))).filter((_, i) => i % 2 === 0)
}
