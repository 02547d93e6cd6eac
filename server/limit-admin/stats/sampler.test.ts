import { expect, test } from 'vitest'
import { Sampler } from './sampler.ts'

/** A sampler of 1, 2, 3, …, whose pauses the test ends. */
function scene() {
  const pauses: PromiseWithResolvers<void>[] = []
  let taken = 0
  const sampler = new Sampler(
    async () => (taken += 1),
    () => {
      const pause = Promise.withResolvers<void>()
      pauses.push(pause)
      return pause.promise
    },
  )
  return { sampler, pauses, taken: () => taken }
}

const NEVER = new AbortController().signal

test('gives each watcher a sample at once, and all the same ones from then on', async () => {
  const { sampler, pauses, taken } = scene()
  const [a, b] = [sampler.watch(NEVER), sampler.watch(NEVER)]
  expect([await a.next(), await b.next()].map(({ value }) => value)).toEqual([1, 2])
  const next = Promise.all([a.next(), b.next()])
  expect(pauses.length).toBe(1)
  pauses[0]?.resolve()
  expect((await next).map(({ value }) => value)).toEqual([3, 3])
  expect(taken()).toBe(3)
})

test('takes no samples while nobody waits, and gives a slow watcher the newest', async () => {
  const { sampler, pauses, taken } = scene()
  const [quick, slow] = [sampler.watch(NEVER), sampler.watch(NEVER)]
  await Promise.all([quick.next(), slow.next()])
  expect(pauses.length).toBe(0)
  for (const value of [3, 4, 5]) {
    const next = quick.next()
    pauses.at(-1)?.resolve()
    expect(await next).toEqual({ done: false, value })
  }
  const late = slow.next()
  pauses.at(-1)?.resolve()
  expect(await late).toEqual({ done: false, value: 6 })
  expect(taken()).toBe(6)
})

test('ends on the signal, for that watcher alone, before the next sample', async () => {
  const { sampler, pauses } = scene()
  const leaving = new AbortController()
  const [left, stays] = [sampler.watch(leaving.signal), sampler.watch(NEVER)]
  await Promise.all([left.next(), stays.next()])
  const [end, next] = [left.next(), stays.next()]
  leaving.abort()
  expect(await end).toEqual({ done: true, value: undefined })
  pauses[0]?.resolve()
  expect(await next).toEqual({ done: false, value: 3 })
  expect(await sampler.watch(AbortSignal.abort()).next()).toEqual({ done: true, value: undefined })
})

test('fails all watchers of a failed sample, but not the next one', async () => {
  let fails = false
  const sampler = new Sampler(
    async () => {
      if (fails) throw new Error('no figures')
      return 1
    },
    async () => undefined,
  )
  const watching = sampler.watch(NEVER)
  await watching.next()
  fails = true
  await expect(watching.next()).rejects.toThrow('no figures')
  fails = false
  expect(await sampler.watch(NEVER).next()).toEqual({ done: false, value: 1 })
})

test('hands a sample to eight watchers in a turn of the event loop', async () => {
  const { sampler, pauses } = scene()
  const watchers = Array.from({ length: 20 }, () => sampler.watch(NEVER))
  await Promise.all(watchers.map((each) => each.next()))
  let received = 0
  const next = watchers.map(async (each) => {
    await each.next()
    received += 1
  })
  // The turn that has begun with the first samples ends.
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  pauses[0]?.resolve()
  const after: number[] = []
  while (received < 20) {
    await new Promise(setImmediate)
    after.push(received)
  }
  expect(after).toEqual([8, 16, 20])
  await Promise.all(next)
})
