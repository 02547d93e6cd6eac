import { beforeEach, expect, test, vi } from 'vitest'
import { stopTime, until, watchedRoom } from '#testing/limits/waiting.ts'
import type { RuleSet } from '../rule-set.ts'

beforeEach(() => {
  stopTime()
  return () => vi.useRealTimers()
})

const sets: readonly RuleSet[] = [{ name: 'set', by: 'user', rules: [{ concurrent: 1, lease: '1h' }], wait: '10s' }]

// Between an answer and its use lie several microtasks of the event loop.
test.each(Array.from({ length: 16 }, (_, steps) => steps))(
  'a place that is released %d steps after a refusal wakes the first of the queue',
  async (steps) => {
    const { call, start, work, log } = watchedRoom()
    const holder = await call('holder', sets)
    start('first', sets)
    await until(1)
    let asked = 0
    work.after = async ({ type }) => {
      asked += type === 'take' ? 1 : 0
      if (asked !== 1 || type !== 'take') return
      void (async () => {
        for (let step = 0; step < steps; step += 1) await null
        await holder.refund()
      })()
    }
    await until(20_000)
    // At the attempt at which it was refused again, and not at the next one.
    expect(log).toEqual(['0 holder passed after 0', '250 first passed after 250'])
  },
)
