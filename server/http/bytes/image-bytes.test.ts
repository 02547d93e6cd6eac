import { createHash, randomBytes } from 'node:crypto'
import { parse } from 'content-disposition'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const STORED = new Date('2026-11-21T08:49:37.900Z')
const LAST_MODIFIED = 'Sat, 21 Nov 2026 08:49:37 GMT'
const EARLIER = 'Sat, 21 Nov 2026 08:49:36 GMT'

let served: TestApp
let owner: Person
let image: StoredImage
let hidden: StoredImage
const variants = { 400: randomBytes(400), 800: randomBytes(800) }

beforeAll(async () => {
  served = await startApp({ ...behindProxy, SLUICE_CACHE_SECONDS: '42' })
  owner = await served.person()
  image = await storeImageFor(served, owner, { createdAt: STORED, variants, bytes: randomBytes(600_000) })
  hidden = await storeImageFor(served, owner, { visibility: 'private' })
})
afterAll(() => served[Symbol.asyncDispose]())

const readBody = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

const makeTag = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('hex')}"`

/** Returns the headers except those that differ for every answer. */
function readHeaders(answer: Response): Record<string, string> {
  const headers = Object.fromEntries(answer.headers)
  for (const own of ['date', 'x-request-id', 'connection', 'keep-alive']) delete headers[own]
  return headers
}

describe('GET and HEAD', () => {
  test('send an original with headers that let a browser do nothing but show it', async () => {
    const answer = await read(image.url)
    expect(answer.status).toBe(200)
    expect(readHeaders(answer)).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=42',
      'content-disposition': 'inline; filename=photo.png',
      'content-length': '600000',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'content-type': 'image/png',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${image.sha256}"`,
      'last-modified': LAST_MODIFIED,
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
    expect((await readBody(answer)).equals(image.bytes)).toBe(true)
  })

  test('are cacheable for guests, even right after a download', async () => {
    const { id, url } = await storeImageFor(served, owner)
    const link = (await served.as(null, '198.51.100.30').image.download({ id })).url
    for (const [address, kept] of [
      [link, 'no-store'],
      [url, 'public, max-age=42'],
    ] as const) {
      const answer = await read(address)
      await answer.arrayBuffer()
      expect(answer.headers.get('cache-control')).toBe(kept)
    }
  })

  test('send a private image to its owner only, and to no shared cache', async () => {
    const answer = await read(hidden.url, owner)
    expect(answer.status).toBe(200)
    expect(readHeaders(answer)).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: 'Cookie, Authorization',
      'cross-origin-resource-policy': 'same-origin',
      'ratelimit-policy': expect.stringContaining('"download-1m";q=100;w=60'),
    })
  })

  test('send the variant of the nearest width, or the original if there is no such variant', async () => {
    const tag = async (query: string) => (await read(`${image.url}${query}`)).headers.get('etag')
    expect(await tag('?w=1')).toBe(makeTag(variants[400]))
    expect(await tag('?w=999')).toBe(makeTag(variants[800]))
    expect(await tag('?w=9000')).toBe(`"${image.sha256}"`)
    const answer = await read(`${image.url}?w=400`)
    expect(readHeaders(answer)).toMatchObject({
      'content-type': 'image/webp',
      'last-modified': LAST_MODIFIED,
      'content-length': '400',
    })
    expect(await readBody(answer)).toEqual(variants[400])
  })

  test('have the same headers; HEAD does not read the store', async () => {
    for (const url of [image.url, `${image.url}?w=400`]) {
      const got = readHeaders(await read(url))
      const open = vi.spyOn(served.app.images.store, 'open')
      for (const range of ['', 'bytes=0-9', 'bytes=0-9,900-']) {
        const head = await read(url, null, { method: 'HEAD', headers: { Range: range } })
        expect([head.status, readHeaders(head), await head.text()]).toEqual([200, got, ''])
      }
      expect(open).not.toHaveBeenCalled()
      open.mockRestore()
    }
  })

  test('are the only methods; others get 405', async () => {
    const answer = await read(image.url, owner, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('preconditions', () => {
  test('give 304 for an unchanged copy, with only the headers that a cache must update', async () => {
    const open = vi.spyOn(served.app.images.store, 'open')
    const ofTheSame = {
      'cache-control': 'public, max-age=42',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${image.sha256}"`,
      'x-robots-tag': 'noindex',
    }
    const conditions = [
      ['If-None-Match', `W/"${image.sha256}"`],
      ['If-Modified-Since', LAST_MODIFIED],
    ] as const
    for (const method of ['GET', 'HEAD']) {
      for (const [name, value] of conditions) {
        const answer = await read(image.url, null, { method, headers: { [name]: value, Range: 'bytes=0-9' } })
        expect([answer.status, await answer.text()]).toEqual([304, ''])
        expect(readHeaders(answer)).toEqual(ofTheSame)
      }
    }
    // On the fast path too.
    const known = await read(image.url, null, { headers: { 'If-None-Match': `"${image.sha256}"` } })
    expect([known.status, readHeaders(known)]).toEqual([304, ofTheSame])
    const variant = { 'If-None-Match': makeTag(variants[400]) }
    expect((await read(`${image.url}?w=400`, null, { headers: variant })).status).toBe(304)
    expect((await read(`${image.url}?w=800`, null, { method: 'HEAD', headers: variant })).status).toBe(200)
    const own = await read(hidden.url, owner, { headers: { 'If-None-Match': '*' } })
    expect([own.status, own.headers.get('vary'), own.headers.get('cache-control')]).toEqual([
      304,
      'Cookie, Authorization',
      'private, no-cache',
    ])
    expect(open).not.toHaveBeenCalled()
  })

  test('give 412 for a copy that has changed', async () => {
    for (const [name, value] of [
      ['If-Match', '"other"'],
      ['If-Unmodified-Since', EARLIER],
    ] as const) {
      const answer = await read(image.url, null, { headers: { [name]: value } })
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([412, 'no-store'])
    }
  })
})

describe('ranges', () => {
  const get = (range: string, more: Record<string, string> = {}, query = '') =>
    read(`${image.url}${query}`, null, { headers: { Range: range, ...more } })

  test('send one of the original or of a variant', async () => {
    const answer = await get('bytes=100-199')
    expect([answer.status, readHeaders(answer)]).toMatchObject([
      206,
      {
        'content-range': 'bytes 100-199/600000',
        'content-length': '100',
        'content-type': 'image/png',
        etag: `"${image.sha256}"`,
      },
    ])
    expect(await readBody(answer)).toEqual(image.bytes.subarray(100, 200))
    const variant = await get('bytes=-10', {}, '?w=400')
    expect([variant.status, variant.headers.get('content-range')]).toEqual([206, 'bytes 390-399/400'])
    expect(await readBody(variant)).toEqual(variants[400].subarray(390))
  })

  test.each([
    'bytes=599000-,0-9,300000-300999',
    `bytes=${Array.from({ length: 500 }, (_, at) => `${at * 1_000}-${at * 1_000}`)}`,
  ])('send the whole if there are several, with one read: %.40s', async (ranges) => {
    const open = vi.spyOn(served.app.images.store, 'open')
    const answer = await get(ranges)
    expect([answer.status, answer.headers.get('content-range')]).toEqual([200, null])
    expect(await readBody(answer)).toEqual(image.bytes)
    expect(open).toHaveBeenCalledTimes(1)
  })

  test('beyond the end get 416 without a read', async () => {
    const open = vi.spyOn(served.app.images.store, 'open')
    const answer = await get('bytes=600000-')
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */600000'])
    expect(open).not.toHaveBeenCalled()
  })

  test.each([
    [{ 'If-Range': LAST_MODIFIED }, 206],
    [{ 'If-Range': EARLIER }, 200],
    [{ 'If-Range': '"other"' }, 200],
  ])('with %j: %i', async (condition, status) => {
    expect((await get('bytes=0-9', condition)).status).toBe(status)
    expect((await get('bytes=0-9', { 'If-Range': `"${image.sha256}"` })).status).toBe(206)
    expect((await get('bytes=0-9', { 'If-Range': `W/"${image.sha256}"` })).status).toBe(200)
  })
})

describe('file names', () => {
  let root: Person
  beforeAll(async () => {
    root = await served.person({ role: 'superadmin' })
  })

  test.each([
    '../../etc/passwd',
    'a\u0001\u007fb.png',
    '..%5C..%5Cwin.ini',
    'x'.repeat(4_096),
    'photo\u202egnp.exe',
    'CON',
    'shell.jpg.php',
    'a\r\nSet-Cookie: a=b\r\n\r\n<script>',
    'quote";filename="evil.html',
    "Bär's %41 €.png",
    '\ud800',
    '',
    ' ',
  ])('cannot break out of the header: %j', async (filename) => {
    const { id, url } = await storeImageFor(served, root, { filename })
    const link = (await served.as(root).image.download({ id })).url
    for (const [address, type] of [
      [url, 'inline'],
      [link, 'attachment'],
    ] as const) {
      const answer = await read(address)
      const header = answer.headers.get('content-disposition') ?? ''
      expect(answer.status).toBe(200)
      expect(header).toMatch(/^[\x20-\x7e]+$/)
      expect(parse(header).type).toBe(type)
      const { parameters } = parse(header)
      expect(Object.keys(parameters).filter((name) => !/^filename\*?$/.test(name))).toEqual([])
      for (const name of Object.values(parameters)) expect(name).toMatch(/\.png$/)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(answer.headers.get('content-type')).toBe('image/png')
    }
  })
})
