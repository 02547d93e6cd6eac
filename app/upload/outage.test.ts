import { expect, test } from 'vitest'
import { type Event, emptyQueue, type QueuedUpload, reduceQueue, toStart, type UploadQueue } from './upload-queue.ts'

const upload = (id: string): QueuedUpload => ({
  id,
  file: new File(['x'], `${id}.png`),
  progress: { state: 'waiting' },
})
const run = (...events: Event[]): UploadQueue => events.reduce(reduceQueue, emptyQueue)
const two: Event = { type: 'added', uploads: [upload('a'), upload('b')] }
const lost = (id: string, retryAfterMs = 0): Event => ({ type: 'lost', id, isBroken: true, retryAfterMs })
const away: Event = { type: 'lost', id: 'a', isBroken: false, retryAfterMs: 0 }
const silent: Event = { type: 'probed', isReachable: false }
const answering: Event = { type: 'probed', isReachable: true }
const states = ({ uploads }: UploadQueue) => uploads.map(({ progress }) => progress.state)
const times = (count: number, ...events: Event[]) => Array.from({ length: count }, () => events).flat()

test('puts the file back when its connection breaks, and pauses the queue until the server answers', () => {
  const held = run(two, { type: 'started', id: 'a' }, lost('a'))
  expect(states(held)).toEqual(['waiting', 'waiting'])
  expect(toStart(held, 2)).toEqual([])
  expect(toStart(reduceQueue(held, silent), 2)).toEqual([])
  expect(toStart(reduceQueue(held, answering), 2).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('waits longer and longer, up to ten seconds', () => {
  const waits = [0, 1, 2, 3, 4, 5].map((count) => run(two, lost('a'), ...times(count, silent)).outage?.waitMs)
  expect(waits).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000])
})

test('treats two broken connections as one outage, with the longer wait of both', () => {
  const queue = run(two, lost('a'), lost('b', 7000))
  expect(queue.outage).toEqual({ tries: 1, waitMs: 7000, waitedMs: 7000, isAnswering: false })
})

test('restarts the waits after a successful upload', () => {
  const image = { id: '1', slug: 's', url: 'u', thumbnailUrl: 't', isNew: true, removed: [], isConverted: false }
  const queue = run(two, lost('a'), silent, answering, { type: 'done', id: 'a', image })
  expect(queue.outage).toBeNull()
  expect(reduceQueue(queue, lost('b')).outage?.waitMs).toBe(1000)
})

test('waits longer and longer for a server that answers probes but fails uploads', () => {
  expect(run(two, away, ...times(4, answering, away)).outage?.waitMs).toBe(10_000)
})

test('fails after half an hour, and all files can be retried', () => {
  const nearly = run(two, lost('a'), ...times(182, silent))
  expect(states(nearly)).toEqual(['waiting', 'waiting'])
  const over = reduceQueue(nearly, silent)
  expect(states(over)).toEqual(['failed', 'failed'])
  expect(over.outage).toBeNull()
  expect(states(reduceQueue(over, { type: 'allRetried' }))).toEqual(['waiting', 'waiting'])
})

test('fails a file that always breaks the connection, and no other', () => {
  const queue = run(two, lost('a'), ...times(4, answering, lost('a')))
  expect(states(queue)).toEqual(['failed', 'waiting'])
  expect(toStart(queue, 2).map(({ id }) => id)).toEqual(['b'])
})

test('stops probing when no file waits', () => {
  const queue = run(two, lost('a'), { type: 'removed', id: 'a' }, { type: 'removed', id: 'b' })
  expect(queue.outage).toBeNull()
})
