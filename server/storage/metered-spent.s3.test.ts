import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CountedFault } from '#testing/servers/counting-s3.ts'
import type { MeterCounts } from '#testing/storage/counting-meter.ts'
import { cutAfter, type MeteredScene, makeMeteredScene, refusal } from '#testing/storage/metered-scene.ts'
import { BudgetSpent } from './meter.ts'
import { type ObjectKey, originalKey } from './object-store.ts'
import { paidBy } from './payer.ts'

let scene: MeteredScene
beforeEach(async () => {
  scene = await makeMeteredScene()
})
afterEach(() => scene[Symbol.asyncDispose]())

const PARTS = 8 * 1024 * 1024 + 1
const absent = originalKey('0'.repeat(64))
const SPENT = 'A budget is used up, so reading and writing the bucket was not tested.'
const soon = () => new Date(Date.now() + 60_000)
/** Some providers send errors with a content length, others in chunks. */
const withLength = ({ answer }: CountedFault): CountedFault =>
  answer ? { answer: { ...answer, headers: { ...answer.headers, 'content-length': `${answer.body.length}` } } } : {}
const read = async (key = absent) => buffer((await scene.store.open(key)).body)

describe('a spent budget', () => {
  const spend = (...units: (keyof MeterCounts)[]) => {
    scene.meter.limits = Object.fromEntries(units.map((unit) => [unit, scene.meter.counts[unit]]))
  }
  const acts: Readonly<Record<string, (key: ObjectKey) => Promise<unknown>>> = {
    put: () => scene.stored(1_000),
    'put in parts': () => scene.stored(PARTS),
    list: () => Array.fromAsync(scene.store.list('')),
    'list of uploads': () => scene.store.removeUnfinished(soon()),
    read,
    size: (key) => scene.store.readSize(key),
  }
  const refused: [keyof MeterCounts, string[]][] = [
    ['writes', ['put', 'put in parts', 'list', 'list of uploads']],
    ['reads', ['read', 'size']],
    ['in', ['put']],
    ['out', ['read', 'list', 'list of uploads']],
  ]
  const cases = refused.flatMap(([unit, names]) => names.map((name) => ({ unit, name })))
  test.each(cases)('of $unit: sends no $name, but still deletes', async ({ unit, name }) => {
    const { key } = await scene.stored(1_000)
    await scene.store.check()
    spend(unit)
    const [act] = [acts[name]]
    const requests = await scene.countRequests(() => expect(act?.(key)).rejects.toThrow(BudgetSpent))
    expect(requests).toEqual({})
    expect(await scene.countRequests(() => scene.store.delete(key))).toEqual({ delete: 1 })
    await scene.compare()
  })

  test('is checked once per call and is not an outage', async () => {
    spend('reads', 'writes')
    const asked = vi.spyOn(scene.meter, 'request')
    await scene.store.check()
    expect(asked).toHaveBeenCalledTimes(1)
    expect(await scene.countRequests(() => scene.store.check())).toEqual({})
    await expect(scene.store.readSize(absent)).rejects.toThrow(new BudgetSpent('No reads are left', null))
    expect(asked).toHaveBeenCalledTimes(3)
  })

  test('does not keep Sluice from starting, but causes a warning', async () => {
    spend('writes')
    expect(await scene.countRequests(async () => expect(await scene.store.verify()).toEqual([SPENT]))).toEqual({
      delete: 1,
    })
    scene.meter.limits = { reads: 0 }
    const requests = { put: 1, delete: 1 }
    expect(await scene.countRequests(async () => expect(await scene.store.verify()).toEqual([SPENT]))).toEqual(requests)
  })

  test('of out stops no deletion whose response has a body, whether it fails and is retried or finds nothing', async () => {
    const { key } = await scene.stored(1_000)
    spend('out')
    scene.failFirst(1, 'delete', withLength(refusal(503, 'SlowDown')))
    expect(await scene.countRequests(() => scene.store.delete(key))).toEqual({ delete: 2 })
    scene.failFirst(1, 'delete', withLength(refusal(404, 'NoSuchKey')))
    expect(await scene.countRequests(() => scene.store.delete(key))).toEqual({ delete: 1 })
    await scene.compare()
  })

  test('of out does not stop an upload because of the few bytes of its response', async () => {
    spend('out')
    scene.failFirst(1, 'put', withLength(refusal(503, 'SlowDown')))
    expect(await scene.countRequests(() => scene.stored(1_000))).toEqual({ put: 2 })
    const requests = { 'create upload': 1, part: 2, 'complete upload': 1 }
    expect(await scene.countRequests(() => scene.stored(PARTS))).toEqual(requests)
    await scene.compare()
  })

  test('during a multipart upload aborts it', async () => {
    scene.meter.limits = { writes: 2 }
    const requests = { 'create upload': 1, part: 1, 'abort upload': 1 }
    expect(await scene.countRequests(() => expect(scene.stored(PARTS)).rejects.toThrow(BudgetSpent))).toEqual(requests)
    await scene.compare()
  })

  test('before a retry ends the call', async () => {
    scene.meter.limits = { writes: 1 }
    scene.failFirst(1, 'put', refusal(500, 'InternalError'))
    expect(await scene.countRequests(() => expect(scene.stored(1_000)).rejects.toThrow(BudgetSpent))).toEqual({
      put: 1,
    })
    await scene.compare()
  })
})

test('asks a failing meter once, whatever its error looks like, and reports no outage of the bucket', async () => {
  const failure = Object.assign(new Error('database unavailable'), { code: 'ECONNRESET' })
  const asked = vi.spyOn(scene.meter, 'request').mockRejectedValue(failure)
  await expect(scene.store.readSize(absent)).rejects.toBe(failure)
  expect(asked).toHaveBeenCalledTimes(1)
  expect(Object.keys(failure)).toEqual(['code'])
  await scene.compare()
})

test('ends a read without budget after its headers; repeating it uses up the rest of the budget', async () => {
  const { key } = await scene.stored(5_000_000)
  scene.meter.limits = { out: 200_000 }
  const requests = await scene.countRequests(async () => {
    for (let times = 0; times < 10; times += 1) await expect(read(key)).rejects.toThrow(BudgetSpent)
  })
  expect(requests.get).toBeLessThan(4)
  await scene.compare('but for buffers')
})

test('counts what arrived of an object without budget whose response is interrupted', async () => {
  const { key } = await scene.stored(200_000)
  scene.meter.limits = { out: 100_000 }
  scene.s3.fault = () => cutAfter(50_000)
  await expect(read(key)).rejects.toThrow()
  await scene.compare('but for buffers')
  expect(scene.meter.counts.out).toBeLessThanOrEqual(50_000)
})

test('releases the reservation of a reader that stalls', async () => {
  const { key } = await scene.stored(5_000_000)
  scene.meter.limits = { out: 8_000_000 }
  const { body } = await scene.store.open(key)
  await once(body, 'readable')
  await expect(read(key)).rejects.toThrow(BudgetSpent)
  body.destroy()
  await once(body, 'close')
  await expect.poll(() => scene.meter.held.out).toBe(0)
})

describe('the caller pays', () => {
  test('through the queue of puts and their retries', async () => {
    const sizes = Array.from({ length: 12 }, (_, index) => 10_000 + index)
    const files = await Promise.all(sizes.map(scene.file))
    scene.failFirst(5, 'put', cutAfter(null))
    await Promise.all(
      files.map(({ key, path, size }) =>
        paidBy({ procedure: `put ${size}`, subject: null }, () => scene.store.put(key, { path }, size)),
      ),
    )
    expect(Object.keys(scene.meter.by).sort()).toEqual(sizes.map((size) => `put ${size}`))
    for (const size of sizes) {
      const { writes, in: bytes } = scene.meter.by[`put ${size}`] ?? {}
      expect(bytes).toBe(size * (writes ?? 0))
    }
  })

  test('for every part of an upload, even among others', async () => {
    const put = (procedure: string) => paidBy({ procedure, subject: null }, () => scene.stored(PARTS))
    await Promise.all(['a', 'b', 'c'].map(put))
    for (const procedure of ['a', 'b', 'c']) expect(scene.meter.by[procedure]?.writes).toBe(4)
    expect(scene.meter.counts.writes).toBe(12)
  })

  test('for a body, whoever reads it', async () => {
    const { key } = await paidBy({ procedure: 'upload', subject: null }, () => scene.stored(3_000_000))
    const { body } = await paidBy({ procedure: 'read', subject: null }, () => scene.store.open(key))
    await paidBy({ procedure: 'other', subject: null }, () => buffer(body))
    expect(scene.meter.by).toEqual({
      upload: { writes: 1, reads: 0, deletes: 0, in: 3_000_000, out: 0 },
      read: { writes: 0, reads: 1, deletes: 0, in: 0, out: 3_000_000 },
    })
  })

  test('for each page of a list', async () => {
    const list = () => Array.fromAsync(scene.store.list(''))
    await paidBy({ procedure: 'sweep', subject: null }, list)
    expect(scene.meter.by.sweep?.writes).toBe(1)
  })
})
