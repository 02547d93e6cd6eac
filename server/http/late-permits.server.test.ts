import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AnyCaller } from '#server/limits/subject.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { holdInMemory } from '#testing/storage/held-store.ts'

let served: TestApp
let owner: Person
let image: StoredImage
let zip: string
beforeAll(async () => {
  served = await startApp(behindProxy)
  if (!served.app.images.store.held) holdInMemory(served.app.images.store)
})
afterAll(() => served[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await served.person()
  image = await storeImageFor(served, owner)
  zip = (await served.as(owner).image.downloadMany({ ids: [image.id] })).url
})
afterEach(() => vi.restoreAllMocks())

const GUEST = '198.51.100.30'

/** Returns a caller's use of every rule that byte routes charge. */
async function usedBy(caller: AnyCaller) {
  const used: Record<string, number> = {}
  for (const name of ['download', 'sent-bytes', 'zipping']) {
    const sets = served.app.limitAdmin.catalogue.ruleSets.get(name)?.compiled ?? []
    const { rules } = await served.app.limiter.peek([{ sets, caller }])
    for (const { policy, limit, remaining } of rules) used[policy] = limit - remaining
  }
  return used
}

const NO_BYTES = { 'sent-bytes-1h': 0, 'sent-bytes-1d': 0, 'zipping-concurrent': 0 }
const NOTHING = { 'download-1m': 0, 'download-1h': 0, 'download-1d': 0, ...NO_BYTES }
const CALL = { 'download-1m': 1, 'download-1h': 1, 'download-1d': 1, ...NO_BYTES }

/** Sends a request and returns a function that disconnects and waits until the server has noticed. */
async function leavingClient(url: string, headers: Record<string, string>) {
  vi.spyOn(served.app.log, 'isLevelEnabled').mockReturnValue(true)
  const info = vi.spyOn(served.app.log, 'info').mockReturnValue(undefined)
  const client = request(url, { headers, agent: false }).on('error', () => undefined)
  client.end()
  return async () => {
    client.destroy()
    await expect.poll(() => info.mock.calls.map(([line]) => line)).toEqual([expect.objectContaining({ aborted: true })])
  }
}

/** Delays the result of the limiter's nth grant. */
function holdGrant(nth: number) {
  const { limiter } = served.app
  const obtain = limiter.obtain.bind(limiter)
  const held = Promise.withResolvers<void>()
  const told = vi.fn<() => void>()
  let calls = 0
  vi.spyOn(limiter, 'obtain').mockImplementation((...given) => {
    const permit = obtain(...given)
    calls += 1
    if (calls !== nth) return permit
    told()
    return held.promise.then(() => permit)
  })
  return { granted: () => expect.poll(() => told.mock.calls.length).toBe(1), letGo: () => held.resolve() }
}

const session = () => ({ cookie: owner.cookie, 'x-forwarded-for': GUEST })
const routes = [
  ['an original', () => image.url, 1_000, 0],
  ['a zip', () => zip, 1_132, 1],
] as const

describe.each(routes)('a client that requests %s and disconnects', (_, url, bytes, zipping) => {
  const used = () => usedBy({ address: GUEST, userId: owner.viewer.userId, shared: false, role: 'user' as const })

  test('while the call is being allowed is charged nothing, and nothing is read', async () => {
    const open = vi.spyOn(served.app.images.store, 'open')
    const failed = vi.spyOn(served.app.log, 'error')
    const grant = holdGrant(1)
    const leave = await leavingClient(url(), session())
    await grant.granted()
    expect(await used()).toEqual({ ...CALL, 'zipping-concurrent': zipping })
    await leave()
    grant.letGo()
    await expect.poll(used).toEqual(NOTHING)
    expect(served.app.limiter.obtain).toHaveBeenCalledTimes(1)
    expect([open.mock.calls, failed.mock.calls]).toEqual([[], []])
  })

  test('while the bytes are being allowed is charged none of them', async () => {
    const open = vi.spyOn(served.app.images.store, 'open')
    const grant = holdGrant(2)
    const leave = await leavingClient(url(), session())
    await grant.granted()
    expect((await used())['sent-bytes-1h']).toBe(bytes)
    await leave()
    grant.letGo()
    await expect.poll(used).toEqual(CALL)
    expect(open).not.toHaveBeenCalled()
  })

  test('while it is being identified is charged nothing', async () => {
    const { app } = served
    const { promise, resolve } = Promise.withResolvers<void>()
    const findViewer = app.findViewer.bind(app)
    const asked = vi.spyOn(app, 'findViewer').mockImplementation((...given) => promise.then(() => findViewer(...given)))
    const decided = vi.spyOn(app.limiter, 'obtain')
    const found = vi.spyOn(app.db.image, 'findUnique')
    const listed = vi.spyOn(app.db.image, 'findMany')
    const leave = await leavingClient(url(), session())
    await expect.poll(() => asked.mock.calls.length).toBe(1)
    await leave()
    resolve()
    await expect.poll(() => decided.mock.settledResults.map(({ type }) => type)).toEqual(['rejected'])
    expect([found.mock.calls, listed.mock.calls]).toEqual([[], []])
    expect(await used()).toEqual(NOTHING)
  })
})

test('a guest on the fast path who disconnects while being allowed is charged nothing', async () => {
  const caller = { address: GUEST, userId: null, shared: false, role: 'guest' as const }
  for (let time = 0; time < 2; time += 1) await (await read(image.url)).arrayBuffer()
  const grant = holdGrant(1)
  const leave = await leavingClient(image.url, { 'x-forwarded-for': GUEST })
  await grant.granted()
  expect(await usedBy(caller)).toEqual({ ...CALL, 'sent-bytes-1h': 1_000, 'sent-bytes-1d': 1_000 })
  await leave()
  grant.letGo()
  await expect.poll(() => usedBy(caller)).toEqual(NOTHING)
})
