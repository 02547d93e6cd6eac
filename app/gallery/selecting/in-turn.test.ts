import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

const makePace = (signal = new AbortController().signal) => ({ atOnce: 2, signal, hasPassed: async () => false })

test('makes one call after another, each for some of the items', async () => {
  const calls: string[] = []
  const call = async (ids: readonly string[]) => {
    calls.push(`${ids} begins`)
    await null
    calls.push(`${ids} ends`)
    return ids.join('').toUpperCase()
  }
  const onPart = (amount: number) => calls.push(`${amount} done`)
  expect(await inTurn(['a', 'b', 'c'], { ...makePace(), onPart }, call)).toEqual({
    results: ['AB', 'C'],
    stopped: null,
  })
  expect(calls).toEqual(['a,b begins', 'a,b ends', '2 done', 'c begins', 'c ends', '1 done'])
})

test('stops at a failure and returns the items left', async () => {
  const error = new Error('gone')
  const call = async (ids: readonly string[]) => {
    if (ids.includes('c')) throw error
    return ids.join('').toUpperCase()
  }
  expect(await inTurn(['a', 'b', 'c', 'd', 'e'], makePace(), call)).toEqual({
    results: ['AB'],
    stopped: { error, remaining: ['c', 'd', 'e'] },
  })
})

test('repeats only the call whose failure has passed', async () => {
  const calls: string[] = []
  const waits: unknown[] = []
  const tooMany = new Error('too many')
  const call = async (ids: readonly string[]) => {
    calls.push(ids.join(''))
    if (calls.length === 2) throw tooMany
    return ids.length
  }
  const hasPassed = async (error: unknown) => waits.push(error) === 1
  expect(await inTurn(['a', 'b', 'c'], { ...makePace(), hasPassed }, call)).toEqual({ results: [2, 1], stopped: null })
  expect(calls).toEqual(['ab', 'c', 'c'])
  expect(waits).toEqual([tooMany])
})

test('completes the call in progress when stopped, and starts no other', async () => {
  const stop = new AbortController()
  const call = async (ids: readonly string[]) => {
    stop.abort('enough')
    return ids.join('')
  }
  expect(await inTurn(['a', 'b', 'c'], makePace(stop.signal), call)).toEqual({
    results: ['ab'],
    stopped: { error: 'enough', remaining: ['c'] },
  })
})

test('returns the abort reason when stopped during a wait', async () => {
  const stop = new AbortController()
  const hasPassed = async () => {
    stop.abort('enough')
    return false
  }
  expect(await inTurn(['a'], { ...makePace(stop.signal), hasPassed }, () => Promise.reject('too many'))).toEqual({
    results: [],
    stopped: { error: 'enough', remaining: ['a'] },
  })
})

test('makes no call without items', async () => {
  const call = () => Promise.reject(new Error('called'))
  expect(await inTurn([], makePace(), call)).toEqual({ results: [], stopped: null })
})
