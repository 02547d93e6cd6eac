import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CountedFault } from '#testing/servers/counting-s3.ts'
import { cutAfter, type MeteredScene, makeMeteredScene, refusal } from '#testing/storage/metered-scene.ts'
import type { RandomFile } from '#testing/storage/random-files.ts'

type Act = (scene: MeteredScene, file: RandomFile) => Promise<unknown>

const acts: Readonly<Record<string, Act>> = {
  put: ({ store }, { key, path, size }) => store.put(key, { path }, size),
  read: async ({ store }, { key }) => buffer((await store.open(key)).body),
  'read a part': async ({ store }, { key }) => buffer((await store.open(key, { start: 10, end: 70_000 })).body),
  'read and leave': async ({ store }, { key }) => {
    const { body } = await store.open(key)
    await once(body, 'readable')
    body.destroy()
  },
  'open and leave': async ({ store }, { key }) => (await store.open(key)).body.destroy(),
  size: ({ store }, { key }) => store.readSize(key),
  delete: ({ store }, { key }) => store.delete(key),
  list: ({ store }) => Array.fromAsync(store.list('')),
  uploads: ({ store }) => store.removeUnfinished(new Date()),
  check: ({ store }) => store.check(),
  verify: ({ store }) => store.verify(),
}

const faults: readonly (CountedFault | null)[] = [
  null,
  null,
  null,
  refusal(500, 'InternalError'),
  refusal(500, 'InternalError', 'head'),
  refusal(403, 'AccessDenied', 'head'),
  cutAfter(null),
  cutAfter(0),
  cutAfter(50_000),
  { cutIn: 60_000 },
  { paceMs: 1 },
]

const limits = fc.record(
  { writes: fc.nat(12), reads: fc.nat(12), in: fc.nat(1_500_000), out: fc.nat(1_500_000) },
  { requiredKeys: [] },
)

test('matches the bill and stays within budgets under any concurrent calls and failures', async () => {
  const steps = fc.array(fc.array(fc.constantFrom(...Object.keys(acts)), { minLength: 1, maxLength: 6 }), {
    maxLength: 4,
  })
  const spoiled = fc.infiniteStream(fc.constantFrom(...faults))
  await fc.assert(
    fc.asyncProperty(steps, spoiled, limits, async (rounds, spoil, most) => {
      await using scene = await makeMeteredScene({ answer: 2_000, stall: 2_000 })
      const file = await scene.stored(200_000)
      const { writes, in: bytes } = scene.meter.counts
      scene.meter.limits = { ...most, writes: writes + (most.writes ?? 1_000), in: bytes + (most.in ?? 1e9) }
      scene.s3.fault = () => spoil.next().value ?? null
      for (const names of rounds) await Promise.allSettled(names.map((name) => acts[name]?.(scene, file)))
      await scene.compare('but for buffers')
      const { counts, limits } = scene.meter
      expect(counts.writes).toBeLessThanOrEqual(limits.writes ?? 0)
      expect(counts.reads).toBeLessThanOrEqual(limits.reads ?? Number.POSITIVE_INFINITY)
      expect(counts.in).toBeLessThanOrEqual(limits.in ?? 0)
    }),
    { numRuns: 25, interruptAfterTimeLimit: 20_000 },
  )
})
