import { expect, test } from 'vitest'
import { type ListedJobs, testStateOf } from './test-event.ts'

type Item = ListedJobs['items'][number]

const job = (id: string, state: Item['state'], error: string | null = null, name = 'webhook'): Item => ({
  ...{ id, name, state, error, attempts: 1, limit: 15 },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', nextAt: null },
})

/** `hidden` jobs of events are counted but not listed. */
const listOf = (items: readonly Item[], hidden = 0): ListedJobs => {
  const waiting = items.filter(({ name }) => name === 'webhook').length + hidden
  return { items: [...items], counts: [{ name: 'webhook', waiting, active: 0, retrying: 0, failed: 0 }] }
}

const older = job('older', 'failed', 'gone')

test('a test whose job is gone has been delivered', () => {
  expect(testStateOf(listOf([older]), listOf([older]))).toEqual({ is: 'delivered' })
  expect(testStateOf(listOf([]), listOf([job('other', 'failed', 'x', 'webhook-image')]))).toEqual({ is: 'delivered' })
})

test('a waiting or running test is pending, and a failed one has its error', () => {
  expect(testStateOf(listOf([older]), listOf([older, job('new', 'waiting')]))).toEqual({ is: 'pending' })
  expect(testStateOf(listOf([]), listOf([job('new', 'active')]))).toEqual({ is: 'pending' })
  expect(testStateOf(listOf([]), listOf([job('new', 'retrying', 'The receiver answered 500.')]))).toEqual({
    is: 'failed',
    error: 'The receiver answered 500.',
  })
})

test('a test that is counted but not listed is pending', () => {
  const others = [job('other', 'retrying', 'x', 'webhook-image')]
  expect(testStateOf(listOf(others), listOf(others, 1))).toEqual({ is: 'pending' })
})

test('a test that is not listed is unknown if not all jobs are listed', () => {
  expect(testStateOf(listOf([older], 60), listOf([older], 60))).toEqual({ is: 'unknown' })
})
