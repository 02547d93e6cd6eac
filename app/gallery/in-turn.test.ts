import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

const refusal = (retryAfterMs: number) =>
  Object.assign(new Error('no'), { data: { limit: { ruleSet: 'delete', rule: '10 per second', retryAfterMs } } })

function recorder(failures: Record<string, Error[]>) {
  const calls: string[] = []
  const waits: number[] = []
  const call = async (id: string) => {
    calls.push(id)
    const failure = failures[id]?.shift()
    if (failure) throw failure
    return id.toUpperCase()
  }
  return { calls, waits, call, wait: async (ms: number) => void waits.push(ms) }
}

test('calls one after the other', async () => {
  const { call, wait, calls } = recorder({})
  expect(await inTurn(['a', 'b'], call, { wait })).toEqual({ results: ['A', 'B'], stopped: null })
  expect(calls).toEqual(['a', 'b'])
})

test('sits out a short wait and goes on with the same', async () => {
  const { call, wait, calls, waits } = recorder({ b: [refusal(800)] })
  expect((await inTurn(['a', 'b', 'c'], call, { wait })).results).toEqual(['A', 'B', 'C'])
  expect(calls).toEqual(['a', 'b', 'b', 'c'])
  expect(waits).toEqual([850])
})

test('stops at a long wait and says what is left', async () => {
  const error = refusal(30_000)
  const { call, wait } = recorder({ b: [error] })
  expect(await inTurn(['a', 'b', 'c'], call, { wait })).toEqual({
    results: ['A'],
    stopped: { error, remaining: ['b', 'c'] },
  })
})

test('stops at any other failure', async () => {
  const error = new Error('gone')
  const { call, wait } = recorder({ a: [error] })
  expect(await inTurn(['a'], call, { wait })).toEqual({ results: [], stopped: { error, remaining: ['a'] } })
})
