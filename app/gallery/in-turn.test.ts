import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

test('calls one after the other, for so many at once', async () => {
  const calls: string[] = []
  const call = async (ids: readonly string[]) => {
    calls.push(`${ids} begins`)
    await null
    calls.push(`${ids} ends`)
    return ids.join('').toUpperCase()
  }
  expect(await inTurn(['a', 'b', 'c'], 2, call)).toEqual({ results: ['AB', 'C'], stopped: null })
  expect(calls).toEqual(['a,b begins', 'a,b ends', 'c begins', 'c ends'])
})

test('stops at a failure and says what is left', async () => {
  const error = new Error('gone')
  const call = async (ids: readonly string[]) => {
    if (ids.includes('c')) throw error
    return ids.join('').toUpperCase()
  }
  expect(await inTurn(['a', 'b', 'c', 'd', 'e'], 2, call)).toEqual({
    results: ['AB'],
    stopped: { error, remaining: ['c', 'd', 'e'] },
  })
})

test('calls for nothing when there is nothing', async () => {
  expect(await inTurn([], 2, () => Promise.reject(new Error('called')))).toEqual({ results: [], stopped: null })
})
