import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CountingMeter, createCountingMeter } from '#testing/storage/counting-meter.ts'
import { makeRandomFiles, type RandomFiles } from '#testing/storage/random-files.ts'
import { createDiskStore } from './disk.ts'
import { BudgetSpent } from './meter.ts'
import { metered } from './metered.ts'
import { conformsToObjectStore } from './object-store.conformance.ts'
import { type ObjectStore, originalKey } from './object-store.ts'

let files: RandomFiles
let meter: CountingMeter
let store: ObjectStore
const start = async () => {
  files = await makeRandomFiles()
  meter = createCountingMeter()
  store = metered(await createDiskStore(join(files.folder, 'objects')), meter)
}
beforeEach(start)
afterEach(() => files[Symbol.asyncDispose]())

conformsToObjectStore('a disk that is metered', async () => {
  await files[Symbol.asyncDispose]()
  await start()
  return {
    store,
    folder: files.folder,
    [Symbol.asyncDispose]: async () => expect(meter.held).toEqual({ in: 0, out: 0 }),
  }
})

const stored = async (size: number) => {
  const file = await files.make(size)
  await store.put(file.key, file, size)
  return file
}

test('counts each operation as one request, and a check as none', async () => {
  const { key } = await stored(1_000)
  await buffer((await store.open(key)).body)
  await buffer((await store.open(key, { start: 10, end: 19 })).body)
  await store.readSize(key)
  await Array.fromAsync(store.list(''))
  await store.delete(key)
  await store.check()
  await store.verify()
  await store.removeUnfinished(new Date())
  expect(meter.counts).toEqual({ writes: 2, reads: 3, deletes: 1, in: 1_000, out: 1_010 })
  expect(meter.held).toEqual({ in: 0, out: 0 })
})

test('counts what was read of an abandoned body', async () => {
  const { key } = await stored(10_000_000)
  const { body } = await store.open(key)
  await once(body, 'readable')
  expect(meter.held.out).toBeGreaterThan(5_000_000)
  body.destroy()
  await once(body, 'close')
  expect(meter.held.out).toBe(0)
  expect(meter.counts.out).toBeLessThan(5_000_000)
})

test('allows only deletions once the budget is used up', async () => {
  const { key, path, size } = await stored(1_000)
  const other = originalKey('0'.repeat(64))
  meter.limits = { in: 1_000 }
  await expect(store.put(other, { path }, size)).rejects.toThrow(BudgetSpent)
  meter.limits = { writes: 1 }
  await expect(store.put(other, { path }, size)).rejects.toThrow(BudgetSpent)
  await expect(Array.fromAsync(store.list(''))).rejects.toThrow(BudgetSpent)
  meter.limits = { out: 0 }
  await expect(store.open(key)).rejects.toThrow(BudgetSpent)
  meter.limits = { reads: 0 }
  await expect(store.open(key)).rejects.toThrow(BudgetSpent)
  await expect(store.readSize(key)).rejects.toThrow(BudgetSpent)
  await store.delete(key)
  expect(meter.held).toEqual({ in: 0, out: 0 })
  meter.limits = {}
  expect(await store.readSize(key)).toBeNull()
  expect(await store.readSize(other)).toBeNull()
})
