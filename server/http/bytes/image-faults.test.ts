import { once } from 'node:events'
import { open as openFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ObjectCorrupt, ObjectStoreUnavailable, originalKey } from '#server/storage/object-store.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
let image: StoredImage
beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())
beforeEach(async () => {
  image = await storeImageFor(served, owner, { bytes: Buffer.alloc(2_000_000, Math.random().toString()) })
})

/** Makes the store return this instead of the image's bytes. */
const giveInstead = (body: Readable, size = image.bytes.length) =>
  vi.spyOn(served.app.images.store, 'open').mockImplementation(async () => ({ body, size }))

async function alarmsOf() {
  const answer: { alarms: unknown } = await (await fetch(`${served.origin}/readyz`)).json()
  return answer.alarms
}

/** Returns by how much the alarm counters rise during `work`. */
async function alarmsRaised(work: () => Promise<void>) {
  const before = served.app.alarms.counts()
  await work()
  const after = served.app.alarms.counts()
  expect(await alarmsOf()).toEqual(after)
  return { missing: after.missing - before.missing, corrupt: after.corrupt - before.corrupt }
}

const NONE = { missing: 0, corrupt: 0 }

describe('stored bytes that are missing or corrupt', () => {
  test('if missing, are 500, not cacheable, logged with the image’s id, and counted', async () => {
    const log = vi.spyOn(served.app.log, 'error')
    await served.app.images.store.delete(originalKey(image.sha256))
    const raised = await alarmsRaised(async () => {
      for (const init of [{}, { headers: { Range: 'bytes=0-9' } }]) {
        const answer = await read(image.url, null, init)
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([500, 'no-store'])
        expect(answer.headers.get('etag')).toBeNull()
        expect(await answer.text()).toBe(
          'This image is damaged or lost. Report this to the administrator of this site.\n',
        )
      }
    })
    expect(raised).toEqual({ missing: 2, corrupt: 0 })
    expect(log).toHaveBeenCalledWith(
      expect.objectContaining({ imageId: image.id, alarm: 'missing' }),
      expect.any(String),
    )
  })

  test('of an image purged during the look-up are a missing image, without an alarm', async () => {
    const { store } = served.app.images
    vi.spyOn(store, 'open').mockImplementationOnce(async (key) => {
      await served.app.db.image.delete({ where: { id: image.id } })
      await store.delete(key)
      return store.open(key)
    })
    expect(await alarmsRaised(async () => expect((await read(image.url)).status).toBe(404))).toEqual(NONE)
  })

  test.each(['truncated', 'lengthened', 'flipped'])('in a %s file never arrive whole', async (harm) => {
    const path = join(served.dataDir, 'objects', image.sha256.slice(0, 2), image.sha256.slice(2, 4), image.sha256)
    await using file = await openFile(path, 'r+')
    if (harm === 'truncated') await file.truncate(1_999_999)
    if (harm === 'lengthened') await file.write('more', 2_000_000)
    if (harm === 'flipped') await file.write('\xff', 1_999_999)
    const raised = await alarmsRaised(async () => {
      const answer = await read(image.url)
      if (answer.status === 200) await expect(answer.arrayBuffer()).rejects.toThrow()
      else expect(answer.status).toBe(500)
    })
    expect(raised).toEqual({ missing: 0, corrupt: 1 })
  })

  test('of a range beyond the end of a truncated file raise an alarm too', async () => {
    const path = join(served.dataDir, 'objects', image.sha256.slice(0, 2), image.sha256.slice(2, 4), image.sha256)
    await using file = await openFile(path, 'r+')
    await file.truncate(10)
    const raised = await alarmsRaised(async () => {
      expect((await read(image.url, null, { headers: { Range: 'bytes=100-199' } })).status).toBe(500)
    })
    expect(raised).toEqual({ missing: 0, corrupt: 1 })
  })

  test('with an error before the first byte get a complete answer, and after it a cut one', async () => {
    const fail = async function* (after: number, error: Error) {
      if (after > 0) yield image.bytes.subarray(0, after)
      throw error
    }
    const raised = await alarmsRaised(async () => {
      const early = giveInstead(Readable.from(fail(0, new ObjectCorrupt('x')), { objectMode: false }))
      expect((await read(image.url)).status).toBe(500)
      early.mockRestore()
      giveInstead(Readable.from(fail(1_000, new ObjectCorrupt('x'))))
      const late = await read(image.url)
      expect([late.status, late.headers.get('content-length')]).toEqual([200, '2000000'])
      await expect(late.arrayBuffer()).rejects.toThrow()
    })
    expect(raised).toEqual({ missing: 0, corrupt: 2 })
  })

  test('that end too early are cut', async () => {
    giveInstead(Readable.from([image.bytes.subarray(0, 1_999_999)]))
    const raised = await alarmsRaised(async () => {
      await expect(read(image.url).then((answer) => answer.arrayBuffer())).rejects.toThrow()
    })
    expect(raised).toEqual({ missing: 0, corrupt: 1 })
  })
})

describe('an unavailable store', () => {
  test('is 503 with Retry-After and no alarm; the next read works', async () => {
    const raised = await alarmsRaised(async () => {
      const refusing = vi
        .spyOn(served.app.images.store, 'open')
        .mockRejectedValue(new ObjectStoreUnavailable('bucket secret-name at 10.1.2.3'))
      const answer = await read(image.url)
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
        503,
        '5',
        'no-store',
      ])
      expect(await answer.json()).toEqual({
        error: 'The image store is unavailable. Try again in a few seconds.',
        requestId: answer.headers.get('x-request-id'),
      })
      refusing.mockRestore()
      expect((await read(image.url)).status).toBe(200)
    })
    expect(raised).toEqual(NONE)
  })

  test('in the middle of an answer cuts it', async () => {
    const body = new PassThrough()
    giveInstead(body)
    body.write(image.bytes.subarray(0, 1_000))
    const raised = await alarmsRaised(async () => {
      const answer = await read(image.url)
      body.destroy(new ObjectStoreUnavailable('gone'))
      await expect(answer.arrayBuffer()).rejects.toThrow()
    })
    expect(raised).toEqual(NONE)
  })
})

describe('a client that disconnects', () => {
  /** Sends a request and disconnects once the answer has begun. */
  async function askAndLeave(range?: string): Promise<void> {
    const { port, pathname } = new URL(image.url)
    const asked = request({ host: '127.0.0.1', port, path: pathname, ...(range && { headers: { Range: range } }) })
    asked.on('error', () => undefined).end()
    const [answer] = await once(asked, 'response')
    answer.on('error', () => undefined)
    asked.destroy()
  }

  test.each([undefined, 'bytes=0-1999998', 'bytes=0-9,1000-1999999'])(
    'closes the store’s stream without an alarm: %s',
    async (range) => {
      const log = vi.spyOn(served.app.log, 'error')
      const bodies: Readable[] = []
      const { store } = served.app.images
      const open = store.open.bind(store)
      vi.spyOn(store, 'open').mockImplementation(async (key, part) => {
        const opened = await open(key, part)
        bodies.push(opened.body)
        return opened
      })
      const raised = await alarmsRaised(async () => {
        await askAndLeave(range)
        await expect.poll(() => bodies.map((body) => body.closed)).toEqual([true])
      })
      expect(raised).toEqual(NONE)
      expect(log).not.toHaveBeenCalled()
      expect((await read(image.url)).status).toBe(200)
    },
  )

  test('closes it before the store has sent a byte', async () => {
    const body = new PassThrough()
    const opened = Promise.withResolvers<void>()
    vi.spyOn(served.app.images.store, 'open').mockImplementation(async () => {
      opened.resolve()
      return { body, size: image.bytes.length }
    })
    const log = vi.spyOn(served.app.log, 'error')
    const { port, pathname } = new URL(image.url)
    const asked = request({ host: '127.0.0.1', port, path: pathname }).on('error', () => undefined)
    asked.end()
    await opened.promise
    asked.destroy()
    await expect.poll(() => body.closed).toBe(true)
    expect(log).not.toHaveBeenCalled()
  })
})
