import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readBearerToken, viewerOfToken } from '#server/accounts/tokens/api-token.ts'
import { ObjectNotFound, ObjectStoreUnavailable, originalKey } from '#server/storage/object-store.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { readZip } from '#testing/http/read-zip.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp(behindProxy)
})
afterAll(() => served[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await served.person()
})
afterEach(() => vi.restoreAllMocks())

const images = (filenames: readonly string[], size = 1_000): Promise<StoredImage[]> =>
  Promise.all(
    filenames.map((filename) =>
      storeImageFor(served, owner, { filename, bytes: randomBytes(size), visibility: 'private' }),
    ),
  )

const listIds = (stored: readonly StoredImage[]) => stored.map(({ id }) => id)
const linkTo = async (stored: readonly StoredImage[], person = owner) =>
  (await served.as(person).image.downloadMany({ ids: listIds(stored) })).url
const readAnswer = async (answer: Response) => readZip(Buffer.from(await answer.arrayBuffer()))

/** Permits left of a rule for a subject. */
async function readLeft(person: Person, policy: string) {
  const sets = served.app.limitAdmin.catalogue.ruleSets.get(policy.split('-1')[0] ?? '')?.compiled ?? []
  const caller = { address: '192.0.2.1', userId: person.viewer.userId, shared: false, role: 'user' as const }
  const { rules } = await served.app.limiter.peek([{ sets, caller }])
  return rules.find((rule) => rule.policy === policy)?.remaining
}

describe('a zip', () => {
  test('contains the originals under unique names, with the stated length, for everybody with the link', async () => {
    const stored = await images(['a.png', 'A.png', 'ü/ber.png', 'b.png'])
    const answer = await read(await linkTo(stored))
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="?images-\d{4}-\d\d-\d\d\.zip"?$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const body = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(`${body.length}`)
    expect(readZip(body)).toEqual(
      ['a.png', 'A (2).png', 'ü_ber.png', 'b.png'].map((name, index) => ({ name, bytes: stored[index]?.bytes })),
    )
  })

  test('of all own images excludes the trash', async () => {
    const [first, second] = await images(['1.png', '2.png'])
    await storeImageFor(served, owner, { trashed: true })
    const { url, items, bytes } = await served.as(owner).image.downloadMany({})
    expect(items.map(({ id }) => id).sort()).toEqual([first?.id, second?.id].sort())
    expect(bytes).toBe(2_000)
    expect((await readAnswer(await read(url))).map(({ name }) => name).sort()).toEqual(['1.png', '2.png'])
  })

  test('is charged one download per image, and the bytes sent', async () => {
    const stored = await images(['1.png', '2.png', '3.png'])
    const url = await linkTo(stored)
    expect(await readLeft(owner, 'download-1m')).toBe(100)
    const before = (await readLeft(owner, 'sent-bytes-1h')) ?? 0
    const answer = await read(url)
    const { byteLength } = await answer.arrayBuffer()
    expect(await readLeft(owner, 'download-1m')).toBe(97)
    await expect.poll(async () => before - ((await readLeft(owner, 'sent-bytes-1h')) ?? 0)).toBe(byteLength)
    expect(answer.headers.get('ratelimit')).toContain('"download-1m";r=97')
    await (await read(url)).arrayBuffer()
    expect(await readLeft(owner, 'download-1m')).toBe(94)
  })

  test('lists deleted images; hidden and missing images look the same', async () => {
    const stored = await images(['1.png', '2.png'])
    const theirs = await storeImageFor(served, await served.person(), { visibility: 'private' })
    const ids = [...listIds(stored), theirs.id, crypto.randomUUID()]
    const { url, items } = await served.as(owner).image.downloadMany({ ids })
    expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'not-found', 'not-found'])
    await served.app.db.image.delete({ where: { id: stored[0]?.id ?? '' } })
    const files = await readAnswer(await read(url))
    expect(files.map(({ name }) => name)).toEqual(['2.png', '_left-out.txt'])
    expect(files[1]?.bytes.toString()).toContain(stored[0]?.id)
    await served.app.db.image.delete({ where: { id: stored[1]?.id ?? '' } })
    expect((await read(url)).status).toBe(404)
    await expect(served.as(owner).image.downloadMany({ ids: [theirs.id] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is refused if the link is forged or its holder has signed out', async () => {
    const url = await linkTo(await images(['1.png']))
    expect((await read(url.replace(/link=.{4}/, 'link=AAAA'))).status).toBe(404)
    expect((await read(`${served.origin}/api/zip`)).status).toBe(404)
    for (const method of ['HEAD', 'POST']) expect((await read(url, null, { method })).status).toBe(405)
    await served.app.db.session.delete({ where: { id: owner.sessionId } })
    expect((await read(url)).status).toBe(404)
  })

  test('is refused as a whole if it exceeds the download limit, already at the link, without a charge', async () => {
    const stored = await images(
      Array.from({ length: 60 }, (_, index) => `${index}.png`),
      16,
    )
    const url = await linkTo(stored)
    expect((await readAnswer(await read(url))).length).toBe(60)
    await expect(linkTo(stored)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    const refused = await read(url)
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringMatching(/^Limit reached: download allows 100 per minute/),
    ])
    expect(await readLeft(owner, 'download-1m')).toBe(40)
  })

  test('of a token is charged to the token too, and expires with it', async () => {
    const stored = await images(['1.png', '2.png'])
    const { headers, id } = await insertToken(served, owner, ['read'])
    const viewer = await viewerOfToken(served.app.db, readBearerToken(headers.authorization) ?? '', {})
    if (!viewer) throw new Error('no token')
    const reserve = vi.spyOn(served.app.limiter, 'reserve')
    const url = await linkTo(stored, { ...owner, viewer })
    const answer = await read(url)
    expect(await readAnswer(answer)).toHaveLength(2)
    expect(answer.headers.get('ratelimit-policy')).toMatch(/"download-1m".*"token-read-1m".*"token-sent-bytes-1d"/)
    const costs = reserve.mock.calls.flatMap(([requests]) => requests.map(({ cost }) => cost))
    expect(costs.filter((cost) => cost === 2)).toHaveLength(2)
    await served.app.db.apiToken.delete({ where: { id } })
    expect((await read(url)).status).toBe(404)
  })

  test('of a superadmin is unlimited', async () => {
    owner = await served.person({ role: 'superadmin' })
    const url = await linkTo(await images(['1.png']))
    const reserve = vi.spyOn(served.app.limiter, 'reserve')
    expect(await readAnswer(await read(url, owner))).toHaveLength(1)
    expect(reserve).not.toHaveBeenCalled()
  })
})

describe('a failure while a zip is sent', () => {
  test('cuts the connection if an object is damaged, lost or unreachable, and logs faults', async () => {
    const [first, second] = await images(['1.png', '2.png'])
    const { store } = served.app.images
    const open = store.open.bind(store)
    for (const [fault, alarm] of [
      ['missing', 'missing'],
      ['short', 'corrupt'],
      ['broken', null],
    ] as const) {
      const before = served.app.alarms.counts()
      const url = await linkTo([first, second].filter((each) => each !== undefined))
      vi.spyOn(store, 'held').mockReturnValue(null)
      vi.spyOn(store, 'open').mockImplementation(async (key) => {
        if (key !== originalKey(second?.sha256 ?? '')) return open(key)
        if (fault === 'missing') return open(originalKey('0'.repeat(64)))
        if (fault === 'short') return { body: Readable.from([Buffer.alloc(7)]), size: 7 }
        throw new ObjectStoreUnavailable('away')
      })
      const answer = await read(url)
      expect(answer.status).toBe(200)
      await expect(answer.arrayBuffer()).rejects.toThrow()
      const after = served.app.alarms.counts()
      expect({ missing: after.missing - before.missing, corrupt: after.corrupt - before.corrupt }).toEqual({
        missing: alarm === 'missing' ? 1 : 0,
        corrupt: alarm === 'corrupt' ? 1 : 0,
      })
      vi.restoreAllMocks()
    }
  })

  test('cuts the connection if an image is purged, without a logged fault', async () => {
    const [first] = await images(['1.png'], 30_000_000)
    const [second] = await images(['2.png'])
    const { db, alarms, images: own } = served.app
    const before = alarms.counts()
    const url = await linkTo([first, second].filter((each) => each !== undefined))
    const client = request(url).end()
    const [answer] = await once(client, 'response')
    await once(answer, 'readable')
    const id = second?.id ?? ''
    await served.as(owner).image.delete({ id })
    await served.as(owner).image.purge({ id })
    await expect.poll(() => own.store.readSize(originalKey(second?.sha256 ?? ''))).toBeNull()
    await expect(buffer(answer)).rejects.toThrow('aborted')
    expect(alarms.counts()).toEqual(before)
    // A new link contains only the remaining images.
    expect((await readAnswer(await read(url))).map(({ name }) => name)).toEqual(['1.png', '_left-out.txt'])
    // Between the query of the rows and the read of the bytes.
    const [third] = await images(['3.png'])
    vi.spyOn(own.store, 'held').mockReturnValue(null)
    vi.spyOn(own.store, 'open').mockImplementation(async () => {
      await db.image.delete({ where: { id: third?.id ?? '' } })
      throw new ObjectNotFound(originalKey(third?.sha256 ?? ''))
    })
    const purged = await read(await linkTo(third ? [third] : []))
    expect([purged.status, purged.headers.get('retry-after')]).toEqual([503, '5'])
    expect(alarms.counts()).toEqual(before)
  })

  test('is answered with a status if the first object cannot be opened', async () => {
    const [first] = await images(['1.png'])
    const url = await linkTo(first ? [first] : [])
    vi.spyOn(served.app.images.store, 'held').mockReturnValue(null)
    vi.spyOn(served.app.images.store, 'open').mockRejectedValue(
      new ObjectStoreUnavailable('bucket secret.example is away'),
    )
    const answer = await read(url)
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true])
    expect(await answer.text()).not.toContain('secret.example')
  })

  test('stops reading when the client disconnects, and charges the images that it had begun to read', async () => {
    const stored = await images(['1.png', '2.png'], 30_000_000)
    const url = await linkTo(stored)
    const before = (await readLeft(owner, 'sent-bytes-1h')) ?? 0
    const { store } = served.app.images
    const open = store.open.bind(store)
    const bodies: Readable[] = []
    vi.spyOn(store, 'held').mockReturnValue(null)
    vi.spyOn(store, 'open').mockImplementation(async (...args) => {
      const opened = await open(...args)
      bodies.push(opened.body)
      return opened
    })
    const client = request(url).end()
    const [answer] = await once(client, 'response')
    await once(answer, 'readable')
    expect(answer.read(1_000)).toHaveLength(1_000)
    client.destroy()
    await expect.poll(() => bodies.map(({ destroyed }) => destroyed)).toEqual([true])
    await expect.poll(async () => before - ((await readLeft(owner, 'sent-bytes-1h')) ?? 0)).toBe(30_000_000)
    expect(await readLeft(owner, 'download-1m')).toBe(98)
    expect(bodies).toHaveLength(1)
  })

  test('limits a user to two concurrent zips', async () => {
    const stored = await images(['1.png'], 30_000_000)
    const url = await linkTo(stored)
    const clients = [request(url).end(), request(url).end()]
    const answers = await Promise.all(clients.map(async (client) => (await once(client, 'response'))[0]))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await read(url)).status).toBe(429)
    for (const client of clients) client.destroy()
    await expect.poll(async () => (await read(url)).status).toBe(200)
  })
})
