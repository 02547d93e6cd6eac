import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { OverrideTerms } from '#server/limit-admin/overrides/override-terms.ts'
import { LimitStoreUnavailable } from '#server/limits/stores/failover/failover-store.ts'
import { behindProxy } from '#testing/http/image-client.ts'
import { type RawAnswer, sendRaw } from '#testing/http/raw-http.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { holdInMemory } from '#testing/storage/held-store.ts'

let served: TestApp
let image: StoredImage
const variants = { 400: randomBytes(400), 800: randomBytes(800), 1600: randomBytes(1_600) }

beforeAll(async () => {
  served = await startApp(behindProxy)
  if (!served.app.images.store.held) holdInMemory(served.app.images.store)
  image = await storeImageFor(served, await served.person(), { variants, filename: 'naïve "one".png' })
})
afterAll(() => served[Symbol.asyncDispose]())
afterEach(() => {
  vi.restoreAllMocks()
  served.app.limiter.override([])
})

interface Asked {
  readonly method?: string
  readonly query?: string
  readonly version?: string
  readonly headers?: readonly string[]
}

/** A condition that every image meets, and that keeps a request off the fast path. */
const FULL = 'If-Unmodified-Since: Fri, 01 Jan 2100 00:00:00 GMT'

async function ask(
  address: string,
  { method = 'GET', query = '', version = '1.1', headers = [] }: Asked,
  more: string[],
) {
  const { pathname } = new URL(image.url)
  const head = [
    `${method} ${pathname}${query} HTTP/${version}`,
    ...['Host: x', `X-Forwarded-For: ${address}`, ...headers, ...more],
  ]
  const answer = await sendRaw(served.origin, `${head.join('\r\n')}\r\n\r\n`)
  const { date, 'x-request-id': requestId, ...own } = answer.headers
  expect([date, requestId]).toEqual([expect.any(String), expect.stringMatching(/^[0-9a-f-]{36}$/)])
  return { ...answer, headers: own }
}

/** Returns both answers, for new addresses. The image is cached before the fast path answers. */
let addresses = 0
async function both(asked: Asked): Promise<{ readonly full: RawAnswer; readonly fast: RawAnswer }> {
  addresses += 1
  const [one, other] = [`198.18.1.${addresses}`, `198.18.2.${addresses}`]
  const full = await ask(one, asked, [FULL])
  return { full, fast: await ask(other, asked, []) }
}

const etag = () => `"${image.sha256}"`

test.each<[string, () => Asked, number]>([
  ['an original', () => ({}), 200],
  ['a variant', () => ({ query: '?w=400' }), 200],
  ['a large variant', () => ({ query: '?w=1600' }), 200],
  ['an unchanged copy', () => ({ headers: [`If-None-Match: ${etag()}`] }), 304],
  ['an unchanged copy by a weak tag', () => ({ headers: [`If-None-Match: W/${etag()}`] }), 304],
  ['an unchanged copy among other tags', () => ({ headers: [`If-None-Match: "a", ${etag()}`] }), 304],
  ['any copy', () => ({ headers: ['If-None-Match: *'] }), 304],
  ['another tag', () => ({ headers: ['If-None-Match: "a"'] }), 200],
  ['HTTP/1.0', () => ({ version: '1.0' }), 200],
  ['HTTP/1.0 with keep-alive', () => ({ version: '1.0', headers: ['Connection: keep-alive'] }), 200],
  ['Connection: close', () => ({ headers: ['Connection: close'] }), 200],
  [
    'Connection: close and an unchanged copy',
    () => ({ headers: ['Connection: close', `If-None-Match: ${etag()}`] }),
    304,
  ],
  ['If-Range without a range', () => ({ headers: [`If-Range: ${etag()}`] }), 200],
  ['another site’s page', () => ({ headers: ['Origin: https://example.org', 'Sec-Fetch-Site: cross-site'] }), 200],
  ['cookies that are nobody’s session', () => ({ headers: ['Cookie: a=b; next-auth.csrf-token=c'] }), 200],
  ['an offer to upgrade', () => ({ headers: ['Connection: Upgrade', 'Upgrade: h2c'] }), 200],
])('both paths answer alike: %s', async (_, asked, status) => {
  // Caches the image.
  await both({ query: asked().query ?? '' })
  const { full, fast } = await both(asked())
  expect(fast).toEqual(full)
  expect(fast.status).toBe(status)
})

test.each<[string, Asked, number]>([
  ['a small original', {}, 1],
  ['a variant', { query: '?w=400' }, 1],
  ['a range', { headers: ['Range: bytes=0-9'] }, 2],
  ['a token', { headers: ['Authorization: Bearer none'] }, 2],
  ['a session', { headers: ['Cookie: next-auth.session-token=none'] }, 2],
])('takes the fast path unless the answer depends on more than the address: %s', async (_, asked, full) => {
  await both({ query: asked.query ?? '' })
  const reserve = vi.spyOn(served.app.limiter, 'reserve')
  await both(asked)
  // Wrong tokens are counted separately.
  const ofBytes = reserve.mock.calls.filter(([, options]) => options?.label?.startsWith('image bytes'))
  expect(new Set(ofBytes.map(([requests]) => JSON.stringify(requests[0]?.caller))).size).toBe(full)
})

/** Overrides a rule set until the test ends. */
function limit(ruleSet: string, terms: OverrideTerms): void {
  const worked = served.app.limitAdmin.overrides.compileOverride({ ruleSet, target: { kind: 'all' }, terms })
  if (worked.problem !== null) throw worked.problem
  served.app.limiter.override([worked.override])
}

/**
 * Returns the answer without the remaining permits: the paths share them, and the fast path charges bytes before it
 * knows that fewer will be sent.
 */
function withoutRest({ status, headers, body }: RawAnswer) {
  const { ratelimit, 'ratelimit-policy': policies, ...own } = headers
  return { status, own, body }
}

test.each([
  ['a smaller variant for lack of permits', 'view-large', '?w=1600', 200],
  ['a refusal', 'view', '?w=400', 429],
])('both paths answer alike: %s', async (_, ruleSet, query, status) => {
  await both({ query })
  limit(ruleSet, { rules: [{ limit: 1, window: '1h' }] })
  const [one, other] = [`198.18.3.${status % 200}`, `198.18.4.${status % 200}`]
  for (const address of [one, other]) {
    const { headers } = await ask(address, { query }, [])
    expect(headers['content-length']).toBe(query.slice(3))
  }
  const full = await ask(one, { query }, [FULL])
  const fast = await ask(other, { query }, [])
  expect(withoutRest(fast)).toEqual(withoutRest(full))
  expect(fast.status).toBe(status)
  expect(fast.headers.ratelimit).toContain(`"${ruleSet}-1h";r=0;t=3600`)
  expect(fast.headers['sluice-degraded']).toBe(status === 200 ? `${ruleSet}-1h` : undefined)
})

test('both paths answer alike: a limiter that fails', async () => {
  await both({})
  vi.spyOn(served.app.log, 'error').mockImplementation(() => undefined)
  vi.spyOn(served.app.limiter, 'obtain').mockImplementation(() => {
    throw new LimitStoreUnavailable()
  })
  vi.spyOn(served.app.limiter, 'reserve').mockRejectedValue(new LimitStoreUnavailable())
  const { full, fast } = await both({})
  const { requestId: one, ...told } = JSON.parse(full.body)
  const { requestId: other, ...toldFast } = JSON.parse(fast.body)
  expect([toldFast, fast.status, fast.headers]).toEqual([told, full.status, full.headers])
  expect([one, other]).toEqual([expect.any(String), expect.any(String)])
  expect(fast.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'retry-after': '5' })
})
