import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BudgetSpent } from '#server/storage/meter.ts'
import {
  ObjectCorrupt,
  ObjectNotFound,
  ObjectStoreUnavailable,
  type OpenObject,
  originalKey,
} from '#server/storage/object-store.ts'
import { createMemoryStore } from '#testing/storage/memory-store.ts'
import { fetchObject } from './fetch-object.ts'
import { mapAhead } from './map-ahead.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-fetch-'))
})
afterAll(() => rm(folder, { recursive: true }))

const key = originalKey('a'.repeat(64))
async function* yieldChunks(chunks: readonly (string | Error)[]) {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk
    yield Buffer.from(chunk)
  }
}
const opened = (...chunks: readonly (string | Error)[]): OpenObject => ({
  size: 5,
  body: Readable.from(yieldChunks(chunks)),
})

/** Fetches an object from a store that gives these answers in turn. */
async function fetched(...answers: readonly (OpenObject | Error)[]) {
  const left = [...answers]
  const open = async () => {
    const answer = left.shift()
    if (answer instanceof Error) throw answer
    return answer ?? opened('hello')
  }
  const { copy } = await fetchObject({ ...createMemoryStore().store, open }, key, folder, 0)
  const bytes = copy && (await readFile(copy.path, 'utf8'))
  if (copy) await rm(copy.path)
  return { copy: bytes, left: left.length }
}

test('tries three times if the store fails', async () => {
  const broken = new ObjectStoreUnavailable('The object broke off')
  expect(await fetched(opened('he', broken), broken)).toEqual({ copy: 'hello', left: 0 })
  await expect(fetched(broken, broken, broken)).rejects.toBe(broken)
})

test('returns no copy of a missing or corrupt object, and leaves no file', async () => {
  expect(await fetched(new ObjectNotFound(key))).toEqual({ copy: null, left: 0 })
  const corrupt = () => opened('he', new ObjectCorrupt('Not the bytes'))
  expect(await fetched(corrupt(), corrupt(), corrupt())).toEqual({ copy: null, left: 0 })
  expect(await readdir(folder)).toEqual([])
  expect(await fetched(corrupt())).toEqual({ copy: 'hello', left: 0 })
})

test('does not retry if the budget is spent', async () => {
  const spent = new BudgetSpent('Spent', null)
  await expect(fetched(spent, opened('hello'))).rejects.toBe(spent)
})

test('maps with bounded concurrency, in order, and waits for pending work when the reader stops', async () => {
  let [under, most, done] = [0, 0, 0]
  const work = async (item: number) => {
    under += 1
    most = Math.max(most, under)
    await new Promise((resolve) => setImmediate(resolve))
    under -= 1
    done += 1
    return item * 2
  }
  const items = async function* () {
    yield* [1, 2, 3, 4, 5, 6]
  }
  expect(await Array.fromAsync(mapAhead(items(), 3, work))).toEqual([2, 4, 6, 8, 10, 12])
  expect(most).toBe(3)
  done = 0
  for await (const _ of mapAhead(items(), 3, work)) break
  expect([under, done]).toEqual([0, 3])
})
