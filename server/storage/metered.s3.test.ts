import { once } from 'node:events'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Counts } from '#testing/counting-meter.ts'
import type { CountedFault, SeenOperation } from '#testing/counting-s3.ts'
import { type MeteredScene, makeMeteredScene } from '#testing/metered-scene.ts'
import { s3Error } from '#testing/s3-scene.ts'
import { BudgetSpent } from './meter.ts'
import { type ObjectKey, ObjectNotFound, originalKey, StoreUnavailable } from './object-store.ts'
import { paidBy } from './payer.ts'

let scene: MeteredScene
beforeEach(async () => {
  scene = await makeMeteredScene()
})
afterEach(() => scene[Symbol.asyncDispose]())

const PARTS = 8 * 1024 * 1024 + 1
const absent = originalKey('0'.repeat(64))
const SPENT = 'A budget is spent: whether the bucket can be written and read was not tried.'
const soon = () => new Date(Date.now() + 60_000)
const read = async (key = absent) => buffer((await scene.store.open(key)).body)

/** The requests that a piece of work makes. */
async function requestsOf(work: () => Promise<unknown>): Promise<Partial<Record<SeenOperation, number>>> {
  const before = new Map(scene.s3.requests)
  await work()
  const made = [...scene.s3.requests].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  return Object.fromEntries(made.filter(([, count]) => count > 0))
}

/** Fails the first requests of an operation. */
function failFirst(times: number, operation: SeenOperation, fault: CountedFault): void {
  let failed = 0
  scene.s3.fault = (asked) => {
    if (asked !== operation || failed === times) return null
    failed += 1
    return fault
  }
}

const refusal = (status: number, code: string, at: 'head' | 'end' = 'end') => ({
  answer: { ...s3Error(status, code), at },
})

const cut = (after: number | null): CountedFault => ({ end: { how: 'cut', after } })

describe('requests and bytes are those of the bill:', () => {
  test('a put', async () => {
    const { key, path, size } = await scene.file(100_000)
    expect(await requestsOf(() => scene.store.put(key, { path }, size))).toEqual({ put: 1 })
    await scene.compare()
    expect(scene.meter.counts).toEqual({ writes: 1, reads: 0, deletes: 0, in: 100_000, out: 0 })
  })

  test('a put in parts', async () => {
    const { key, path, size } = await scene.file(PARTS)
    const requests = { 'create upload': 1, part: 2, 'complete upload': 1 }
    expect(await requestsOf(() => scene.store.put(key, { path }, size))).toEqual(requests)
    await scene.compare()
    expect(scene.meter.counts.writes).toBe(4)
  })

  test('reads of an object, of a range, and of what is not there', async () => {
    const { key } = await scene.stored(3_000_000)
    expect(await requestsOf(() => read(key))).toEqual({ get: 1 })
    await scene.compare()
    expect(scene.meter.counts).toEqual({ writes: 1, reads: 1, deletes: 0, in: 3_000_000, out: 3_000_000 })
    const range = { start: 1_000, end: 200_999 }
    expect(await requestsOf(async () => buffer((await scene.store.open(key, range)).body))).toEqual({ get: 1 })
    await scene.compare()
    expect(scene.meter.counts.out).toBe(3_200_000)
    expect(await requestsOf(() => expect(read()).rejects.toThrow(ObjectNotFound))).toEqual({ get: 1 })
    await scene.compare()
  })

  test('questions for sizes, deletions and readiness', async () => {
    const { key } = await scene.stored(1_000)
    expect(await requestsOf(() => scene.store.sizeOf(key))).toEqual({ head: 1 })
    expect(await requestsOf(() => scene.store.sizeOf(absent))).toEqual({ head: 1 })
    expect(await requestsOf(() => scene.store.delete(key))).toEqual({ delete: 1 })
    await scene.compare()
    const other = await makeMeteredScene()
    scene[Symbol.asyncDispose]()
    scene = other
    expect(await requestsOf(() => scene.store.check())).toEqual({ head: 1 })
    expect(await requestsOf(() => scene.store.check())).toEqual({})
    await scene.compare()
  })

  test('the look at the bucket when Sluice starts', async () => {
    expect(await requestsOf(() => scene.store.verify())).toEqual({ put: 1, get: 1, list: 1, delete: 1 })
    await scene.compare()
  })

  test('a list over several pages', async () => {
    const { path } = await scene.file(3)
    const keys = Array.from({ length: 1_100 }, (_, index) => originalKey(index.toString(16).padStart(64, '0')))
    await mkdir(dirname(scene.s3.fileOf('images/x')), { recursive: true })
    for (const key of keys) await copyFile(path, scene.s3.fileOf(`images/${key}`))
    expect(await requestsOf(() => Array.fromAsync(scene.store.list('')))).toEqual({ list: 2 })
    await scene.compare()
    expect(scene.meter.counts.writes).toBe(2)
  })

  test('an upload in parts that is aborted, and the sweep of one that could not be', async () => {
    const { key, path, size } = await scene.file(PARTS)
    const put = () => expect(scene.store.put(key, { path }, size)).rejects.toThrow(StoreUnavailable)
    failFirst(6, 'part', refusal(500, 'InternalError'))
    expect(await requestsOf(put)).toMatchObject({ 'create upload': 1, 'abort upload': 1 })
    await scene.compare()
    expect(scene.meter.counts.deletes).toBe(1)
    scene.s3.fault = (operation) =>
      operation === 'part' || operation === 'abort upload' ? refusal(500, 'InternalError') : null
    expect(await requestsOf(put)).toMatchObject({ 'create upload': 1, 'abort upload': 3 })
    scene.s3.fault = () => null
    expect(await requestsOf(() => scene.store.removeUnfinished(soon()))).toEqual({ list: 1, 'abort upload': 1 })
    await scene.compare()
    expect(scene.meter.counts.deletes).toBe(5)
  })
})

describe('a request that fails is counted each time it is made:', () => {
  const faults: [string, CountedFault][] = [
    ['500', refusal(500, 'InternalError')],
    ['500 before the body has come', refusal(500, 'InternalError', 'head')],
    ['a reset before the answer', cut(null)],
  ]
  const operations: [SeenOperation, () => Promise<unknown>][] = [
    ['put', () => scene.stored(300_000)],
    ['part', () => scene.stored(PARTS)],
    ['get', async () => read((await scene.stored(200_000)).key)],
    ['head', () => scene.store.sizeOf(absent)],
    ['list', () => Array.fromAsync(scene.store.list(''))],
    ['delete', () => scene.store.delete(absent)],
  ]
  const cases = faults.flatMap(([name, fault]) =>
    operations.map(([operation, act]) => ({ name, fault, operation, act })),
  )
  test.each(cases)('$operation and $name', async ({ fault, operation, act }) => {
    failFirst(2, operation, fault)
    const made = await requestsOf(act)
    expect(made[operation]).toBe(operation === 'part' ? 4 : 3)
    await scene.compare(fault.answer?.at === 'end' ? 'to the byte' : 'but for buffers')
    failFirst(6, operation, fault)
    await expect(act()).rejects.toThrow(StoreUnavailable)
    await scene.compare(fault.answer?.at === 'end' ? 'to the byte' : 'but for buffers')
  })

  test('a put of which the bucket takes only the beginning', async () => {
    failFirst(2, 'put', { cutIn: 100_000 })
    expect(await requestsOf(() => scene.stored(8_000_000))).toEqual({ put: 3 })
    await scene.compare('but for buffers')
  })
})

describe('of a body that breaks off counts what came:', () => {
  const SIZE = 48 * 1024 * 1024

  test('a reader goes away in its middle', async () => {
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

  test('the bucket cuts it', async () => {
    const { key } = await scene.stored(1_000_000)
    scene.s3.fault = () => cut(700_000)
    await expect(read(key)).rejects.toThrow(StoreUnavailable)
    await scene.compare('but for buffers')
    expect(scene.meter.counts.out).toBeLessThanOrEqual(700_000)
  })

  test('it comes slowly, and another reader takes all of it', async () => {
    const { key } = await scene.stored(200_000)
    scene.s3.fault = () => ({ paceMs: 5 })
    const { body } = await scene.store.open(key)
    const whole = read(key)
    await once(body, 'readable')
    body.destroy()
    expect(await whole).toHaveLength(200_000)
    await scene.compare('but for buffers')
  })

  test('the bucket falls silent', async () => {
    await using hasty = await makeMeteredScene({ stall: 200 })
    const { key } = await hasty.stored(1_000_000)
    hasty.s3.fault = () => ({ end: { how: 'silence', after: 700_000 } })
    const { body } = await hasty.store.open(key)
    await expect(buffer(body)).rejects.toThrow(StoreUnavailable)
    await hasty.compare('but for buffers')
  })

  test('a put passes its deadline again and again', async () => {
    await using hasty = await makeMeteredScene({ upload: 200, call: 5_000 })
    hasty.s3.fault = (operation) => (operation === 'put' ? { end: { how: 'silence', after: null } } : null)
    await expect(hasty.stored(1_000_000)).rejects.toThrow(StoreUnavailable)
    await hasty.compare('but for buffers')
  })
})

describe('a spent budget', () => {
  const spend = (...units: (keyof Counts)[]) => {
    scene.meter.limits = Object.fromEntries(units.map((unit) => [unit, scene.meter.counts[unit]]))
  }
  const acts: Readonly<Record<string, (key: ObjectKey) => Promise<unknown>>> = {
    put: () => scene.stored(1_000),
    'put in parts': () => scene.stored(PARTS),
    list: () => Array.fromAsync(scene.store.list('')),
    'list of uploads': () => scene.store.removeUnfinished(soon()),
    read,
    size: (key) => scene.store.sizeOf(key),
  }
  const refused: [keyof Counts, string[]][] = [
    ['writes', ['put', 'put in parts', 'list', 'list of uploads']],
    ['reads', ['read', 'size']],
    ['in', ['put']],
    ['out', ['read', 'list', 'list of uploads']],
  ]
  const cases = refused.flatMap(([unit, names]) => names.map((name) => ({ unit, name })))
  test.each(cases)('of $unit: no $name leaves, and a deletion does', async ({ unit, name }) => {
    const { key } = await scene.stored(1_000)
    await scene.store.check()
    spend(unit)
    const [act] = [acts[name]]
    const requests = await requestsOf(() => expect(act?.(key)).rejects.toThrow(BudgetSpent))
    expect(requests).toEqual({})
    expect(await requestsOf(() => scene.store.delete(key))).toEqual({ delete: 1 })
    await scene.compare()
  })

  test('is asked once a call, and is no outage', async () => {
    spend('reads', 'writes')
    const asked = vi.spyOn(scene.meter, 'request')
    await scene.store.check()
    expect(asked).toHaveBeenCalledTimes(1)
    expect(await requestsOf(() => scene.store.check())).toEqual({})
    await expect(scene.store.sizeOf(absent)).rejects.toThrow(new BudgetSpent('No reads are left', null))
    expect(asked).toHaveBeenCalledTimes(3)
  })

  test('does not keep Sluice from starting, which warns', async () => {
    spend('writes')
    expect(await requestsOf(async () => expect(await scene.store.verify()).toEqual([SPENT]))).toEqual({ delete: 1 })
    scene.meter.limits = { reads: 0 }
    const requests = { put: 1, delete: 1 }
    expect(await requestsOf(async () => expect(await scene.store.verify()).toEqual([SPENT]))).toEqual(requests)
  })

  test('in the middle of an upload in parts aborts it', async () => {
    scene.meter.limits = { writes: 2 }
    const requests = { 'create upload': 1, part: 1, 'abort upload': 1 }
    expect(await requestsOf(() => expect(scene.stored(PARTS)).rejects.toThrow(BudgetSpent))).toEqual(requests)
    await scene.compare()
  })

  test('before a retry ends the call', async () => {
    scene.meter.limits = { writes: 1 }
    failFirst(1, 'put', refusal(500, 'InternalError'))
    expect(await requestsOf(() => expect(scene.stored(1_000)).rejects.toThrow(BudgetSpent))).toEqual({ put: 1 })
    await scene.compare()
  })
})

test('an object that there is no room for is cut at its head, and uses up what is left if it is asked for again', async () => {
  const { key } = await scene.stored(5_000_000)
  scene.meter.limits = { out: 200_000 }
  const requests = await requestsOf(async () => {
    for (let times = 0; times < 10; times += 1) await expect(read(key)).rejects.toThrow(BudgetSpent)
  })
  expect(requests.get).toBeLessThan(4)
  await scene.compare('but for buffers')
})

test('the room of a reader that stands still lapses with it', async () => {
  const { key } = await scene.stored(5_000_000)
  scene.meter.limits = { out: 8_000_000 }
  const { body } = await scene.store.open(key)
  await once(body, 'readable')
  await expect(read(key)).rejects.toThrow(BudgetSpent)
  body.destroy()
  await once(body, 'close')
  await expect.poll(() => scene.meter.held.out).toBe(0)
})

describe('who pays is who asks', () => {
  test('through the queue of puts and their retries', async () => {
    const sizes = Array.from({ length: 12 }, (_, index) => 10_000 + index)
    const files = await Promise.all(sizes.map(scene.file))
    failFirst(5, 'put', cut(null))
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

  test('for every part of an upload, beside others', async () => {
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
