import { once } from 'node:events'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CountedFault, SeenOperation } from '#testing/servers/counting-s3.ts'
import { cutAfter, type MeteredScene, makeMeteredScene, refusal } from '#testing/storage/metered-scene.ts'
import { ObjectNotFound, ObjectStoreUnavailable, originalKey } from './object-store.ts'

let scene: MeteredScene
beforeEach(async () => {
  scene = await makeMeteredScene()
})
afterEach(() => scene[Symbol.asyncDispose]())

const PARTS = 8 * 1024 * 1024 + 1
const absent = originalKey('0'.repeat(64))
const soon = () => new Date(Date.now() + 60_000)
const read = async (key = absent) => buffer((await scene.store.open(key)).body)

describe('counts the requests and bytes of the bill for', () => {
  test('a put', async () => {
    const { key, path, size } = await scene.file(100_000)
    expect(await scene.countRequests(() => scene.store.put(key, { path }, size))).toEqual({ put: 1 })
    await scene.compare()
    expect(scene.meter.counts).toEqual({ writes: 1, reads: 0, deletes: 0, in: 100_000, out: 0 })
  })

  test('a multipart put', async () => {
    const { key, path, size } = await scene.file(PARTS)
    const requests = { 'create upload': 1, part: 2, 'complete upload': 1 }
    expect(await scene.countRequests(() => scene.store.put(key, { path }, size))).toEqual(requests)
    await scene.compare()
    expect(scene.meter.counts.writes).toBe(4)
  })

  test('reads of an object, of a range and of a missing object', async () => {
    const { key } = await scene.stored(3_000_000)
    expect(await scene.countRequests(() => read(key))).toEqual({ get: 1 })
    await scene.compare()
    expect(scene.meter.counts).toEqual({ writes: 1, reads: 1, deletes: 0, in: 3_000_000, out: 3_000_000 })
    const range = { start: 1_000, end: 200_999 }
    expect(await scene.countRequests(async () => buffer((await scene.store.open(key, range)).body))).toEqual({ get: 1 })
    await scene.compare()
    expect(scene.meter.counts.out).toBe(3_200_000)
    expect(await scene.countRequests(() => expect(read()).rejects.toThrow(ObjectNotFound))).toEqual({ get: 1 })
    await scene.compare()
  })

  test('sizes, deletions and checks', async () => {
    const { key } = await scene.stored(1_000)
    expect(await scene.countRequests(() => scene.store.readSize(key))).toEqual({ head: 1 })
    expect(await scene.countRequests(() => scene.store.readSize(absent))).toEqual({ head: 1 })
    expect(await scene.countRequests(() => scene.store.delete(key))).toEqual({ delete: 1 })
    await scene.compare()
    const other = await makeMeteredScene()
    scene[Symbol.asyncDispose]()
    scene = other
    expect(await scene.countRequests(() => scene.store.check())).toEqual({ head: 1 })
    expect(await scene.countRequests(() => scene.store.check())).toEqual({})
    await scene.compare()
  })

  test('the check at startup', async () => {
    expect(await scene.countRequests(() => scene.store.verify())).toEqual({ put: 1, get: 1, list: 1, delete: 1 })
    await scene.compare()
  })

  test('a list over several pages', async () => {
    const { path } = await scene.file(3)
    const keys = Array.from({ length: 1_100 }, (_, index) => originalKey(index.toString(16).padStart(64, '0')))
    await mkdir(dirname(scene.s3.objectPath('images/x')), { recursive: true })
    for (const key of keys) await copyFile(path, scene.s3.objectPath(`images/${key}`))
    expect(await scene.countRequests(() => Array.fromAsync(scene.store.list('')))).toEqual({ list: 2 })
    await scene.compare()
    expect(scene.meter.counts.writes).toBe(2)
  })

  test('a multipart upload that is aborted, and the cleanup of one that could not be', async () => {
    const { key, path, size } = await scene.file(PARTS)
    const put = () => expect(scene.store.put(key, { path }, size)).rejects.toThrow(ObjectStoreUnavailable)
    scene.failFirst(6, 'part', refusal(500, 'InternalError'))
    expect(await scene.countRequests(put)).toMatchObject({ 'create upload': 1, 'abort upload': 1 })
    await scene.compare()
    expect(scene.meter.counts.deletes).toBe(1)
    scene.s3.fault = (operation) =>
      operation === 'part' || operation === 'abort upload' ? refusal(500, 'InternalError') : null
    expect(await scene.countRequests(put)).toMatchObject({ 'create upload': 1, 'abort upload': 3 })
    scene.s3.fault = () => null
    expect(await scene.countRequests(() => scene.store.removeUnfinished(soon()))).toEqual({
      list: 1,
      'abort upload': 1,
    })
    await scene.compare()
    expect(scene.meter.counts.deletes).toBe(5)
  })
})

describe('counts every attempt of a failing request:', () => {
  const faults: [string, CountedFault][] = [
    ['500', refusal(500, 'InternalError')],
    ['500 before the body has come', refusal(500, 'InternalError', 'head')],
    ['a reset before the answer', cutAfter(null)],
  ]
  const operations: [SeenOperation, () => Promise<unknown>][] = [
    ['put', () => scene.stored(300_000)],
    ['part', () => scene.stored(PARTS)],
    ['get', async () => read((await scene.stored(200_000)).key)],
    ['head', () => scene.store.readSize(absent)],
    ['list', () => Array.fromAsync(scene.store.list(''))],
    ['delete', () => scene.store.delete(absent)],
  ]
  const cases = faults.flatMap(([name, fault]) =>
    operations.map(([operation, act]) => ({ name, fault, operation, act })),
  )
  test.each(cases)('$operation and $name', async ({ fault, operation, act }) => {
    scene.failFirst(2, operation, fault)
    const made = await scene.countRequests(act)
    expect(made[operation]).toBe(operation === 'part' ? 4 : 3)
    await scene.compare(fault.answer?.at === 'end' ? 'to the byte' : 'but for buffers')
    scene.failFirst(6, operation, fault)
    await expect(act()).rejects.toThrow(ObjectStoreUnavailable)
    await scene.compare(fault.answer?.at === 'end' ? 'to the byte' : 'but for buffers')
  })

  test('a put that the bucket accepts only in part', async () => {
    scene.failFirst(2, 'put', { cutIn: 100_000 })
    expect(await scene.countRequests(() => scene.stored(8_000_000))).toEqual({ put: 3 })
    await scene.compare('but for buffers')
  })

  test('a put without a response in time', async () => {
    await using hasty = await makeMeteredScene({ upload: 1_500 })
    hasty.failFirst(2, 'put', { end: { how: 'silence', after: null } })
    expect(await hasty.countRequests(() => hasty.stored(100_000))).toEqual({ put: 3 })
    await hasty.compare()
    expect(hasty.meter.counts).toMatchObject({ writes: 3, in: 300_000 })
  })

  test('a put that returns the ETag of other bytes, once', async () => {
    const headers = { etag: `"${'0'.repeat(32)}"` }
    scene.failFirst(1, 'put', { answer: { at: 'end', status: 200, headers, body: '' } })
    const put = () => expect(scene.stored(1_000)).rejects.toThrow(ObjectStoreUnavailable)
    expect(await scene.countRequests(put)).toEqual({ put: 1 })
    await scene.compare()
  })
})

describe('counts what arrived of a body when', () => {
  const SIZE = 48 * 1024 * 1024

  test('the reader leaves part-way', async () => {
    const { key } = await scene.stored(SIZE)
    const { body } = await scene.store.open(key)
    await once(body, 'readable')
    expect(scene.meter.held.out).toBeGreaterThan(SIZE / 2)
    body.destroy()
    await scene.compare('but for buffers')
    expect(scene.meter.counts.out).toBeLessThan(SIZE / 2)
  })

  test('nobody ever reads it', async () => {
    const { key } = await scene.stored(1_000_000)
    const { body } = await scene.store.open(key)
    body.destroy()
    await scene.compare('but for buffers')
  })

  test('the bucket interrupts it', async () => {
    const { key } = await scene.stored(1_000_000)
    scene.s3.fault = () => cutAfter(700_000)
    await expect(read(key)).rejects.toThrow(ObjectStoreUnavailable)
    await scene.compare('but for buffers')
    expect(scene.meter.counts.out).toBeLessThanOrEqual(700_000)
  })

  test('it arrives slowly while another reader takes all of it', async () => {
    const { key } = await scene.stored(200_000)
    scene.s3.fault = () => ({ paceMs: 5 })
    const { body } = await scene.store.open(key)
    const whole = read(key)
    await once(body, 'readable')
    body.destroy()
    expect(await whole).toHaveLength(200_000)
    await scene.compare('but for buffers')
  })

  test('the bucket stalls', async () => {
    await using hasty = await makeMeteredScene({ stall: 200 })
    const { key } = await hasty.stored(1_000_000)
    hasty.s3.fault = () => ({ end: { how: 'silence', after: 700_000 } })
    const { body } = await hasty.store.open(key)
    await expect(buffer(body)).rejects.toThrow(ObjectStoreUnavailable)
    await hasty.compare('but for buffers')
  })

  test('a put misses its deadline again and again', async () => {
    await using hasty = await makeMeteredScene({ upload: 200, call: 5_000 })
    hasty.s3.fault = (operation) => (operation === 'put' ? { end: { how: 'silence', after: null } } : null)
    await expect(hasty.stored(1_000_000)).rejects.toThrow(ObjectStoreUnavailable)
    await hasty.compare('but for buffers')
  })
})
