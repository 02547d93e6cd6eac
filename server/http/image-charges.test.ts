import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newSlug } from '#server/images/slug.ts'
import { behindProxy, read } from '#testing/image-client.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { type StoredImage, storeImageOf } from '#testing/stored-image.ts'

let served: TestApp
let owner: Person
let image: StoredImage

beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
  image = await storeImageOf(served, owner, { variants: { 400: Buffer.from('small') } })
})
afterAll(() => served[Symbol.asyncDispose]())

test('every road to an original takes one of `download`, and a variant takes none', async () => {
  const reader = await served.person()
  const variants = { 400: Buffer.from('smaller') }
  const own = await storeImageOf(served, reader, { visibility: 'private', variants })
  const left = async (url: string, init: RequestInit = {}) => {
    const { status, headers } = await read(url, reader, init)
    return [status, /"download-1m";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]]
  }
  expect(await left(own.url)).toEqual([200, '99'])
  expect(await left(own.url, { method: 'HEAD' })).toEqual([200, '98'])
  expect(await left(own.url, { headers: { 'If-None-Match': `"${own.sha256}"` } })).toEqual([304, '97'])
  expect(await left(own.url, { headers: { Range: 'bytes=0-0' } })).toEqual([206, '96'])
  expect(await left(own.url, { headers: { Range: 'bytes=0-0,500-501' } })).toEqual([206, '95'])
  expect(await left(`${own.url}?w=400`)).toEqual([200, undefined])
  const { url } = await served.as(reader).image.download({ id: own.id })
  expect(await left(url)).toEqual([200, '93'])
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
  expect((await read(`${image.url}?w=400`, null, from)).status).toBe(200)
})

test('no answer that others may keep tells of an allowance, whatever it is', async () => {
  const requests: RequestInit[] = [
    {},
    { method: 'HEAD' },
    { headers: { 'If-None-Match': '*' } },
    { headers: { Range: 'bytes=0-0' } },
    { headers: { Range: 'bytes=0-0,500-500' } },
  ]
  for (const init of requests) {
    const { headers } = await read(image.url, owner, init)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect([...headers.keys()].filter((name) => /ratelimit|retry/.test(name))).toEqual([])
  }
})

test('a missing image costs what one that is there costs', async () => {
  const take = vi.spyOn(served.app.limiter, 'take')
  await read(`${served.origin}/i/${newSlug()}.jpg`)
  await read(image.url)
  expect(take.mock.calls.map(([sets]) => sets.map(({ facts }) => facts.name))).toEqual([['download'], ['download']])
})

test('a download link takes from its holder, a superadmin too, unless a superadmin uses it', async () => {
  const root = await served.person({ role: 'superadmin' })
  const { id } = await storeImageOf(served, root, { visibility: 'private' })
  const { url } = await served.as(root).image.download({ id })
  const take = vi.spyOn(served.app.limiter, 'take')
  for (const reader of [null, owner, root, await served.person({ role: 'superadmin' })]) {
    expect((await read(url, reader)).status).toBe(200)
  }
  const holder = { userId: root.viewer.userId, shared: false }
  expect(take.mock.calls.map(([sets, caller]) => [sets.map(({ facts }) => facts.name), caller])).toMatchObject([
    [['download'], holder],
    [['download'], holder],
  ])
})

test('a superadmin is free', async () => {
  const hidden = await storeImageOf(served, owner, { visibility: 'private' })
  const take = vi.spyOn(served.app.limiter, 'take')
  const root = await served.person({ role: 'superadmin' })
  expect((await read(hidden.url, root)).status).toBe(200)
  expect(take).not.toHaveBeenCalled()
})
