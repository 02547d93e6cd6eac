import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

test('calls one after the other', async () => {
  const calls: string[] = []
  const call = async (id: string) => {
    calls.push(`${id} begins`)
    await null
    calls.push(`${id} ends`)
    return id.toUpperCase()
  }
  expect(await inTurn(['a', 'b'], call)).toEqual({ results: ['A', 'B'], stopped: null })
  expect(calls).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('stops at a failure and says what is left', async () => {
  const error = new Error('gone')
  const call = async (id: string) => {
    if (id === 'b') throw error
    return id.toUpperCase()
  }
  expect(await inTurn(['a', 'b', 'c'], call)).toEqual({ results: ['A'], stopped: { error, remaining: ['b', 'c'] } })
})
