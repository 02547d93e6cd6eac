import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { charge } from '../../../testing/limits/charges.ts'
import { memoryHarness, toOperation } from '../../../testing/limits/harness.ts'
import { slidingWindowLogHistories } from '../../../testing/limits/histories/sliding-window-log.ts'
import { historyArbitrary } from '../../../testing/limits/histories.ts'
import type { SetFacts } from '../rules/compiled.ts'
import type { Charge, LimitStore, Operation } from '../store.ts'
import { MemoryStore } from './memory/memory-store.ts'
import { PartitionedStore } from './partitioned-store.ts'

/** A partition for each key. */
function partitionedOver(storeOf: (key: string) => LimitStore, stageOf = (_key: string) => 0, deadlineMs = 1_000) {
  return new PartitionedStore({
    partitionOf: ({ key }) => ({ store: storeOf(key), slot: key, stage: stageOf(key) }),
    deadlineMs,
    close: async () => {},
  })
}

/** An in-process store that records its operations. */
function recorded(store: LimitStore, log: string[]): LimitStore {
  return {
    apply: (operation) => {
      log.push(`${operation.type} ${operation.charges.map(({ key }) => key).join(' ')}`)
      return store.apply(operation)
    },
    close: () => store.close(),
  }
}

function scene() {
  const clock = { time: 0, now: () => clock.time }
  const log: string[] = []
  const memory = new MemoryStore(clock)
  const partitions = new Map<string, LimitStore>()
  // A key's digit is its stage.
  const stageOf = (key: string) => Number(/\d/.exec(key)?.[0] ?? 0)
  const store = partitionedOver((key) => partitions.get(key) ?? recorded(memory, log), stageOf)
  const take = async (...charges: Charge[]) => answersIn(await store.apply({ type: 'take', charges }))
  const used = (key: string) =>
    100 - (answersIn(memory.apply({ type: 'peek', charges: [wide(key)] }))[0]?.remaining ?? 0)
  return { clock, log, memory, partitions, store, take, used }
}

const wide = (key: string, mode: SetFacts['mode'] = 'enforce') => limited(key, 100, mode)

function limited(key: string, limit: number, mode: SetFacts['mode'] = 'enforce'): Charge {
  const own = charge(key, [[limit, 60_000]])
  return { ...own, facts: { ...own.facts, mode } }
}

// When time has stepped back, what a refund names counts from another instant: it stays charged.
test('one call after another is decided over many partitions as in one store, blocks included', async () => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary({ ...slidingWindowLogHistories, stepsBack: false }), async (history) => {
      await using one = await memoryHarness()
      let now = 0
      const stores = new Map<string, MemoryStore>()
      const partitioned = partitionedOver((key) => {
        const known = stores.get(key) ?? new MemoryStore({ now: () => now }, { sweptPerCharge: 0 })
        stores.set(key, known)
        return known
      })
      const answers: unknown[] = []
      for (const step of history) {
        now = step.at
        answers.push(answersIn(await partitioned.apply(toOperation(step))))
      }
      expect(answers).toEqual(await one.play(history))
    }),
    { numRuns: 1_000 },
  )
})

test('what a later stage refuses, the earlier ones have back, and every rule says how it stands', async () => {
  const { take, used, log } = scene()
  await take(limited('b1', 1))
  log.length = 0
  expect(await take(limited('a0', 5), limited('b1', 1), limited('c2', 9))).toEqual([
    { remaining: 5, resetMs: 0, waitMs: 0, delayMs: 0 },
    { remaining: 0, resetMs: 60_000, waitMs: 60_000, delayMs: 0 },
    { remaining: 9, resetMs: 0, waitMs: 0, delayMs: 0 },
  ])
  expect(log).toEqual(['take a0', 'take b1', 'refund a0', 'peek a0', 'peek c2'])
  expect(['a0', 'b1', 'c2'].map(used)).toEqual([0, 1, 0])
})

test('a call refused in the first stage takes nothing in the others, and gets the longest wait of all', async () => {
  const { clock, take, log } = scene()
  await take(limited('a0', 1))
  clock.time = 10_000
  await take(limited('b1', 1))
  log.length = 0
  const answers = await take(limited('a0', 1), limited('b1', 1))
  expect(answers.map(({ waitMs }) => waitMs)).toEqual([50_000, 60_000])
  expect(log).toEqual(['take a0', 'peek b1'])
})

test('charges that shadow or degrade are kept together, and only by a call that passes', async () => {
  const { take, used } = scene()
  await take(limited('full-shadow', 1, 'shadow'))
  await take(wide('a', 'shadow'), limited('full-shadow', 1, 'shadow'), wide('b', 'degrade'), wide('c'))
  expect(['a', 'b', 'c'].map(used)).toEqual([0, 1, 1])
  await take(limited('full', 1))
  await take(wide('d', 'shadow'), wide('e', 'degrade'), wide('f'), limited('full', 1))
  expect(['d', 'e', 'f'].map(used)).toEqual([0, 0, 0])
})

test('when a partition fails the call fails, and the others have theirs back', async () => {
  const { partitions, take, used } = scene()
  partitions.set('b1', { apply: () => Promise.reject(new Error('gone')), close: async () => {} })
  await expect(take(wide('a0'), wide('b1'), wide('c1'))).rejects.toThrow('gone')
  expect(['a0', 'c1'].map(used)).toEqual([0, 0])
})

test('a partition that hangs does not hang the call', async () => {
  const silent: LimitStore = { apply: () => Promise.withResolvers<never>().promise, close: async () => {} }
  const store = partitionedOver(() => silent, undefined, 1)
  await expect(store.apply({ type: 'take', charges: [wide('a'), wide('b')] })).rejects.toThrow(
    /gave no answer within \d ms/,
  )
})

test('a refund goes to each partition with its own instant, a reset to all of them', async () => {
  const { clock, memory, store, used } = scene()
  memory.apply({ type: 'take', charges: [wide('a')] })
  clock.time = 5
  memory.apply({ type: 'take', charges: [wide('b'), wide('c')] })
  const refund: Operation = { type: 'refund', charges: [wide('a'), wide('b')], at: [0, 5] }
  const { lines } = await store.apply(refund)
  expect(lines.map(({ charge, answers, at }) => [charge.key, answers, at.store])).toEqual([
    ['a', [], 5],
    ['b', [], 5],
  ])
  expect(['a', 'b', 'c'].map(used)).toEqual([0, 0, 1])
  await store.apply({ type: 'reset', charges: [wide('b'), wide('c')] })
  expect(used('c')).toBe(0)
})
