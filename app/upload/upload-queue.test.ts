import { expect, test } from 'vitest'
import type { RefusedCall } from '#app/limits/refusal.ts'
import { type Event, emptyQueue, type QueuedUpload, reduceQueue, toStart, type UploadQueue } from './upload-queue.ts'

const upload = (id: string, size = 100): QueuedUpload => ({
  id,
  file: new File([new Uint8Array(size)], `${id}.png`),
  progress: { state: 'waiting' },
})
const run = (...events: Event[]): UploadQueue => events.reduce(reduceQueue, emptyQueue)
const three: Event = { type: 'added', uploads: [upload('a'), upload('b'), upload('c')] }
const image = { id: '1', slug: 's', url: 'u', thumbnailUrl: 't', isNew: true, removed: [], isConverted: false }
const refusal = (until: number): RefusedCall => ({
  ruleSet: 'upload',
  rule: { limit: 2, window: '1m' },
  waitMs: 1000,
  until,
})
const ids = (uploads: readonly QueuedUpload[]) => uploads.map(({ id }) => id)
const states = ({ uploads }: UploadQueue) => uploads.map(({ progress }) => progress.state)

test('starts the first waiting uploads, two at once', () => {
  expect(ids(toStart(run(three), 2))).toEqual(['a', 'b'])
  expect(ids(toStart(run(three, { type: 'started', id: 'a' }), 2))).toEqual(['b'])
  expect(toStart(run(three, { type: 'started', id: 'a' }, { type: 'started', id: 'b' }), 2)).toEqual([])
})

test('puts a refused file back in its place and pauses the queue until it is resumed', () => {
  const held = run(three, { type: 'started', id: 'a' }, { type: 'refused', id: 'a', refusal: refusal(5000) })
  expect(states(held)).toEqual(['waiting', 'waiting', 'waiting'])
  expect(toStart(held, 2)).toEqual([])
  expect(ids(toStart(reduceQueue(held, { type: 'resumed' }), 2))).toEqual(['a', 'b'])
})

test('waits for the later of two refusals', () => {
  const held = run(
    three,
    { type: 'refused', id: 'a', refusal: refusal(9000) },
    { type: 'refused', id: 'b', refusal: refusal(5000) },
  )
  expect(held.hold?.until).toBe(9000)
})

test('queues a failed file again when it is retried', () => {
  const failed = run(three, { type: 'failed', id: 'b', problem: { code: 'connectionLost' }, canRetry: true })
  expect(states(failed)).toEqual(['waiting', 'failed', 'waiting'])
  expect(states(reduceQueue(failed, { type: 'retried', id: 'b' }))).toEqual(['waiting', 'waiting', 'waiting'])
})

test('ignores events of a cancelled upload', () => {
  const after = run(three, { type: 'removed', id: 'a' }, { type: 'done', id: 'a', image })
  expect(ids(after.uploads)).toEqual(['b', 'c'])
  expect(states(after)).toEqual(['waiting', 'waiting'])
})

test('keeps only the limit when emptied', () => {
  const queue = run(three, { type: 'refused', id: 'a', refusal: refusal(5000) }, { type: 'emptied' })
  expect(queue).toEqual({ ...emptyQueue, hold: refusal(5000) })
})

test('marks the later of two files with the same image as a repeat', () => {
  const { uploads } = run(three, { type: 'done', id: 'b', image }, { type: 'done', id: 'a', image })
  expect(uploads.map(({ progress }) => progress)).toEqual([
    { state: 'done', image, isRepeat: true },
    { state: 'done', image, isRepeat: false },
    { state: 'waiting' },
  ])
})

test('retries all failed files that can be retried', () => {
  const queue = run(
    three,
    { type: 'failed', id: 'a', problem: { code: 'damaged' }, canRetry: true },
    { type: 'failed', id: 'b', problem: { code: 'damaged' }, canRetry: false },
    { type: 'failed', id: 'c', problem: { code: 'damaged' }, canRetry: true },
    { type: 'allRetried' },
  )
  expect(states(queue)).toEqual(['waiting', 'failed', 'waiting'])
})

test('pauses the queue when the session has ended, until the user signs in', () => {
  const out = run(
    three,
    ...(['a', 'b'] as const).flatMap((id): Event[] => [
      { type: 'started', id },
      { type: 'signedOut', id },
    ]),
  )
  expect(states(out)).toEqual(['waiting', 'waiting', 'waiting'])
  expect(ids(toStart(out, 2))).toEqual([])
  expect(ids(toStart(reduceQueue(out, { type: 'signedIn' }), 2))).toEqual(['a', 'b'])
  const cancelled = (['a', 'b', 'c'] as const).map((id): Event => ({ type: 'removed', id }))
  expect(cancelled.reduce(reduceQueue, out)).toEqual(emptyQueue)
})

test('a paused file is not sent until it is resumed, then in its place and from its beginning', () => {
  const paused = run(three, { type: 'started', id: 'a' }, { type: 'paused', id: 'a' })
  expect(states(paused)).toEqual(['paused', 'waiting', 'waiting'])
  expect(ids(toStart(paused, 2))).toEqual(['b', 'c'])
  expect(reduceQueue(paused, { type: 'sent', id: 'a', sent: 50 })).toEqual(paused)
  const resumed = reduceQueue(paused, { type: 'unpaused', id: 'a' })
  expect(ids(toStart(resumed, 2))).toEqual(['a', 'b'])
})

test('all that is not done is paused and resumed at once', () => {
  const paused = run(
    three,
    { type: 'done', id: 'a', image },
    { type: 'failed', id: 'b', problem: { code: 'damaged' }, canRetry: true },
    { type: 'paused', id: null },
  )
  expect(states(paused)).toEqual(['done', 'failed', 'paused'])
  expect(toStart(paused, 2)).toEqual([])
  expect(states(reduceQueue(paused, { type: 'unpaused', id: null }))).toEqual(['done', 'failed', 'waiting'])
})

test('files that are added while others are paused join their batch and start', () => {
  const paused = run(three, { type: 'paused', id: null }, { type: 'added', uploads: [upload('d')] })
  expect(ids(toStart(paused, 2))).toEqual(['d'])
  expect(paused.earlier.size).toBe(0)
})
