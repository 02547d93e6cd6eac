import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { tokenLookups, wrongTokens } from '#server/accounts/tokens/limits.ts'
import { toCaller } from '#server/accounts/viewer.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { behindProxy } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
let image: StoredImage
let zip: string
beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
  image = await storeImageFor(served, owner)
  zip = (await served.as(owner).image.downloadMany({ ids: [image.id] })).url
})
afterAll(() => served[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

const routes: readonly (() => { readonly url: string; readonly init?: RequestInit })[] = [
  () => ({ url: `${served.origin}/api/trpc/account.me` }),
  () => ({ url: image.url }),
  () => ({ url: zip }),
  () => ({ url: `${served.origin}/api/upload`, init: { method: 'POST', body: 'x' } }),
  () => ({ url: `${served.origin}/api/v1/upload`, init: { method: 'POST', body: 'x' } }),
  () => ({ url: `${served.origin}/api/1/upload`, init: { method: 'POST', body: 'x' } }),
  () => ({ url: `${served.origin}/api/v1/images/x`, init: { method: 'DELETE' } }),
]

const send = (route: (typeof routes)[number], address: string, token: string) => {
  const { url, init } = route()
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address, 'content-type': 'image/png' }
  return fetch(url, { ...init, headers })
}

/** Charges an address for wrong tokens. */
async function spend(address: string, cost: number): Promise<void> {
  const permit = await served.app.limiter.reserve([{ sets: wrongTokens.sets, caller: toCaller(null, address), cost }])
  await permit.end('failed')
}

const [me] = routes
if (!me) throw new Error('there are routes')

test('past thirty wrong tokens further ones are refused on every route, with Retry-After, and right ones are not', async () => {
  const { token } = await insertToken(served, owner, ['read', 'upload', 'manage'])
  await spend('198.51.100.2', 30)
  for (const route of routes) {
    const refused = await send(route, '198.51.100.2', `slu_${'x'.repeat(43)}`)
    expect([route().url, refused.status]).toEqual([route().url, 429])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit')).toContain('"wrong-token-1m";r=0')
    expect(await refused.text()).toContain('wrong-token allows 30 per minute')
    expect([401, 429]).not.toContain((await send(route, '198.51.100.2', token)).status)
  }
})

test('a right token passes after a hundred wrong ones from its address', async () => {
  const { token } = await insertToken(served, owner, ['read'])
  const wrong = await Promise.all(
    Array.from({ length: 100 }, (_, at) => send(me, '198.51.100.4', `slu_${String(at).padStart(43, 'x')}`)),
  )
  expect(wrong.filter(({ status }) => status === 401)).toHaveLength(30)
  expect(wrong.filter(({ status }) => status === 429)).toHaveLength(70)
  expect((await send(me, '198.51.100.4', token)).status).toBe(200)
})

test('in a flood of wrong tokens none of the address is looked up', async () => {
  const { token } = await insertToken(served, owner, ['read'])
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const lookUp = vi.spyOn(served.app.db.apiToken, 'findUnique')
  const requests = [{ sets: tokenLookups.sets, caller: toCaller(null, '198.51.100.5'), cost: 300 }]
  await (await served.app.limiter.reserve(requests)).end('failed')
  for (const sent of [`slu_${'x'.repeat(43)}`, token]) expect((await send(me, '198.51.100.5', sent)).status).toBe(429)
  expect(lookUp).not.toHaveBeenCalled()
  expect((await send(me, '198.51.100.6', token)).status).toBe(200)
})
