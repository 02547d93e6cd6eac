import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { downloadOfOne, sentBytes, viewOfOne } from '#server/images/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { holdInMemory } from '#testing/held-store.ts'
import { behindProxy, read } from '#testing/image-client.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { type StoredImage, storeImageFor } from '#testing/stored-image.ts'

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
    await expect.poll(() => sent.mock.calls).toEqual(Array(2).fill([payer, small.sha256, 100_000]))
  })
})

test('1,400 addresses together read each of two files no more often than its limit allows', async () => {
  const files = await Promise.all(
    [0, 1].map(() => storeImageFor(served, owner, { variants: { 400: randomBytes(400) } })),
  )
  const kinds = [
    { declared: downloadOfOne, limit: 20_000, query: '' },
    { declared: viewOfOne, limit: 300_000, query: '?w=400' },
  ]
  for (const { declared, limit, query } of kinds) {
    for (const { slug, url, sha256 } of files) {
      const etag = query ? ((await read(`${url}${query}`)).headers.get('etag') ?? '') : `"${sha256}"`
      const caller = callerAt('198.51.100.30')
      const one = { sets: compileRuleSets('test', declared), caller, input: { slug } }
      await served.app.limiter.reset([one])
      await served.app.limiter.reserve([{ ...one, cost: limit - 500 }])
      const statuses: number[] = []
      for (let at = 0; at < 1_400; at += 100) {
        const addresses = Array.from(
          { length: 100 },
          (_, index) => `10.${query.length}.${Math.floor(at / 100)}.${index}`,
        )
        const ask = async (address: string) =>
          (await read(`${url}${query}`, null, from(address, { 'If-None-Match': etag }))).status
        statuses.push(...(await Promise.all(addresses.map(ask))))
      }
      const count = (status: number) => statuses.filter((each) => each === status).length
      expect([count(304), count(429)]).toEqual([500, 900])
    }
  }
})
