import { describe, expect, test } from 'vitest'
import type { Mode } from '#server/limits/rule-set.ts'
import type { Charge } from '#server/limits/store.ts'
import { charge, plainFacts, plainRule } from '../charges.ts'
import type { StoreHarness } from '../harness.ts'

const WINDOW_MS = 1_000
const BLOCK_MS = 60_000

/** A charge of a key with a limit of 2 per second, refusals of which block for a minute. */
function blocking(mode: Mode, cost = 1): Charge {
  const rules = [{ ...plainRule(2, WINDOW_MS), blockMs: BLOCK_MS }]
  return { ...charge('a', []), algorithm: 'sliding-window-log', rules, cost, facts: { ...plainFacts, mode } }
}

/** `blockFor`, which the stores keep alike for all algorithms. */
export function describeBlocks(name: string, open: () => Promise<StoreHarness>): void {
  describe(name, () => {
    test('a refusal blocks, and the block ends', async () => {
      await using store = await open()
      const enforced = blocking('enforce', 2)
      const answers = await store.play([0, 1, 2, 60_000, 60_001].map((at) => ({ at, charges: [enforced] })))
      expect(answers.map(([answer]) => answer?.waitMs)).toEqual([0, 60_000, 59_999, 1, 0])
    })

    test.each(['shadow', 'degrade'] as const)('nothing begins a block in %s mode', async (mode) => {
      await using store = await open()
      const answers = await store.play([
        // Above the limit, which never passes.
        { at: 0, charges: [blocking(mode, 3)] },
        { at: 1, charges: [blocking(mode, 2)] },
        { at: 2, charges: [blocking(mode)] },
        { at: 1_001, charges: [blocking('enforce')] },
      ])
      expect(answers.map(([answer]) => answer?.waitMs)).toEqual([WINDOW_MS, 0, 999, 0])
    })

    test.each(['shadow', 'degrade'] as const)(
      'a block has no effect in %s mode, and goes on after it',
      async (mode) => {
        await using store = await open()
        const answers = await store.play([
          { at: 0, charges: [blocking('enforce', 2)] },
          { at: 1, charges: [blocking('enforce')] },
          { at: 1_001, charges: [blocking(mode)] },
          { at: 3_001, charges: [blocking('enforce')] },
        ])
        expect(answers.map(([answer]) => answer?.waitMs)).toEqual([0, 60_000, 0, 57_000])
      },
    )
  })
}
