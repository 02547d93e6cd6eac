import { expect, test } from 'vitest'
import { LongWork } from './long-work.ts'

const refused = (retryAfterMs: number) => ({ limit: { ruleSet: 'delete', rule: '60 per minute', retryAfterMs } })

test('waits for a limit, and shows the limit while it waits', async () => {
  const pauses: number[] = []
  const held: (string | undefined)[] = []
  const work = new LongWork(230, async (ms) => {
    pauses.push(ms)
    held.push(work.state().waitsFor?.ruleSet)
  })
  work.advance(200)
  expect(await work.hasPassed(refused(30_000))).toBe(true)
  expect(pauses).toEqual([30_250])
  expect(held).toEqual(['delete'])
  expect(work.state()).toEqual({ done: 200, waitsFor: null })
})

test('does not wait for a limit that takes too long, or for another failure', async () => {
  const work = new LongWork(1, () => Promise.reject(new Error('waited')))
  expect(await work.hasPassed(refused(120_001))).toBe(false)
  expect(await work.hasPassed(new Error('gone'))).toBe(false)
})

test('stops waiting when the work is stopped', async () => {
  const work = new LongWork(1)
  const passed = work.hasPassed(refused(120_000))
  work.stop()
  expect(await passed).toBe(false)
  expect(await work.hasPassed(refused(120_000))).toBe(false)
})

test('notifies its listeners of every part', () => {
  const work = new LongWork(3)
  const seen: number[] = []
  const leave = work.subscribe(() => seen.push(work.state().done))
  work.advance(2)
  work.advance(1)
  leave()
  work.advance(1)
  expect(seen).toEqual([2, 3])
})
