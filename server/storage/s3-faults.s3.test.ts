import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpFault, SeenRequest } from '#testing/servers/http-faults.ts'
import { makeS3Scene, type S3Scene, s3Error } from '#testing/servers/s3-scene.ts'
import { ObjectCorrupt, type ObjectKey, ObjectStoreUnavailable } from './object-store.ts'

let scene: S3Scene
beforeEach(async () => {
  scene = await makeS3Scene()
})
afterEach(() => scene[Symbol.asyncDispose]())

const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 7 ? byte ^ 4 : byte)))
const keys = () => Array.fromAsync(scene.store.list(''), ({ key }) => key)
const read = async (key: ObjectKey) => buffer((await scene.store.open(key)).body)
const heal = () => {
  scene.proxy.fault = () => null
}
const spoil = (fault: HttpFault, isMeant: (seen: SeenRequest) => boolean = () => true) => {
  scene.proxy.fault = (seen) => (isMeant(seen) ? fault : null)
}

interface PutFault {
  readonly name: string
  readonly fault: HttpFault
  /** HTTP requests that the put makes before it fails. */
  readonly attempts: number
}

const silent = { how: 'silence', after: null } as const
const wrongEtag = { etag: `"${'0'.repeat(32)}"` }
const putFaults: readonly PutFault[] = [
  { name: '500', fault: { answer: s3Error(500, 'InternalError') }, attempts: 3 },
  { name: '503 SlowDown', fault: { answer: s3Error(503, 'SlowDown') }, attempts: 3 },
  { name: '429', fault: { answer: s3Error(429, 'TooManyRequests') }, attempts: 3 },
  { name: '403', fault: { answer: s3Error(403, 'AccessDenied') }, attempts: 1 },
  { name: 'a page', fault: { answer: { status: 502, headers: {}, body: '<html><br>' } }, attempts: 3 },
  {
    name: 'a reset before the request arrives',
    fault: { end: { how: 'reset', after: null }, answer: s3Error(500, 'x') },
    attempts: 3,
  },
  { name: 'a reset after all bytes', fault: { end: { how: 'reset', after: null } }, attempts: 3 },
  { name: 'silence after all bytes', fault: { end: silent }, attempts: 3 },
  {
    name: '200 with a wrong ETag',
    fault: { received: (answer) => ({ ...answer, headers: { ...answer.headers, ...wrongEtag } }) },
    attempts: 1,
  },
  { name: 'a bit flipped in transit', fault: { sent: flipped }, attempts: 1 },
]

test('fails queued puts together with those ahead of them when the bucket accepts none', async () => {
  const files = await Promise.all(Array.from({ length: 20 }, () => scene.file(5_000)))
  spoil({ end: silent }, ({ method }) => method === 'PUT')
  const store = scene.hasty({ answer: 500, upload: 1_000, call: 0 })
  const puts = await Promise.allSettled(files.map(({ key, path, size }) => store.put(key, { path }, size)))
  for (const put of puts) expect(put).toMatchObject({ status: 'rejected', reason: expect.any(ObjectStoreUnavailable) })
  // As many as are sent in parallel.
  expect(store.attempts.put).toBe(4)
  heal()
  const [{ key, path, size } = await scene.file(1)] = files
  await store.put(key, { path }, size)
})

test.each(putFaults)('fails a put that meets $name, and succeeds on a retry', async ({ fault, attempts }) => {
  const { key, path, size, bytes } = await scene.file(5_000)
  spoil(fault, ({ method }) => method === 'PUT')
  const store = fault.end === silent ? scene.hasty({ upload: 200 }) : scene.store
  await expect(store.put(key, { path }, size)).rejects.toThrow(ObjectStoreUnavailable)
  expect(store.attempts.put).toBe(attempts)
  expect(scene.proxy.requests).toHaveLength(attempts)
  heal()
  // A check whether the bytes already exist must not accept wrong ones.
  const found = await scene.store.readSize(key)
  if (found !== null) expect((await read(key)).equals(bytes)).toBe(true)
  await scene.store.put(key, { path }, size)
  expect((await read(key)).equals(bytes)).toBe(true)
  expect(await scene.store.readSize(key)).toBe(size)
  expect(await keys()).toEqual([key])
})

test('keeps the details of a rejection by the bucket in the cause', async () => {
  const { key } = await scene.file(10)
  spoil({ answer: s3Error(403, 'AccessDenied', '<Resource>secret-bucket</Resource>') })
  const failure = await scene.store.open(key).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    name: 'ObjectStoreUnavailable',
    message: 'bucket unavailable',
    cause: { name: 'AccessDenied', message: 'No, AccessDenied' },
  })
})

describe('a read', () => {
  const withBody = (change: (body: Buffer) => Buffer): HttpFault => ({
    received: ({ status, headers, body }) => {
      const changed = change(body)
      return { status, headers: { ...headers, 'content-length': String(changed.length) }, body: changed }
    },
  })
  const other = randomBytes(5_000)
  const bodyFaults: [string, HttpFault, new () => Error][] = [
    ['is truncated', withBody((body) => body.subarray(0, 4_999)), ObjectCorrupt],
    ['has a bit flipped', withBody(flipped), ObjectCorrupt],
    ['is another object', withBody(() => other), ObjectCorrupt],
    ['is too long', withBody((body) => Buffer.concat([body, body])), ObjectCorrupt],
    ['is interrupted', { end: { how: 'reset', after: 4_999 } }, ObjectStoreUnavailable],
    ['stalls', { end: { how: 'silence', after: 4_999 } }, ObjectStoreUnavailable],
  ]
  test.each(bodyFaults)('that %s ends in an error, and the next succeeds', async (_, fault, expected) => {
    const { key, path, size, bytes } = await scene.file(5_000)
    await scene.store.put(key, { path }, size)
    spoil(fault, ({ method }) => method === 'GET')
    const store = fault.end?.how === 'silence' ? scene.hasty({ stall: 200 }) : scene.store
    const { body } = await store.open(key)
    let given = 0
    body.on('data', (chunk: Buffer) => {
      given += chunk.length
    })
    await expect(new Promise((_, reject) => body.on('error', reject))).rejects.toThrow(expected)
    expect(given).toBeLessThan(size)
    heal()
    expect((await read(key)).equals(bytes)).toBe(true)
  })

  const headFaults: [string, HttpFault][] = [
    ['500', { answer: s3Error(500, 'InternalError') }],
    ['404 from something that is not S3', { answer: { status: 404, headers: {}, body: '<html><p>No</p></html>' } }],
    ['no bucket', { answer: s3Error(404, 'NoSuchBucket') }],
    ['silence', { end: silent }],
    ['a reset', { end: { how: 'reset', after: null } }],
  ]
  test.each(headFaults)('that meets %s is an outage, and the next succeeds', async (_, fault) => {
    const { key, path, size, bytes } = await scene.file(5_000)
    await scene.store.put(key, { path }, size)
    spoil(fault)
    const store = fault.end === silent ? scene.hasty({ answer: 200 }) : scene.store
    await expect(store.open(key)).rejects.toThrow(ObjectStoreUnavailable)
    heal()
    expect((await read(key)).equals(bytes)).toBe(true)
  })

  const withRange = (range: string): HttpFault => ({
    received: (answer) => ({ ...answer, headers: { ...answer.headers, 'content-range': range } }),
  })
  const rangeFaults: [string, HttpFault, new () => Error][] = [
    ['other bytes', withRange('bytes 1-10/5000'), ObjectCorrupt],
    ['fewer bytes', withRange('bytes 0-8/5000'), ObjectCorrupt],
    ['bytes without a content range', withRange('none'), ObjectStoreUnavailable],
    ['fewer than its content range', withBody((body) => body.subarray(1)), ObjectCorrupt],
  ]
  test.each(rangeFaults)('of a range that returns %s fails', async (_, fault, expected) => {
    const { key, path, size, bytes } = await scene.file(5_000)
    await scene.store.put(key, { path }, size)
    spoil(fault, ({ method }) => method === 'GET')
    await expect(scene.store.open(key, { start: 0, end: 9 })).rejects.toThrow(expected)
    heal()
    const { body } = await scene.store.open(key, { start: 0, end: 9 })
    expect((await buffer(body)).equals(bytes.subarray(0, 10))).toBe(true)
  })
})

describe('a deletion', () => {
  test('waits for a request in flight when its signal fires', async () => {
    const { key, path, size } = await scene.file(10)
    await scene.store.put(key, { path }, size)
    const stop = new AbortController()
    scene.proxy.fault = () => {
      stop.abort()
      return null
    }
    await scene.store.delete(key, stop.signal)
    heal()
    expect(await scene.store.readSize(key)).toBeNull()
  })

  test('is not retried after its signal', async () => {
    const { key, path, size } = await scene.file(10)
    await scene.store.put(key, { path }, size)
    const stop = new AbortController()
    scene.proxy.fault = () => {
      stop.abort(new Error('Too late'))
      return { answer: s3Error(503, 'SlowDown') }
    }
    await expect(scene.store.delete(key, stop.signal)).rejects.toThrow('Too late')
    heal()
    expect(scene.store.attempts.delete).toBe(1)
    expect(await scene.store.readSize(key)).toBe(10)
  })

  test('can be repeated after an outage', async () => {
    const { key, path, size } = await scene.file(10)
    await scene.store.put(key, { path }, size)
    spoil({ answer: s3Error(500, 'InternalError') })
    await expect(scene.store.delete(key)).rejects.toThrow(ObjectStoreUnavailable)
    heal()
    await scene.store.delete(key)
    await scene.store.delete(key)
    expect(await keys()).toEqual([])
  })
})

describe('a multipart put', () => {
  const SIZE = 20_000_000
  const soon = () => new Date(Date.now() + 60_000)
  const isPart = (number: number) => (seen: SeenRequest) => seen.url.includes(`partNumber=${number}`)
  const isAbort = ({ method, url }: SeenRequest) => method === 'DELETE' && url.includes('uploadId=')

  test('leaves nothing behind when its second part fails', async () => {
    const { key, path } = await scene.file(SIZE)
    spoil({ answer: s3Error(500, 'InternalError') }, isPart(2))
    await expect(scene.store.put(key, { path }, SIZE)).rejects.toThrow(ObjectStoreUnavailable)
    expect(scene.proxy.requests.filter(isAbort)).toHaveLength(1)
    expect(await scene.store.removeUnfinished(soon())).toBe(0)
    expect(await keys()).toEqual([])
  })

  test('fails when a part arrives with a bit flipped', async () => {
    const { key, path } = await scene.file(SIZE)
    spoil({ sent: flipped }, isPart(3))
    await expect(scene.store.put(key, { path }, SIZE)).rejects.toThrow(ObjectStoreUnavailable)
    expect(await keys()).toEqual([])
  })

  test('is cleaned up after an interruption, but only once it is old', async () => {
    const { key, path } = await scene.file(SIZE)
    const begun = new Date()
    spoil({ answer: s3Error(500, 'InternalError') }, (seen) => isPart(2)(seen) || isAbort(seen))
    await expect(scene.store.put(key, { path }, SIZE)).rejects.toThrow(ObjectStoreUnavailable)
    heal()
    expect(await scene.store.removeUnfinished(new Date(begun.getTime() - 1_000))).toBe(0)
    expect(await scene.store.removeUnfinished(soon())).toBe(1)
    expect(await scene.store.removeUnfinished(soon())).toBe(0)
    await scene.store.put(key, { path }, SIZE)
    expect(await keys()).toEqual([key])
  })

  test('is complete even if the response that says so is lost', async () => {
    const { key, path, bytes } = await scene.file(SIZE)
    let lost = 0
    scene.proxy.fault = ({ method, url }) => {
      if (method !== 'POST' || !url.includes('uploadId=') || lost > 0) return null
      lost += 1
      return { end: { how: 'reset', after: null } }
    }
    await scene.store.put(key, { path }, SIZE)
    expect(lost).toBe(1)
    expect((await read(key)).equals(bytes)).toBe(true)
  })

  test.each([501, 405])('finds no unfinished uploads in a bucket that answers %d to listing them', async (status) => {
    spoil({ answer: s3Error(status, 'NotImplemented') })
    expect(await scene.store.removeUnfinished(soon())).toBe(0)
  })
})

test('checks the bucket once in a while, and again after a failure', async () => {
  await scene.store.check()
  await scene.store.check()
  expect(scene.store.attempts.head).toBe(1)
  const { key } = await scene.file(10)
  spoil({ answer: s3Error(403, 'AccessDenied') })
  await expect(scene.store.readSize(key)).rejects.toThrow(ObjectStoreUnavailable)
  await expect(scene.store.check()).rejects.toThrow(ObjectStoreUnavailable)
  heal()
  await scene.store.check()
  expect(scene.store.attempts.head).toBe(4)
})
