import { expect, test } from 'vitest'
import { findTestState, type ListedJobs } from './test-event.ts'

type Item = ListedJobs['items'][number]

const job = (id: string, state: Item['state'], error: string | null = null, name = 'webhook'): Item => ({
  ...{ id, name, state, error, errorText: null, attempts: 1, limit: 15 },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', nextAt: null },
})

/** `hidden` jobs of events are counted but not listed. */
const makeList = (items: readonly Item[], hidden = 0): ListedJobs => {
  const waiting = items.filter(({ name }) => name === 'webhook').length + hidden
  return { items: [...items], counts: [{ name: 'webhook', waiting, active: 0, retrying: 0, failed: 0 }] }
}

const older = job('older', 'failed', 'gone')

test('a test whose job is gone has been delivered', () => {
  expect(findTestState(makeList([older]), makeList([older]))).toEqual({ is: 'delivered' })
  expect(findTestState(makeList([]), makeList([job('other', 'failed', 'x', 'webhook-image')]))).toEqual({
    is: 'delivered',
  })
})

test('a waiting or running test is pending, and a failed one has its error', () => {
  expect(findTestState(makeList([older]), makeList([older, job('new', 'waiting')]))).toEqual({ is: 'pending' })
  expect(findTestState(makeList([]), makeList([job('new', 'active')]))).toEqual({ is: 'pending' })
  expect(findTestState(makeList([]), makeList([job('new', 'retrying', 'The receiver answered 500.')]))).toEqual({
    is: 'failed',
    job: expect.objectContaining({ error: 'The receiver answered 500.' }),
  })
})

test('a test that is counted but not listed is pending', () => {
  const others = [job('other', 'retrying', 'x', 'webhook-image')]
  expect(findTestState(makeList(others), makeList(others, 1))).toEqual({ is: 'pending' })
})

test('a test that is not listed is unknown if not all jobs are listed', () => {
  expect(findTestState(makeList([older], 60), makeList([older], 60))).toEqual({ is: 'unknown' })
})
