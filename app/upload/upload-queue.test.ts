import { expect, test } from 'vitest'
import type { Refusal } from '#app/limits/refusal.ts'
import {
  type Event,
  emptyQueue,
  inOrderOfInterest,
  type Queue,
  reduceQueue,
  summarise,
  toStart,
  type Upload,
} from './upload-queue.ts'

const upload = (id: string, size = 100): Upload => ({
  id,
  file: new File([new Uint8Array(size)], `${id}.png`),
  progress: { state: 'waiting' },
})
const run = (...events: Event[]): Queue => events.reduce(reduceQueue, emptyQueue)
const three: Event = { type: 'added', uploads: [upload('a'), upload('b'), upload('c')] }
const image = { id: '1', slug: 's', url: 'u', thumbnailUrl: 't' }
const refusal = (until: number): Refusal => ({ ruleSet: 'upload', rule: '2 per minute', waitMs: 1000, until })
const ids = (uploads: readonly Upload[]) => uploads.map(({ id }) => id)
const states = ({ uploads }: Queue) => uploads.map(({ progress }) => progress.state)

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

test('clearing keeps what is still open', () => {
  const queue = run(
    three,
    { type: 'done', id: 'a', image },
    { type: 'failed', id: 'b', reason: 'x', canRetry: false },
    { type: 'cleared' },
  )
  expect(ids(queue.uploads)).toEqual(['c'])
})

test('shows what moves and what went wrong first, what is done last', () => {
  const queue = run(
    three,
    { type: 'added', uploads: [upload('d'), upload('e')] },
    { type: 'done', id: 'a', image },
    { type: 'failed', id: 'c', reason: 'x', canRetry: true },
    { type: 'started', id: 'e' },
  )
  expect(ids(inOrderOfInterest(queue))).toEqual(['e', 'c', 'b', 'd', 'a'])
})

test('sums up files and bytes', () => {
  const queue = run(
    { type: 'added', uploads: [upload('a', 100), upload('b', 300), upload('c', 100)] },
    { type: 'done', id: 'a', image },
    { type: 'started', id: 'b' },
    { type: 'sent', id: 'b', sent: 150 },
  )
  expect(summarise(queue)).toEqual({ total: 3, done: 1, failed: 0, open: 2, fraction: 0.5 })
  expect(summarise(emptyQueue)).toEqual({ total: 0, done: 0, failed: 0, open: 0, fraction: 0 })
})
