import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect, Socket } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { behindProxy, everythingKept, read, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { animation, flatPng, manyFramesGif, picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const CAP = 25 * 1024 * 1024

let served: TestApp
let person: Person

beforeAll(async () => {
  served = await startApp(behindProxy)
  person = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

/** What is stored, how many files were decoded, and how many calls are in flight. */
const traces = async () => ({ ...(await everythingKept(served)), decoded: served.app.images.decoder.jobs })

/** Asserts that `act` leaves nothing, except that `decodes` files were decoded. Waits for earlier calls to end first. */
async function leavesNothing(act: () => Promise<void>, decodes = 0): Promise<void> {
  await expect.poll(async () => (await traces()).unfinished).toEqual([])
  const before = await traces()
  await act()
  await expect.poll(traces).toEqual({ ...before, decoded: before.decoded + decodes })
}

async function expectRefusal(answer: Response, status: number, code: string): Promise<void> {
  const body: { error: { data: { code: string } } } = JSON.parse(await answer.text())
  expect([answer.status, body.error.data.code]).toEqual([status, code])
}

function openUpload(headers: Record<string, string>): ClientRequest {
  const { port } = new URL(served.origin)
  const common = { 'Content-Type': 'application/octet-stream', 'x-file-name': 'x.png', Cookie: person.cookie }
  return request({
    host: '127.0.0.1',
    port,
    path: '/api/trpc/image.upload',
    method: 'POST',
    headers: { ...common, ...headers },
  })
}

async function readStatus(sending: ClientRequest): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  sending.on('response', (answer: IncomingMessage) => {
    answer.resume()
    resolve(answer.statusCode)
  })
  return promise
}

/** Resolves when the socket has closed, normally or reset by the other side. */
function closing(stream: ClientRequest | Socket): Promise<void> {
  stream.on('error', () => undefined)
  return new Promise((resolve) => stream.once('close', () => resolve()))
}

/** More than the buffers hold of a body that is not accepted, plus what is read until the response has arrived. */
const MAX_BUFFERED = 512 * 1024

/** Sends a body of 20 MB, or the length in `headers`, whatever the response. Returns the response, and how many bytes the server
 *  read. */
async function insist(headers: Record<string, string>): Promise<{ status: number | undefined; read: number }> {
  const { promise: connection, resolve } = Promise.withResolvers<Socket>()
  const noteConnection = (message: unknown) => resolve(requestStart.parse(message).socket)
  subscribe('http.server.request.start', noteConnection)
  const length = Number(headers['Content-Length'] ?? 20_000_000)
  const sending = openUpload({ 'Content-Length': String(length), ...headers })
  const [answered, closed] = [readStatus(sending), closing(sending)]
  const chunk = Buffer.alloc(1_000_000)
  for (let sent = 0; sent < length; sent += chunk.length) sending.write(chunk.subarray(0, length - sent))
  const [status, { bytesRead }] = [await answered, await closed.then(() => connection)]
  unsubscribe('http.server.request.start', noteConnection)
  return { status, read: bytesRead }
}

const requestStart = z.object({ socket: z.instanceof(Socket) })

describe('does not receive a refused upload:', () => {
  test.each([
    ['a guest’s', 401, { Cookie: '' }],
    ['one from a page of another site', 403, { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' }],
    ['one longer than the limit', 413, { 'Content-Length': String(CAP + 1) }],
    ['one with an invalid encoding of its name', 400, { 'x-file-name': '%zz' }],
    ['one with an invalid visibility', 400, { 'x-visibility': 'nobody' }],
    ['one of another content type', 415, { 'Content-Type': 'image/png' }],
  ] as const)('%s', (_, status, headers) =>
    leavesNothing(async () => {
      const answer = await insist({ ...headers })
      expect(answer.status).toBe(status)
      expect(answer.read).toBeLessThan(MAX_BUFFERED)
    }),
  )

  test('beyond the limit', () =>
    leavesNothing(async () => {
      const user = await served.person()
      const owner = await served.person({ role: 'superadmin' })
      await served.as(owner).limits.override({
        ruleSet: 'upload',
        target: { kind: 'subject', subject: user.viewer.userId },
        terms: { rules: [{ limit: 1, window: '1h' }] },
      })
      expect((await sendUpload(served, user, Buffer.from('no image'))).status).toBe(415)
      const answer = await insist({ Cookie: user.cookie })
      expect(answer.status).toBe(429)
      expect(answer.read).toBeLessThan(MAX_BUFFERED)
    }))
})

describe('a body over the size limit', () => {
  test('without a length is refused at the limit, and the connection of a client that keeps sending is closed', () =>
    leavesNothing(async () => {
      const sending = openUpload({ 'Transfer-Encoding': 'chunked' })
      const [answered, closed] = [readStatus(sending), closing(sending)]
      const chunk = Buffer.concat([await picture({ width: 8, height: 8 }), Buffer.alloc(1_000_000)])
      for (let sent = 0; sent < CAP + 1_000_000; sent += chunk.length) sending.write(chunk)
      expect(await answered).toBe(413)
      await closed
    }))

  test('of exactly the limit is read to its end', () =>
    leavesNothing(async () => {
      await expectRefusal(await sendUpload(served, person, Buffer.alloc(CAP)), 415, 'UNSUPPORTED_MEDIA_TYPE')
    }))

  test('that is longer than its stated length is a bad request', () =>
    leavesNothing(async () => {
      const socket = connect(Number(new URL(served.origin).port), '127.0.0.1')
      const head = `POST /api/trpc/image.upload HTTP/1.1\r\nHost: localhost\r\nCookie: ${person.cookie}\r\n`
      socket.write(`${head}Content-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\n${'x'.repeat(1_000)}`)
      socket.resume()
      await closing(socket)
    }))
})

test.each([0.01, 0.5, 0.99])('a client that disconnects at %d of its file leaves nothing', (share) =>
  leavesNothing(async () => {
    const bytes = await picture({ format: 'png', width: 900, height: 900, seed: 7 })
    const sending = openUpload({ 'Content-Length': String(bytes.length) })
    sending.on('error', () => undefined)
    await new Promise((resolve) => sending.write(bytes.subarray(0, Math.floor(bytes.length * share)), resolve))
    await expect.poll(async () => (await everythingKept(served)).unfinished.length).toBe(1)
    sending.destroy()
  }),
)

describe('the content decides:', () => {
  test.each([
    ['HTML', '<html><script>alert(1)</script>'],
    ['JavaScript', 'alert(1)'],
    ['PDF', '%PDF-1.7'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['an XML entity bomb', '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa">]><svg>&a;</svg>'],
    ['an external entity', '<!DOCTYPE s [<!ENTITY x SYSTEM "http://127.0.0.1:1/">]><svg>&x;</svg>'],
    ['an ImageMagick script', "push graphic-context\nfill 'url(https://127.0.0.1:1/)'\n"],
    ['PostScript', '%!PS-Adobe-3.0 EPSF-3.0'],
    ['PSD', '8BPS\0\u0001'],
    ['TIFF', 'II*\0\u0008\0\0\0'],
    ['an icon', '\0\0\u0001\0\u0001\0'],
    ['HEIC', '\0\0\0\u0018ftypheic'],
    ['AVIF', '\0\0\0\u0018ftypavif'],
  ])('%s with the name .png and the type image/png is refused without decoding', (_, text) =>
    leavesNothing(async () => {
      const answer = await sendUpload(served, person, Buffer.from(text), { name: 'image.png' })
      await expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    }),
  )

  test('a PNG is a PNG, whatever its name', async () => {
    const bytes = await picture({ format: 'png', width: 30, height: 30, seed: 8 })
    const image = await uploadAccepted(served, person, bytes, { name: 'page.html' })
    const answer = await read(image.url, person)
    expect(image.url).toMatch(/\.png$/)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-disposition')).toBe('inline; filename=page.html.png')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a content type other than octet-stream is refused', () =>
    leavesNothing(async () => {
      const bytes = await picture({ format: 'png', width: 30, height: 30, seed: 9 })
      const answer = await sendUpload(served, person, bytes, { headers: { 'Content-Type': 'image/png' } })
      expect(answer.status).toBe(415)
    }))
})

describe('a file that does not decode', () => {
  test('because it is empty is refused without decoding', () =>
    leavesNothing(async () => {
      await expectRefusal(await sendUpload(served, person, Buffer.alloc(0)), 422, 'UNPROCESSABLE_CONTENT')
    }))

  test.each([
    ['a JPEG cut in half', async () => half(await picture())],
    ['a PNG cut in half', async () => half(await picture({ format: 'png' }))],
    ['a GIF cut in half', async () => half(await picture({ format: 'gif' }))],
    ['a WebP cut in half', async () => half(await picture({ format: 'webp' }))],
    ['an animated GIF cut in half', async () => half(await animation('gif'))],
    ['a PNG without its end', async () => (await picture({ format: 'png' })).subarray(0, -12)],
    ['only the header of a JPEG', async () => (await picture()).subarray(0, 100)],
    ['only a signature', async () => Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a pixel bomb', async () => flatPng(30_000, 30_000)],
    ['ten thousand frames', async () => manyFramesGif(10_000)],
    ['a GIF that is JavaScript', async () => Buffer.from('GIF89a=1;alert(1)//')],
  ])('%s is refused and leaves nothing', (_, make) =>
    leavesNothing(async () => {
      await expectRefusal(await sendUpload(served, person, await make()), 422, 'UNPROCESSABLE_CONTENT')
    }, 1),
  )

  test('because of random changes is stored or refused, and the server keeps running', async () => {
    const files = [
      ...(await Promise.all((['jpeg', 'png', 'gif', 'webp'] as const).map((format) => small({ format })))),
      await animation('gif', { frames: 2, width: 20, height: 20 }),
      await animation('webp', { frames: 2, width: 20, height: 20 }),
    ]
    const statuses = new Set<number>()
    for (let round = 0; round < 20; round += 1) {
      for (const [index, file] of files.entries()) {
        const answer = await sendUpload(served, person, mutated(file, round * 10 + index))
        statuses.add(answer.status)
        await answer.body?.cancel()
      }
    }
    expect([...statuses].filter((status) => ![200, 415, 422].includes(status))).toEqual([])
    expect((await everythingKept(served)).unfinished).toEqual([])
  })

  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)
  const small = (options: object) => picture({ width: 24, height: 24, ...options })

  /** Changes eight bytes after the signature, at positions from a seeded generator. */
  function mutated(file: Buffer, seed: number): Buffer {
    const bytes = Buffer.from(file)
    let state = seed + 1
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 8
    }
    for (let change = 0; change < 8; change += 1) bytes[12 + (next() % (bytes.length - 12))] = next() & 0xff
    return bytes
  }
})

describe('names', () => {
  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\win.ini', 'win.ini'],
    ['a\0b.jpg', 'ab.jpg'],
    ['x'.repeat(4_096), 'x'.repeat(200)],
    ['\u202egnp.exe', 'gnp.exe'],
    ['CON', 'CON'],
    ['shell.jpg.php', 'shell.jpg.php'],
    ['a\r\nX-Evil: 1.jpg', 'aX-Evil: 1.jpg'],
    ['"quotes" & \'more\'.jpg', '"quotes" & \'more\'.jpg'],
    ['..', 'image.jpg'],
  ])('%j is stored as %j, and is not part of any path', async (name, filename) => {
    const bytes = await picture({ width: 20, height: 20, seed: name.length })
    const { id, sha256, url } = await uploadAccepted(served, await served.person(), bytes, { name })
    const row = await served.app.db.image.findUnique({ where: { id } })
    expect(row?.filename).toBe(filename)
    const keys = await Array.fromAsync(served.app.images.store.list(''), ({ key }) => key)
    expect(keys.every((key) => /^[0-9a-f]{64}(\/w(400|800|1600)\.[0-9a-f]{64}\.webp)?$/.test(key))).toBe(true)
    expect(keys).toContain(sha256)
    const answer = await read(url)
    expect(answer.headers.get('content-disposition')).toMatch(/^inline; [\x20-\x7e]+$/)
    expect(answer.headers.get('x-evil')).toBeNull()
  })

  test.each([
    ['x-file-name', '%zz'],
    ['x-visibility', 'everybody'],
  ])('the header %s: %s is a bad request', (header, value) =>
    leavesNothing(async () => {
      const answer = await sendUpload(served, person, await picture(), { headers: { [header]: value } })
      await expectRefusal(answer, 400, 'BAD_REQUEST')
    }),
  )
})

test('there is no upload by URL: a URL in the body is not an image, and no field accepts one', () =>
  leavesNothing(async () => {
    const answer = await sendUpload(served, person, Buffer.from('http://169.254.169.254/latest/meta-data/'))
    await expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    const asJson = await fetch(`${served.origin}/api/trpc/image.upload`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: person.cookie },
      body: JSON.stringify({ url: 'http://127.0.0.1:1/' }),
    })
    await expectRefusal(asJson, 400, 'BAD_REQUEST')
  }))

test('a stored image has been decoded: the thumbnail shows it', async () => {
  const image = await uploadAccepted(served, person, await picture({ width: 50, height: 40, seed: 11 }))
  const thumbnail = Buffer.from(await (await read(image.thumbnailUrl)).arrayBuffer())
  expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 50, height: 40 })
})
