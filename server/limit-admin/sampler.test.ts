import { expect, test } from 'vitest'
import { Sampler } from './sampler.ts'

/** A sampler of 1, 2, 3, …; each pause ends when it is told to. */
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

test('each watcher has a sample at once, and all of them the same from then on', async () => {
  const { sampler, pauses, taken } = scene()
  const [a, b] = [sampler.watch(NEVER), sampler.watch(NEVER)]
  expect([await a.next(), await b.next()].map(({ value }) => value)).toEqual([1, 2])
  const next = Promise.all([a.next(), b.next()])
  expect(pauses.length).toBe(1)
  pauses[0]?.resolve()
  expect((await next).map(({ value }) => value)).toEqual([3, 3])
  expect(taken()).toBe(3)
})

test('nothing is sampled while nobody waits, and whoever is slow has the newest', async () => {
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

test('it ends with the signal, for its watcher alone, before the next sample comes', async () => {
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

test('a sample that fails fails all who wait for it, and not the next', async () => {
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
