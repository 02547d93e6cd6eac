import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FairQueue, type FairQueueOptions, QueueFull } from './fair-queue.ts'
import type { Lane } from './lanes.ts'

/** A queue of work that ends when told, and a record of the order in which it started. */
function makeQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ running: 1, waiting: 100, ...options })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const outcomes = new Map<string, string>()
  return {
    queue,
    started,
    outcomes,
    add(name: string, lane: Lane, signal?: AbortSignal): Promise<void> {
      const work = () => {
        started.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.set(name, resolve)
        return promise
      }
      const ended = queue.run({ lane, signal }, work).then(
        () => 'done',
        (error: unknown) => (error instanceof QueueFull ? 'full' : `${error}`),
      )
      return ended.then((outcome) => void outcomes.set(name, outcome))
    },
    /** Ends the work that has run the longest, and resolves when the next has started. */
    async end(): Promise<void> {
      const [first] = ends
      first?.[1]()
      ends.delete(first?.[0] ?? '')
      await new Promise(setImmediate)
    },
    async endAll(): Promise<void> {
      while (ends.size > 0) await this.end()
    },
  }
}

const LANES = ['a', 'b', 'c'] as const

describe('turns', () => {
  test('lanes take turns however much waits in one, and a lane is first come, first served', async () => {
    const made = makeQueue()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void made.add(name, ['a'])
    for (const name of ['b1', 'b2', 'c1']) void made.add(name, [name.slice(0, 1)])
    await made.endAll()
    expect(made.started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  test('lanes in a lane share its turns', async () => {
    const made = makeQueue()
    void made.add('running', ['other', 'x'])
    for (const name of ['a1', 'a2', 'b1', 'b2', 'c1']) void made.add(name, ['network', name.slice(0, 1)])
    for (const name of ['z1', 'z2', 'z3']) void made.add(name, ['elsewhere', 'z'])
    await made.endAll()
    expect(made.started.slice(1)).toEqual(['a1', 'z1', 'b1', 'z2', 'c1', 'z3', 'a2', 'b2'])
  })

  test('work that is done, cancelled or failed has used the turn of its lane', async () => {
    const made = makeQueue()
    const failed = made.queue.run({ lane: ['a'] }, () => Promise.reject(new Error('failed')))
    void made.add('a2', ['a'])
    void made.add('b1', ['b'])
    await expect(failed).rejects.toThrow('failed')
    // Its lane was empty in the meantime, and comes again behind the other.
    await made.end()
    void made.add('a3', ['a'])
    void made.add('b2', ['b'])
    await made.endAll()
    expect(made.started).toEqual(['a2', 'b1', 'a3', 'b2'])
  })

  test('among k lanes that never stop sending, a new one waits for at most k turns and its own', () => {
    const floods = fc.record({
      k: fc.integer({ min: 1, max: 12 }),
      depth: fc.integer({ min: 1, max: 5 }),
      at: fc.nat(40),
    })
    return fc.assert(
      fc.asyncProperty(floods, async ({ k, depth, at }) => {
        const made = makeQueue()
        const names = Array.from({ length: k }, (_, network) => `${network}`)
        let sent = 0
        const flood = (network: string) => {
          sent += 1
          // As soon as one of its works ends, the network sends the next, each from a new address.
          void made.add(`${network}/${sent}`, ['networks', network, `${sent}`]).then(() => flood(network))
        }
        for (const network of names) for (let i = 0; i < depth; i += 1) flood(network)
        for (let i = 0; i < at; i += 1) await made.end()
        const before = made.started.length
        void made.add('new', ['networks', 'new', 'address'])
        while (!made.started.includes('new')) await made.end()
        expect(made.started.length - before).toBeLessThanOrEqual(k + 1)
      }),
      { numRuns: 30 },
    )
  })
})

describe('a full queue', () => {
  test('takes the newest of the lane with the most, and not whoever comes last', async () => {
    const made = makeQueue({ waiting: 3 })
    for (const name of ['running', 'a1', 'a2', 'a3']) void made.add(name, ['networks', 'a', name])
    const victim = made.add('b1', ['networks', 'b', 'b1'])
    await made.endAll()
    await victim
    expect(Object.fromEntries(made.outcomes)).toEqual({
      running: 'done',
      a1: 'done',
      a2: 'done',
      a3: 'full',
      b1: 'done',
    })
  })

  test('refuses the newcomer if no lane has more than its own', async () => {
    const made = makeQueue({ waiting: 3 })
    for (const name of ['running', ...LANES]) void made.add(name, [name])
    await made.add('d', ['d'])
    await made.add('a2', ['a'])
    await made.endAll()
    expect(Object.fromEntries(made.outcomes)).toMatchObject({ d: 'full', a2: 'full', a: 'done', b: 'done', c: 'done' })
  })

  test('spares the other addresses of the network that floods', async () => {
    const made = makeQueue({ waiting: 3 })
    void made.add('running', ['a', 'flood'])
    void made.add('bystander', ['a', 'quiet'])
    for (const name of ['f1', 'f2', 'f3', 'f4']) void made.add(name, ['a', 'flood'])
    await made.endAll()
    expect(made.started).toEqual(['running', 'bystander', 'f1', 'f2'])
    expect([made.outcomes.get('f3'), made.outcomes.get('f4')]).toEqual(['full', 'full'])
  })
})

test('a waiter that is aborted leaves its place, and its lane is refused nothing for it', async () => {
  const made = makeQueue({ waiting: 2 })
  const gone = new AbortController()
  void made.add('running', ['a'])
  const left = made.add('a1', ['a'], gone.signal)
  void made.add('a2', ['a'])
  gone.abort('gone')
  await left
  expect(made.outcomes.get('a1')).toBe('gone')
  void made.add('b1', ['b'])
  await made.add('late', ['b'], gone.signal)
  await made.endAll()
  expect(made.started).toEqual(['running', 'a2', 'b1'])
  expect(made.outcomes.get('late')).toBe('gone')
})

test('one lane never holds all that runs, and others take what it leaves', async () => {
  const made = makeQueue({ running: 3, runningPerLane: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) void made.add(name, ['a'])
  expect(made.started).toEqual(['a1', 'a2'])
  void made.add('b1', ['b'])
  void made.add('c1', ['c'])
  expect(made.started).toEqual(['a1', 'a2', 'b1'])
  await made.end()
  expect(made.started).toEqual(['a1', 'a2', 'b1', 'a3'])
  await made.endAll()
  expect(made.started).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'a4'])
})

test('a closed queue refuses what waits and what comes, and lets the rest end', async () => {
  const made = makeQueue()
  void made.add('running', ['a'])
  void made.add('waiting', ['b'])
  made.queue.close()
  await made.add('late', ['c'])
  await made.endAll()
  expect(Object.fromEntries(made.outcomes)).toEqual({ waiting: 'full', late: 'full', running: 'done' })
})
