import { beforeEach, expect, test, vi } from 'vitest'
import { FairQueue, type FairQueueOptions, QueueFull } from './fair-queue.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))

/** A queue with one core of three, the order in which work started, and a way to end it. */
function makeQueue(options: Partial<FairQueueOptions> = {}) {
  const patience = { beside: 1, quietMs: 100, maxMs: 10_000, most: 4 }
  const queue = new FairQueue({ running: 3, runningPerLane: 2, waiting: 50, patience, ...options })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    started.push(name)
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(name, resolve)
    return promise
  }
  return {
    queue,
    started,
    add: (name: string, lane = 'a') => void queue.run({ lane: [lane] }, work(name)),
    addPatient: (name: string) => queue.runPatiently(work(name)),
    async end(name: string) {
      ends.get(name)?.()
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

test('patient work starts when nothing else runs and nothing has come or ended for a while', async () => {
  const { started, add, addPatient, end } = makeQueue()
  add('one')
  void addPatient('late 1')
  void addPatient('late 2')
  await end('one')
  await vi.advanceTimersByTimeAsync(99)
  add('two')
  await end('two')
  await vi.advanceTimersByTimeAsync(99)
  expect(started).toEqual(['one', 'two'])
  await vi.advanceTimersByTimeAsync(1)
  // No more at once than there are cores.
  expect(started).toEqual(['one', 'two', 'late 1'])
  await end('late 1')
  expect(started.at(-1)).toBe('late 2')
})

test('patient work that is alone starts at once', () => {
  const { started, addPatient } = makeQueue()
  void addPatient('late')
  expect(started).toEqual(['late'])
})

test('patient work that has waited too long takes turns with the rest, beside what runs', async () => {
  const { started, add, addPatient, end } = makeQueue({ running: 1, runningPerLane: 1 })
  for (const name of ['1', '2', '3', '4']) add(name)
  void addPatient('late 1')
  void addPatient('late 2')
  await end('1')
  await vi.advanceTimersByTimeAsync(10_000)
  for (const name of ['2', 'late 1', '3']) await end(name)
  expect(started).toEqual(['1', '2', 'late 1', '3', 'late 2'])
})

test('a free place is taken when the patience ends, without anything else happening', async () => {
  const { started, add, addPatient } = makeQueue()
  add('slow')
  void addPatient('late')
  await vi.advanceTimersByTimeAsync(9_999)
  expect(started).toEqual(['slow'])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual(['slow', 'late'])
})

test('much patient work takes turns at once, and never all places', async () => {
  const { started, add, addPatient, end } = makeQueue()
  add('one')
  for (const name of ['late 1', 'late 2', 'late 3']) void addPatient(name)
  expect(started).toEqual(['one'])
  for (const name of ['late 4', 'late 5', 'late 6']) void addPatient(name)
  expect(started).toEqual(['one', 'late 1', 'late 2'])
  await end('one')
  expect(started).toEqual(['one', 'late 1', 'late 2'])
  add('two', 'b')
  expect(started.at(-1)).toBe('two')
})

test('a closed queue refuses patient work', async () => {
  const { queue, add, addPatient } = makeQueue()
  add('one')
  const waiting = addPatient('late')
  queue.close()
  await expect(waiting).rejects.toThrow(QueueFull)
  await expect(addPatient('later')).rejects.toThrow(QueueFull)
})
