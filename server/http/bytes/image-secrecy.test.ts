import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newSlug } from '#server/images/slug.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
let image: StoredImage
let hidden: StoredImage
let trashed: StoredImage

beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
  image = await storeImageFor(served, owner)
  hidden = await storeImageFor(served, owner, { visibility: 'private', variants: { 400: Buffer.from('small') } })
  trashed = await storeImageFor(served, owner, { trashed: true })
})
afterAll(() => served[Symbol.asyncDispose]())

/** Returns all bytes of an answer except the date, the request ID and the limits, which every request lowers. Sends the path exactly as written. */
async function answerTo(path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const { port } = new URL(served.origin)
  request({ host: '127.0.0.1', port, path, headers }, async (answer) => {
    const raw = answer.rawHeaders.filter(
      (_, at, all) => !/^(date|x-request-id|(x-)?ratelimit.*)$/i.test(all[at - (at % 2)] ?? ''),
    )
    resolve([answer.statusCode, answer.statusMessage, raw, (await buffer(answer)).toString('latin1')])
  })
    .on('error', reject)
    .end()
  return promise
}

const pathOf = (url: string): string => new URL(url).pathname

describe('a hidden image', () => {
  test('gets the same answer, byte for byte, as a missing, trashed, mistyped or malformed one', async () => {
    const missing = await answerTo(`/i/${newSlug()}.png`)
    expect(missing).toMatchObject([
      404,
      'Not Found',
      expect.arrayContaining(['Cache-Control', 'no-store']),
      'Image not found.\n',
    ])
    const paths = [
      pathOf(hidden.url),
      `${pathOf(hidden.url)}?w=400`,
      `${pathOf(hidden.url)}?download=x`,
      `${pathOf(image.url)}?download=x`,
      pathOf(trashed.url),
      pathOf(image.url).replace('.png', '.jpg'),
      pathOf(image.url).replace('.png', '.svg'),
      `${pathOf(image.url)}.php`,
      `/i/..%2f..%2fsecret`,
    ]
    const strangers = [null, await served.person(), await served.person({ role: 'admin' })]
    for (const [at, path] of paths.entries()) {
      for (const stranger of strangers) {
        const more = { Range: 'bytes=0-0', 'If-None-Match': `"${hidden.sha256}"`, 'X-Forwarded-For': `198.18.1.${at}` }
        expect([path, await answerTo(path, { ...more, ...(stranger && { cookie: stranger.cookie }) })]).toEqual([
          path,
          missing,
        ])
      }
    }
  })

  test('is sent to its owner, and then neither to another user nor to a guest', async () => {
    const first = await read(hidden.url, owner)
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    const condition = { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } }
    for (const other of [null, await served.person()]) {
      expect((await read(hidden.url, other)).status).toBe(404)
      expect((await read(hidden.url, other, condition)).status).toBe(404)
    }
    expect((await read(hidden.url, owner, condition)).status).toBe(304)
  })

  test('costs the database as much as a missing one', async () => {
    const find = vi.spyOn(served.app.db.image, 'findUnique')
    const object = vi.spyOn(served.app.db.storedObject, 'findUnique')
    const missing = `${served.origin}/i/${newSlug()}.png?w=400`
    for (const url of [missing, `${hidden.url}?w=400`, trashed.url, hidden.url.replace('.png', '.gif')]) {
      find.mockClear()
      await read(url)
      // From a single table, because each further one would need its own statement and take time.
      expect(Object.values(find.mock.calls[0]?.[0]?.select ?? {})).toEqual(Array(14).fill(true))
      expect(find).toHaveBeenCalledTimes(1)
      expect(object).not.toHaveBeenCalled()
    }
  })

  test('cannot be found by a malformed address, which reaches neither database, store nor limiter', async () => {
    const missing = await answerTo(`/i/${newSlug()}.png`)
    const spies = [
      vi.spyOn(served.app.db.image, 'findUnique'),
      vi.spyOn(served.app.images.store, 'open'),
      vi.spyOn(served.app.images.store, 'readSize'),
      vi.spyOn(served.app.limiter, 'take'),
    ]
    const { slug } = image
    const names = ['..%2f..%2fsecret', '%2e%2e%2fsecret', '%252e%252e%252fsecret.png', '..\\..\\secret.png']
    const around = [`..%5c${slug}.png`, `%2f${slug}.png`, `../i/${slug}.png`, `${slug}.png%00`, `${slug}%2epng`]
    for (const name of [...names, ...around, `${'a'.repeat(8_000)}.png`, `${slug}.svg`]) {
      expect([name, await answerTo(`/i/${name}`)]).toEqual([name, missing])
    }
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })
})

describe('download links', () => {
  let person: Person
  beforeEach(async () => {
    person = await served.person()
  })

  test('serve a private image to everyone who has one, and are never cached', async () => {
    const { id, bytes } = await storeImageFor(served, person, { visibility: 'private' })
    const { url, expiresAt } = await served.as(person).image.download({ id })
    const answer = await read(url)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(answer.headers.get('ratelimit')).toContain('"download-1m"')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(14 * 60_000)
    const part = await read(url, null, { headers: { Range: 'bytes=0-9' } })
    expect([part.status, part.headers.get('cache-control')]).toEqual([206, 'no-store'])
  })

  test('to a public image are never cached either', async () => {
    const { id } = await storeImageFor(served, person, { visibility: 'public' })
    const answer = await read((await served.as(person).image.download({ id })).url)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('end with a ban, the session or the right to read, and are invalid with any change to their text', async () => {
    const { id, slug } = await storeImageFor(served, person)
    const { url } = await served.as(person).image.download({ id })
    const guests = (await served.as(null).image.download({ id })).url
    expect([(await read(url)).status, (await read(guests)).status]).toEqual([200, 200])
    expect((await read(`${url}x`)).status).toBe(404)
    expect((await read(url.replace(/download=./, 'download='))).status).toBe(404)
    expect((await read(url.replace(slug, image.slug))).status).toBe(404)
    await served.as(person).image.delete({ id })
    expect([(await read(url)).status, (await read(guests)).status]).toEqual([200, 404])
    await served.app.db.user.update({ where: { id: person.viewer.userId }, data: { bannedAt: new Date() } })
    expect((await read(url)).status).toBe(404)
    await served.app.db.user.update({ where: { id: person.viewer.userId }, data: { bannedAt: null } })
    expect((await read(url)).status).toBe(200)
    await served.app.db.session.delete({ where: { id: person.sessionId } })
    expect((await read(url)).status).toBe(404)
  })

  test('end when the image becomes private, because its slug changes', async () => {
    const { id } = await storeImageFor(served, person)
    const guests = (await served.as(null).image.download({ id })).url
    await served.as(person).image.update({ id, visibility: 'private' })
    expect((await read(guests)).status).toBe(404)
  })
})
