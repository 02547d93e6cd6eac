import { expect, test } from 'vitest'
import { type Event, emptyQueue, type QueuedUpload, reduceQueue, type UploadQueue } from './upload-queue.ts'
import { findPauseReason, inDisplayOrder, leftOver, listLinks, summarise } from './upload-summary.ts'

const upload = (id: string, size = 100): QueuedUpload => ({
  id,
  file: new File([new Uint8Array(size)], `${id}.png`),
  progress: { state: 'waiting' },
})
const run = (...events: Event[]): UploadQueue => events.reduce(reduceQueue, emptyQueue)
const image = { id: '1', slug: 's', url: 'u', thumbnailUrl: 't', isNew: true, removed: [], isConverted: false }
const ids = (uploads: readonly QueuedUpload[]) => uploads.map(({ id }) => id)

test('shows files in progress and failed files first, done files last', () => {
  const queue = run(
    { type: 'added', uploads: ['a', 'b', 'c', 'd', 'e'].map((id) => upload(id)) },
    { type: 'done', id: 'a', image },
    { type: 'failed', id: 'c', problem: { code: 'damaged' }, canRetry: true },
    { type: 'started', id: 'e' },
  )
  expect(ids(inDisplayOrder(queue))).toEqual(['e', 'c', 'b', 'd', 'a'])
})

test('sums up files and bytes', () => {
  const queue = run(
    { type: 'added', uploads: [upload('a', 100), upload('b', 300), upload('c', 100)] },
    { type: 'done', id: 'a', image },
    { type: 'started', id: 'b' },
    { type: 'sent', id: 'b', sent: 150 },
  )
  expect(summarise(queue)).toEqual({ total: 3, done: 1, added: 1, failed: 0, open: 2, paused: 0, fraction: 0.5 })
  const refused = reduceQueue(queue, { type: 'failed', id: 'c', problem: { code: 'damaged' }, canRetry: false })
  expect(summarise(refused)).toEqual({ total: 3, done: 1, added: 1, failed: 1, open: 1, paused: 0, fraction: 0.625 })
  expect(summarise(emptyQueue)).toEqual({ total: 0, done: 0, added: 0, failed: 0, open: 0, paused: 0, fraction: 0 })
})

test('an image that was there, before the queue or in it, is not counted as added', () => {
  const queue = run(
    { type: 'added', uploads: ['a', 'b', 'c'].map((id) => upload(id)) },
    { type: 'done', id: 'a', image: { ...image, id: '2', url: 'v', isNew: false } },
    { type: 'done', id: 'b', image },
    { type: 'done', id: 'c', image: { ...image, isNew: false } },
  )
  expect(summarise(queue)).toMatchObject({ total: 3, done: 3, added: 1 })
  expect(listLinks(queue)).toEqual(['v', 'u'])
})

test('counts the current batch while it is open, then all that are shown', () => {
  const second = run(
    { type: 'added', uploads: [upload('a'), upload('b')] },
    { type: 'done', id: 'a', image },
    { type: 'failed', id: 'b', problem: { code: 'damaged' }, canRetry: true },
    { type: 'added', uploads: [upload('c')] },
    { type: 'added', uploads: [upload('d')] },
  )
  expect(summarise(second)).toEqual({ total: 2, done: 0, added: 0, failed: 0, open: 2, paused: 0, fraction: 0 })
  expect(summarise(reduceQueue(second, { type: 'retried', id: 'b' })).total).toBe(3)
  const over = (['c', 'd'] as const).map((id): Event => ({ type: 'done', id, image: { ...image, id } }))
  expect(summarise(over.reduce(reduceQueue, second))).toEqual({
    total: 4,
    done: 3,
    added: 3,
    failed: 1,
    open: 0,
    paused: 0,
    fraction: 1,
  })
})

test('returns each link once, and counts the files that are not uploaded', () => {
  const queue = run(
    { type: 'added', uploads: ['a', 'b', 'c', 'd'].map((id) => upload(id)) },
    { type: 'done', id: 'a', image },
    { type: 'done', id: 'b', image },
    { type: 'failed', id: 'c', problem: { code: 'damaged' }, canRetry: true },
  )
  expect(listLinks(queue)).toEqual(['u'])
  expect(leftOver(queue)).toEqual({ retriable: 1, missing: 2 })
})

test('returns the pause reason that needs action first', () => {
  const refusal = { ruleSet: 'upload', rule: { limit: 60, window: '1m' } as const, waitMs: 5000, until: 5000 }
  const held = run(
    { type: 'added', uploads: ['a', 'b', 'c'].map((id) => upload(id)) },
    { type: 'refused', id: 'a', refusal },
  )
  expect(findPauseReason(emptyQueue)).toBeNull()
  expect(findPauseReason(held)).toBe('limit')
  const lost = reduceQueue(held, { type: 'lost', id: 'b', isBroken: true, retryAfterMs: 0 })
  expect(findPauseReason(lost)).toBe('server')
  expect(findPauseReason(reduceQueue(lost, { type: 'signedOut', id: 'c' }))).toBe('sign-in')
})
