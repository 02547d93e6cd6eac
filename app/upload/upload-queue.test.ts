import { expect, test } from 'vitest'
import type { Refusal } from '#app/limits/refusal.ts'
import { type Event, emptyQueue, type QueuedUpload, reduceQueue, toStart, type UploadQueue } from './upload-queue.ts'

const upload = (id: string, size = 100): QueuedUpload => ({
  id,
  file: new File([new Uint8Array(size)], `${id}.png`),
  progress: { state: 'waiting' },
})
const run = (...events: Event[]): UploadQueue => events.reduce(reduceQueue, emptyQueue)
const three: Event = { type: 'added', uploads: [upload('a'), upload('b'), upload('c')] }
const image = { id: '1', slug: 's', url: 'u', thumbnailUrl: 't', removed: [] }
const refusal = (until: number): Refusal => ({ ruleSet: 'upload', rule: '2 per minute', waitMs: 1000, until })
const ids = (uploads: readonly QueuedUpload[]) => uploads.map(({ id }) => id)
const states = ({ uploads }: UploadQueue) => uploads.map(({ progress }) => progress.state)

test('starts the first that wait, two at once', () => {
  expect(ids(toStart(run(three), 2))).toEqual(['a', 'b'])
  expect(ids(toStart(run(three, { type: 'started', id: 'a' }), 2))).toEqual(['b'])
  expect(toStart(run(three, { type: 'started', id: 'a' }, { type: 'started', id: 'b' }), 2)).toEqual([])
})

test('a refusal puts the file back in its place and holds the queue until it is resumed', () => {
  const held = run(three, { type: 'started', id: 'a' }, { type: 'refused', id: 'a', refusal: refusal(5000) })
  expect(states(held)).toEqual(['waiting', 'waiting', 'waiting'])
  expect(toStart(held, 2)).toEqual([])
  expect(ids(toStart(reduceQueue(held, { type: 'resumed' }), 2))).toEqual(['a', 'b'])
})

test('of two refusals the longer wait holds', () => {
  const held = run(
    three,
    { type: 'refused', id: 'a', refusal: refusal(9000) },
    { type: 'refused', id: 'b', refusal: refusal(5000) },
  )
  expect(held.hold?.until).toBe(9000)
})

test('a file that failed waits again when retried', () => {
  const failed = run(three, { type: 'failed', id: 'b', reason: 'Connection lost.', canRetry: true })
  expect(states(failed)).toEqual(['waiting', 'failed', 'waiting'])
  expect(states(reduceQueue(failed, { type: 'retried', id: 'b' }))).toEqual(['waiting', 'waiting', 'waiting'])
})

test('what a cancelled upload still reports changes nothing', () => {
  const after = run(three, { type: 'removed', id: 'a' }, { type: 'done', id: 'a', image })
  expect(ids(after.uploads)).toEqual(['b', 'c'])
  expect(states(after)).toEqual(['waiting', 'waiting'])
})

test('emptied, it forgets all but the limit', () => {
  const queue = run(three, { type: 'refused', id: 'a', refusal: refusal(5000) }, { type: 'emptied' })
  expect(queue).toEqual({ ...emptyQueue, hold: refusal(5000) })
})

test('of two files that are one image the later to arrive is a repeat', () => {
  const { uploads } = run(three, { type: 'done', id: 'b', image }, { type: 'done', id: 'a', image })
  expect(uploads.map(({ progress }) => progress)).toEqual([
    { state: 'done', image, isRepeat: true },
    { state: 'done', image, isRepeat: false },
    { state: 'waiting' },
  ])
})

test('all that failed and may be tried again waits again', () => {
  const queue = run(
    three,
    { type: 'failed', id: 'a', reason: 'x', canRetry: true },
    { type: 'failed', id: 'b', reason: 'x', canRetry: false },
    { type: 'failed', id: 'c', reason: 'x', canRetry: true },
    { type: 'allRetried' },
  )
  expect(states(queue)).toEqual(['waiting', 'failed', 'waiting'])
})

test('a session that has ended stops the queue once, whatever else is told, until somebody signs in', () => {
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
