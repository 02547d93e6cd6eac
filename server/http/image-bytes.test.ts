import { request } from 'node:http'
import { parse } from 'content-disposition'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newSlug } from '#server/images/slug.ts'
import { variantKey } from '#server/storage/object-store.ts'
import { behindProxy, read, upload } from '#testing/image-client.ts'
import { picture } from '#testing/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'

let served: TestApp
let owner: Person
let bytes: Buffer
let image: Awaited<ReturnType<typeof upload>>
let hidden: typeof image

beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
  bytes = await picture({ width: 900, height: 600 })
  image = await upload(served, owner, bytes, { name: 'photo.jpg' })
  hidden = await upload(served, owner, await picture({ seed: 2 }), { headers: { 'x-visibility': 'private' } })
})
afterAll(() => served[Symbol.asyncDispose]())

const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

/** Everything of an answer that a stranger sees, but for its date, its number and the connection it came by. */
async function seen(response: Response) {
  const headers = Object.fromEntries(response.headers)
  for (const own of ['date', 'x-request-id', 'connection', 'keep-alive']) delete headers[own]
  return { status: response.status, headers, body: await response.text() }
}

/** Sends a path exactly as it is written, which fetch would tidy up. */
function readRaw(path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { hostname, port } = new URL(served.origin)
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname
  request({ host: address, port, path }, (answer) => {
    answer.resume()
    resolve(answer.statusCode ?? 0)
  })
    .on('error', reject)
    .end()
  return promise
}

describe('what is sent', () => {
  test('an original, with headers that let a browser do nothing but show it', async () => {
    const answer = await read(image.url)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      etag: `"${image.sha256}"`,
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename=photo.jpg',
      'accept-ranges': 'bytes',
    })
    expect([...answer.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
    expect((await bodyOf(answer)).equals(bytes)).toBe(true)
  })

  test('a private image to its owner alone, kept by no shared cache', async () => {
    const answer = await read(hidden.url, owner)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(answer.headers.get('ratelimit-policy')).toContain('"download-1m";q=100;w=60')
  })

  test('HEAD as GET without the bytes', async () => {
    for (const url of [image.url, image.thumbnailUrl]) {
      const got = await seen(await read(url))
      const head = await seen(await read(url, null, { method: 'HEAD' }))
      expect(head).toEqual({ ...got, body: '' })
    }
  })

  test('304 for what the client has, of the original and of each variant', async () => {
    for (const url of [image.url, image.thumbnailUrl, `${image.url}?w=1600`]) {
      const etag = (await read(url)).headers.get('etag') ?? ''
      const answer = await read(url, null, { headers: { 'If-None-Match': etag } })
      expect([answer.status, answer.headers.get('etag'), (await bodyOf(answer)).length]).toEqual([304, etag, 0])
    }
    const other = await read(image.url, null, { headers: { 'If-None-Match': `"${image.sha256}-w400"` } })
    expect(other.status).toBe(200)
  })

  test('a range', async () => {
    const answer = await read(image.url, null, { headers: { Range: 'bytes=100-199' } })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes 100-199/${bytes.length}`)
    expect((await bodyOf(answer)).equals(bytes.subarray(100, 200))).toBe(true)
    const beyond = await read(image.url, null, { headers: { Range: `bytes=${bytes.length}-` } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
  })

  test('the nearest width, and something larger when a variant is missing', async () => {
    const etagOf = async (query: string) => (await read(`${image.url}${query}`)).headers.get('etag')
    expect(await etagOf('?w=600')).toBe(`"${image.sha256}-w400"`)
    expect(await etagOf('?w=9000')).toBe(`"${image.sha256}-w1600"`)
    const { url, sha256 } = await upload(served, owner, await picture({ seed: 3 }))
    await served.app.images.store.delete(variantKey(sha256, 400))
    expect((await read(`${url}?w=400`)).headers.get('etag')).toBe(`"${sha256}-w1600"`)
    await served.app.images.store.delete(variantKey(sha256, 1600))
    const whole = await read(`${url}?w=400`)
    expect([whole.headers.get('etag'), whole.headers.get('content-type')]).toEqual([`"${sha256}"`, 'image/jpeg'])
  })

  test('the whole image, and not its thumbnail, when the page view is missing', async () => {
    const { url, sha256 } = await upload(served, owner, await picture({ seed: 12 }))
    await served.app.images.store.delete(variantKey(sha256, 1600))
    expect((await read(`${url}?w=1600`)).headers.get('etag')).toBe(`"${sha256}"`)
    expect((await read(`${url}?w=400`)).headers.get('etag')).toBe(`"${sha256}-w400"`)
  })

  test('405 to whatever would write', async () => {
    const answer = await read(image.url, owner, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('the rest goes on when a client goes away', async () => {
    const client = new AbortController()
    const answer = await read(image.url, null, { signal: client.signal })
    client.abort()
    await expect(answer.arrayBuffer()).rejects.toThrow()
    expect((await read(image.url)).status).toBe(200)
  })
})

describe('what is hidden', () => {
  test('missing, private, mistyped and malformed are one answer', async () => {
    const missing = await seen(await read(`${served.origin}/i/${newSlug()}.jpg`))
    expect(missing).toMatchObject({ status: 404, body: 'There is no such image.\n' })
    const stranger = await served.person({ role: 'admin' })
    for (const url of [hidden.url, hidden.thumbnailUrl, image.url.replace('.jpg', '.png'), `${image.url}.php`]) {
      expect(await seen(await read(url))).toEqual(missing)
      expect(await seen(await read(url, stranger))).toEqual(missing)
    }
  })

  test('no malformed address reaches the database, the store or the limiter', async () => {
    const spies = [
      vi.spyOn(served.app.db.image, 'findUnique'),
      vi.spyOn(served.app.images.store, 'open'),
      vi.spyOn(served.app.images.store, 'sizeOf'),
      vi.spyOn(served.app.limiter, 'take'),
    ]
    const paths = [
      '/i/..%2f..%2fsecret',
      '/i/%2e%2e%2fsecret',
      '/i/%252e%252e%252fsecret.jpg',
      '/i/..\\..\\secret.jpg',
      `/i/..%5c${image.slug}.jpg`,
      `/i/%2f${image.slug}.jpg`,
      `/i/../i/${image.slug}.jpg`,
      `/i/${image.slug}.jpg%00`,
      `/i/${image.slug}%2ejpg`,
      `/i/${'a'.repeat(8_000)}.jpg`,
      `/i/${image.slug}.svg`,
    ]
    for (const path of paths) expect([path, await readRaw(path)]).toEqual([path, 404])
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })

  test('a thousand guessed addresses find nothing', async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < 20; round += 1) {
      const guesses = Array.from({ length: 50 }, () =>
        read(`${served.origin}/i/${newSlug()}.jpg`, null, { method: 'HEAD' }),
      )
      for (const { status } of await Promise.all(guesses)) statuses.add(status)
    }
    expect([...statuses]).toEqual([404])
  })
})

describe('download links', () => {
  test('save the original under its name, encoded as RFC 6266 wants', async () => {
    const name = 'Bär "x"; ../\u202egpj.exe\r\nSet-Cookie: a=b.jpg.php'
    const { id } = await upload(served, owner, await picture({ seed: 4 }), { name })
    const { url, expiresAt } = await served.as(owner).image.download({ id })
    const answer = await read(url)
    const header = answer.headers.get('content-disposition') ?? ''
    expect(header).toMatch(/^attachment; [\x20-\x7e]+$/)
    expect(parse(header).parameters.filename).toBe('gpj.exeSet-Cookie: a=b.jpg.php.jpg')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(14 * 60_000)
  })

  test('serve whoever was given one, until its holder is banned', async () => {
    const person = await served.person()
    const { id } = await upload(served, person, await picture({ seed: 5 }), { headers: { 'x-visibility': 'private' } })
    const { url } = await served.as(person).image.download({ id })
    expect((await read(url)).status).toBe(200)
    await served.app.db.user.update({ where: { id: person.viewer.userId }, data: { bannedAt: new Date() } })
    expect((await read(url)).status).toBe(404)
  })

  test('end with the session, with the right to read, and with any change of their text', async () => {
    const person = await served.person()
    const { id } = await upload(served, person, await picture({ seed: 6 }))
    const { url } = await served.as(person).image.download({ id })
    expect((await read(`${url}x`)).status).toBe(404)
    expect((await read(url.replace(/download=./, 'download='))).status).toBe(404)
    const guests = (await served.as(null).image.download({ id })).url
    expect((await read(guests)).status).toBe(200)
    await served.as(person).image.delete({ id })
    expect((await read(guests)).status).toBe(404)
    expect((await read(url)).status).toBe(200)
    await served.app.db.session.delete({ where: { id: person.viewer.sessionId } })
    expect((await read(url)).status).toBe(404)
  })
})

describe('what is charged', () => {
  test('every road to an original takes one of `download`, and a variant takes none', async () => {
    const reader = await served.person()
    const own = await upload(served, reader, await picture({ seed: 7 }), { headers: { 'x-visibility': 'private' } })
    const left = async (url: string, init: RequestInit = {}) => {
      const { status, headers } = await read(url, reader, init)
      return [status, /"download-1m";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]]
    }
    expect(await left(own.url)).toEqual([200, '99'])
    expect(await left(own.url, { method: 'HEAD' })).toEqual([200, '98'])
    expect(await left(own.url, { headers: { 'If-None-Match': `"${own.sha256}"` } })).toEqual([304, '97'])
    expect(await left(own.url, { headers: { Range: 'bytes=0-0' } })).toEqual([206, '96'])
    expect(await left(own.thumbnailUrl)).toEqual([200, undefined])
    const { url } = await served.as(reader).image.download({ id: own.id })
    expect(await left(url)).toEqual([200, '94'])
  })

  test('past the limit the answer names the rule and the wait, and so does the procedure', async () => {
    const address = '198.51.100.1'
    const from = { method: 'HEAD', headers: { 'X-Forwarded-For': address } }
    const answers = await Promise.all(Array.from({ length: 30 }, () => read(image.url, null, from)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(200), ...Array(10).fill(429)])
    const refused = await read(image.url, null, { headers: from.headers })
    expect(refused.status).toBe(429)
    expect(await refused.text()).toBe('Too many requests: download allows 20 per second. Try again in 1 second.\n')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit')).toContain('"download-1s";r=0')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    await expect(served.as(null, address).image.download({ id: image.id })).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
    expect((await read(image.thumbnailUrl, null, from)).status).toBe(200)
  })

  test('a missing image costs what one that is there costs', async () => {
    const take = vi.spyOn(served.app.limiter, 'take')
    await read(`${served.origin}/i/${newSlug()}.jpg`)
    await read(image.url)
    expect(take.mock.calls.map(([sets]) => sets.map(({ name }) => name))).toEqual([['download'], ['download']])
  })

  test('a download link takes from its holder, a superadmin too, unless a superadmin uses it', async () => {
    const root = await served.person({ role: 'superadmin' })
    const { id } = await upload(served, root, await picture({ seed: 13 }), { headers: { 'x-visibility': 'private' } })
    const { url } = await served.as(root).image.download({ id })
    const take = vi.spyOn(served.app.limiter, 'take')
    for (const reader of [null, owner, root, await served.person({ role: 'superadmin' })]) {
      expect((await read(url, reader)).status).toBe(200)
    }
    const takes = take.mock.calls.map(([sets, caller]) => [sets.map(({ name }) => name), caller])
    const holder = { userId: root.viewer.userId, shared: false }
    expect(takes).toMatchObject([
      [['download'], holder],
      [['download'], holder],
    ])
  })

  test('a superadmin is free', async () => {
    const take = vi.spyOn(served.app.limiter, 'take')
    const root = await served.person({ role: 'superadmin' })
    expect((await read(hidden.url, root)).status).toBe(200)
    expect(take).not.toHaveBeenCalled()
  })
})
