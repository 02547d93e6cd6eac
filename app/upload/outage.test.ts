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

test('a lost connection puts the file back and holds the queue until the server answers', () => {
  const held = run(two, { type: 'started', id: 'a' }, lost('a'))
  expect(states(held)).toEqual(['waiting', 'waiting'])
  expect(toStart(held, 2)).toEqual([])
  expect(toStart(reduceQueue(held, silent), 2)).toEqual([])
  expect(toStart(reduceQueue(held, answering), 2).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('waits grow up to ten seconds', () => {
  const waits = [0, 1, 2, 3, 4, 5].map((count) => run(two, lost('a'), ...times(count, silent)).outage?.waitMs)
  expect(waits).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000])
})

test('two files lost in one moment are one outage, with the longer wait of both', () => {
  const queue = run(two, lost('a'), lost('b', 7000))
  expect(queue.outage).toEqual({ tries: 1, waitMs: 7000, waitedMs: 7000, isAnswering: false })
})

test('the waits begin anew once an upload has come through', () => {
  const image = { id: '1', slug: 's', url: 'u', thumbnailUrl: 't', removed: [] }
  const queue = run(two, lost('a'), silent, answering, { type: 'done', id: 'a', image })
  expect(queue.outage).toBeNull()
  expect(reduceQueue(queue, lost('b')).outage?.waitMs).toBe(1000)
})

test('a server that answers probes but takes no files is asked ever more rarely', () => {
  expect(run(two, away, ...times(4, answering, away)).outage?.waitMs).toBe(10_000)
})

test('after half an hour it gives up; all may be tried again', () => {
  const nearly = run(two, lost('a'), ...times(182, silent))
  expect(states(nearly)).toEqual(['waiting', 'waiting'])
  const over = reduceQueue(nearly, silent)
  expect(states(over)).toEqual(['failed', 'failed'])
  expect(over.outage).toBeNull()
  expect(states(reduceQueue(over, { type: 'allRetried' }))).toEqual(['waiting', 'waiting'])
})

test('a file that always breaks the connection fails alone', () => {
  const queue = run(two, lost('a'), ...times(4, answering, lost('a')))
  expect(states(queue)).toEqual(['failed', 'waiting'])
  expect(toStart(queue, 2).map(({ id }) => id)).toEqual(['b'])
})

test('nothing is probed for once nothing waits', () => {
  const queue = run(two, lost('a'), { type: 'removed', id: 'a' }, { type: 'removed', id: 'b' })
  expect(queue.outage).toBeNull()
})
