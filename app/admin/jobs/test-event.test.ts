import { expect, test } from 'vitest'
import { type JobList, testStateOf } from './test-event.ts'

type Item = JobList['items'][number]

const job = (id: string, state: Item['state'], error: string | null = null, name = 'webhook'): Item => ({
  ...{ id, name, state, error, attempts: 1, limit: 15 },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', nextAt: null },
})

/** `hidden` of the jobs of events are not told one by one. */
const listOf = (items: readonly Item[], hidden = 0): JobList => {
  const waiting = items.filter(({ name }) => name === 'webhook').length + hidden
  return { items: [...items], counts: [{ name: 'webhook', waiting, active: 0, retrying: 0, failed: 0 }] }
}

const older = job('older', 'failed', 'gone')

test('a test that is no job any more has arrived', () => {
  expect(testStateOf(listOf([older]), listOf([older]))).toEqual({ is: 'arrived' })
  expect(testStateOf(listOf([]), listOf([job('other', 'failed', 'x', 'webhook-image')]))).toEqual({ is: 'arrived' })
})

test('one that waits or is tried is under way, one that was refused says why', () => {
  expect(testStateOf(listOf([older]), listOf([older, job('new', 'waiting')]))).toEqual({ is: 'under-way' })
  expect(testStateOf(listOf([]), listOf([job('new', 'active')]))).toEqual({ is: 'under-way' })
  expect(testStateOf(listOf([]), listOf([job('new', 'retrying', 'The receiver answered 500.')]))).toEqual({
    is: 'failed',
    error: 'The receiver answered 500.',
  })
})

test('one that is not told among the jobs, but counted with them, is under way', () => {
  const others = [job('other', 'retrying', 'x', 'webhook-image')]
  expect(testStateOf(listOf(others), listOf(others, 1))).toEqual({ is: 'under-way' })
})

test('where not all are to be seen, nothing is said of one that is not', () => {
  expect(testStateOf(listOf([older], 60), listOf([older], 60))).toEqual({ is: 'unknown' })
})
