import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { downloadOfOne, sentBytes, viewOfOne } from '#server/images/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { holdInMemory } from '#testing/storage/held-store.ts'

const LARGE = 40_000_000

let served: TestApp
let owner: Person
let small: StoredImage
let large: StoredImage

beforeAll(async () => {
  served = await startApp(behindProxy)
  if (!served.app.images.store.held) holdInMemory(served.app.images.store)
  owner = await served.person()
  small = await storeImageFor(served, owner, { bytes: randomBytes(100_000), variants: { 400: randomBytes(400) } })
  large = await storeImageFor(served, owner, { bytes: randomBytes(LARGE) })
})
afterAll(() => served[Symbol.asyncDispose]())

const sets = compileRuleSets('test', sentBytes)
const callerAt = (address: string) => ({ address, userId: null, shared: false })
const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'X-Forwarded-For': address, ...headers },
})

/** Returns the bytes that a guest has been charged. */
async function chargedTo(address: string): Promise<number> {
  const { rules } = await served.app.limiter.peek([{ sets, caller: callerAt(address) }])
  const [hour] = rules
  return hour ? hour.limit - hour.remaining : Number.NaN
}

describe('sent bytes', () => {
  test('are charged exactly, none for HEAD and 304, on the fast path as on the full one', async () => {
    const address = '198.51.100.20'
    const held = vi.spyOn(served.app.images.store, 'open')
    let before = 0
    const costOf = async (headers: Record<string, string> = {}, method = 'GET') => {
      const answer = await read(small.url, null, { method, ...from(address, headers) })
      await answer.arrayBuffer()
      await expect.poll(async () => (await chargedTo(address)) >= before).toBe(true)
      const cost = (await chargedTo(address)) - before
      before += cost
      return [answer.status, cost]
    }
    expect(await costOf()).toEqual([200, 100_000])
    held.mockClear()
    expect(await costOf()).toEqual([200, 100_000])
    expect(await costOf({ 'If-None-Match': `"${small.sha256}"` })).toEqual([304, 0])
    expect(await costOf({ Range: 'bytes=0-9' })).toEqual([206, 100_000])
    expect(await costOf({}, 'HEAD')).toEqual([200, 0])
    expect(held).not.toHaveBeenCalled()
  })

  test('are charged even if the client disconnects before it takes them', async () => {
    const address = '198.51.100.21'
    const { port, pathname } = new URL(large.url)
    const asked = request({ host: '127.0.0.1', port, path: pathname, ...from(address) }).on('error', () => undefined)
    const ended = vi.spyOn(served.app.usage, 'sent')
    asked.end()
    const [answer] = await once(asked, 'response')
    expect(await chargedTo(address)).toBe(LARGE)
    answer.on('error', () => undefined)
    // The head may arrive before the body.
    await once(answer, 'readable')
    asked.destroy()
    await expect.poll(() => ended).toHaveBeenCalledTimes(1)
    ended.mockRestore()
    expect(await chargedTo(address)).toBe(LARGE)
  })

  test('beyond the limit are refused by the rule’s name, without a charge for the call', async () => {
    const address = '198.51.100.22'
    const caller = callerAt(address)
    await served.app.limiter.reserve([{ sets, caller, bytes: 20 * 1024 ** 3 - 99_999 }])
    const downloads = () => served.app.limitAdmin.catalogue.ruleSets.get('download')?.compiled ?? []
    for (let round = 0; round < 2; round += 1) {
      const answer = await read(small.url, null, from(address))
      expect([answer.status, answer.status === 429 && (await answer.text())]).toEqual([
        429,
        expect.stringContaining('Limit reached: sent-bytes allows 20 GiB per hour.'),
      ])
    }
    const { rules } = await served.app.limiter.peek([{ sets: downloads(), caller }])
    expect(rules.map(({ limit, remaining }) => limit - remaining)).toEqual(rules.map(() => 0))
    expect((await read(`${small.url}?w=400`, null, from(address))).status).toBe(200)
  })

  test('are free for a superadmin', async () => {
    const root = await served.person({ role: 'superadmin' })
    const reserve = vi.spyOn(served.app.limiter, 'obtain')
    expect((await read(small.url, root)).status).toBe(200)
    expect(reserve).not.toHaveBeenCalled()
    reserve.mockRestore()
  })

  test('are counted as usage', async () => {
    const sent = vi.spyOn(served.app.usage, 'sent')
    for (let round = 0; round < 2; round += 1) await (await read(small.url, null, from('198.51.100.23'))).arrayBuffer()
    const payer = { procedure: 'image bytes (original)', subject: '198.51.100.23', object: small.sha256 }
    await expect
      .poll(() => sent.mock.calls)
      .toMatchObject(Array(2).fill([payer, { id: small.id, sha256: small.sha256 }, 100_000]))
  })
})

describe.each([
  { declared: downloadOfOne, limit: 20_000, query: '', name: 'download-of-one' },
  { declared: viewOfOne, limit: 300_000, query: '?w=400', name: 'view-of-one' },
])('$name', ({ declared, limit, query, name }) => {
  const width = query.length
  const url = (image: StoredImage) => `${image.url}${query}`
  const imageWithVariant = () => storeImageFor(served, owner, { variants: { 400: randomBytes(400) } })
  /** Takes permits of an image in the name of an address. */
  const reserve = (image: StoredImage, address: string, cost: number) =>
    served.app.limiter.reserve([
      { sets: compileRuleSets('test', declared), caller: callerAt(address), input: { slug: image.slug }, cost },
    ])
  const statusFrom = async (image: StoredImage, address: string, init: RequestInit = {}) => {
    const answer = await read(url(image), null, { ...init, headers: { ...from(address).headers, ...init.headers } })
    return answer.status === 429 ? answer.text() : answer.status
  }

  test('is not charged for 304 and HEAD: 1,150 of them from 230 networks leave the last read to a new visitor', async () => {
    const image = await imageWithVariant()
    const etag = (await read(url(image))).headers.get('etag') ?? ''
    const { slug } = image
    await served.app.limiter.reset([
      { sets: compileRuleSets('test', declared), caller: callerAt('198.51.100.1'), input: { slug } },
    ])
    for (let network = 0; network < 20; network += 1)
      await reserve(image, `10.9.${network}.1`, limit / 20 - (network === 0 ? 1 : 0))
    for (let network = 0; network < 230; network += 1) {
      const address = `10.${width}.${network}.1`
      const conditional = Array.from({ length: 4 }, () => ({ headers: { 'If-None-Match': etag } }))
      const all = [...conditional, { method: 'HEAD' }].map((init) => statusFrom(image, address, init))
      expect(await Promise.all(all)).toEqual([304, 304, 304, 304, 200])
    }
    expect(await statusFrom(image, `10.${width}.230.1`)).toBe(200)
    expect(await statusFrom(image, `10.${width}.231.1`)).toContain(`Limit reached: ${name} allows`)
  })

  test('cannot be used up by fewer than 20 networks: each has a twentieth, whatever addresses it reads from', async () => {
    const image = await imageWithVariant()
    for (let network = 0; network < 19; network += 1) await reserve(image, `10.8.${network}.1`, limit / 20)
    for (const neighbour of ['10.8.0.1', '10.8.0.2', '10.8.18.255'])
      expect(await statusFrom(image, neighbour)).toContain(`Limit reached: ${name}-network allows`)
    await reserve(image, '2001:db8:7:1::/64', limit / 20 - 1)
    expect(await statusFrom(image, '2001:db8:7:ffff::1')).toBe(200)
    expect(await statusFrom(image, '2001:db8:7:2::1')).toContain(`Limit reached: ${name}`)
    expect(await statusFrom(await imageWithVariant(), '10.8.0.1')).toBe(200)
  })
})
