import { expect, test } from 'vitest'
import { contender, prove } from './contender.ts'
import { measureBeside } from './rounds.ts'

/** Allows this many calls of each subject. */
function limiting(limit: number) {
  const used = new Map<number, number>()
  return contender({
    name: `limit of ${limit}`,
    call: async (subject) => {
      const calls = (used.get(subject) ?? 0) + 1
      used.set(subject, calls)
      return calls
    },
    isAllowed: (calls) => calls <= limit,
  })
}

const always = contender({ name: 'no limit', call: async () => true, isAllowed: (allowed) => allowed })

test('a contender is proved only if it refuses the call after the limit and none before', async () => {
  await expect(prove(limiting(5), 5)).resolves.toBeUndefined()
  for (const other of [limiting(4), limiting(6), always])
    await expect(prove(other, 5)).rejects.toThrow('does not refuse')
})

test('an unexpected refusal ends the run', async () => {
  const rejecting = contender({ name: 'full', call: () => Promise.reject('refused'), isAllowed: () => true })
  expect(await rejecting.decide(0)).toBe(false)
  await expect(rejecting.work({ left: 1 })).rejects.toThrow('full: a call was not allowed')
})

test('each contender makes its calls in every round, and the meter counts the measured ones', async () => {
  let calls = 0
  const counted = contender({ name: 'counted', call: async () => (calls += 1), isAllowed: () => true })
  const [, own] = await measureBeside(always, [counted], { rounds: 3, calls: 100, meter: async () => [2 * calls] })
  expect([calls, own?.rates.length, own?.costs]).toEqual([400, 3, [2]])
})
