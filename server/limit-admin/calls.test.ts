import { describe, expect, it } from 'vitest'
import { Calls } from './calls.ts'

describe('waiting for the next call', () => {
  it('ends with the call, and only with it', async () => {
    const calls = new Calls()
    calls.note()
    const never = new Promise(() => {})
    const woken = Promise.all([calls.nextUntil(never), calls.nextUntil(never)])
    expect([calls.count, calls.waiting]).toEqual([1, 2])
    calls.note()
    await woken
    expect([calls.count, calls.waiting]).toEqual([2, 0])
  })

  it('leaves nothing behind when it ends otherwise', async () => {
    const calls = new Calls()
    for (let look = 0; look < 1_000; look += 1) await calls.nextUntil(Promise.resolve())
    await expect(calls.nextUntil(Promise.reject(new Error('no time')))).rejects.toThrow('no time')
    expect(calls.waiting).toBe(0)
  })
})
