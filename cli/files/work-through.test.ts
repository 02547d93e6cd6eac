import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ItemFailed } from '../connection/server-error.ts'
import { workThrough } from './work-through.ts'

const fate = fc.constantFrom('done', 'failed', 'ends' as const)
const plan = fc.record({ fates: fc.array(fate, { maxLength: 20 }), parallel: fc.integer({ min: 1, max: 5 }) })

test('each is done, failed or left, reported in order, and an error leaves the rest', async () => {
  const isWhole = async (
    { fates, parallel }: { fates: readonly string[]; parallel: number },
    scheduler: fc.Scheduler,
  ) => {
    const calls: string[] = []
    const work = async (index: number) => {
      await scheduler.schedule(Promise.resolve())
      if (fates[index] === 'failed') throw new ItemFailed('no')
      if (fates[index] === 'ends') throw new Error('the end')
      return { state: 'done' as const }
    }
    const working = workThrough([...fates.keys()], {
      parallel,
      getLabel: String,
      work,
      report: ({ label }) => calls.push(label),
    })
    const { reported, ended } = await scheduler.waitFor(working)
    expect(reported.map(({ label }) => label)).toEqual([...fates.keys()].map(String))
    for (const [index, { outcome }] of reported.entries()) {
      expect(outcome.state === fates[index] || outcome.state === 'left').toBe(true)
      if (fates[index] === 'ends') expect(outcome.state).toBe('left')
    }
    expect(calls).toEqual(calls.toSorted((a, b) => Number(a) - Number(b)))
    expect(ended === null).toBe(!fates.includes('ends'))
    if (ended === null) expect(calls.length).toBe(fates.length)
  }
  await fc.assert(fc.asyncProperty(plan, fc.scheduler(), isWhole))
})
