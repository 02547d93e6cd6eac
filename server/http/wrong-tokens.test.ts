import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { wrongTokens } from '#server/accounts/limits.ts'
import { toCaller } from '#server/accounts/viewer.ts'
import { insertToken } from '#testing/api-token.ts'
import { behindProxy } from '#testing/image-client.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { type StoredImage, storeImageFor } from '#testing/stored-image.ts'

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

test('past thirty wrong tokens no token of an address is looked up on any route, with Retry-After', async () => {
  const { token } = await insertToken(served, owner, ['read', 'upload', 'manage'])
  const lookUp = vi.spyOn(served.app.db.apiToken, 'findUnique')
  await spend('198.51.100.2', 29)
  expect((await send(me, '198.51.100.2', `slu_${'x'.repeat(43)}`)).status).toBe(401)
  expect(lookUp).toHaveBeenCalledTimes(1)
  for (const route of routes) {
    // A right guess is refused alike.
    for (const guess of [`slu_${'x'.repeat(43)}`, token]) {
      const refused = await send(route, '198.51.100.2', guess)
      expect([route().url, refused.status]).toEqual([route().url, 429])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused.headers.get('ratelimit')).toContain('"wrong-token-1m";r=0')
      expect(await refused.text()).toContain('wrong-token allows 30 per minute')
    }
  }
  expect(lookUp).toHaveBeenCalledTimes(1)
  expect((await send(me, '198.51.100.3', token)).status).toBe(200)
})

test('does not charge right tokens, however many are concurrent', async () => {
  const { token } = await insertToken(served, owner, ['read'])
  await spend('198.51.100.4', 29)
  const answers = await Promise.all(Array.from({ length: 15 }, () => send(me, '198.51.100.4', token)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await send(me, '198.51.100.4', 'slu_wrong')).status).toBe(401)
  expect((await send(me, '198.51.100.4', token)).status).toBe(429)
})
