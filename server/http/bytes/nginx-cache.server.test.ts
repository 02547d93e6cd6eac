import { afterAll, beforeAll, expect, test } from 'vitest'
import { endSession } from '#server/accounts/sessions/sessions.ts'
import { newSlug } from '#server/images/slug.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Nginx, startNginx } from '#testing/servers/nginx.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let nginx: Nginx
let owner: Person
let other: Person
beforeAll(async () => {
  served = await startApp({ ...behindProxy, SLUICE_CACHE_SECONDS: '1' })
  nginx = await startNginx(new URL(served.origin).port)
  owner = await served.person()
  other = await served.person()
})
afterAll(async () => {
  await nginx?.[Symbol.asyncDispose]()
  await served?.[Symbol.asyncDispose]()
})

const throughNginx = (url: string) => `${nginx.origin}${url.slice(new URL(url).origin.length)}`

/** Returns what tells one answer through nginx from another. No answer of an image may set a cookie. */
async function answer(url: string, person: Person | null = null, headers: Record<string, string> = {}) {
  const got = await read(throughNginx(url), person, { headers })
  expect(got.headers.get('set-cookie')).toBeNull()
  return {
    status: got.status,
    outcome: got.headers.get('cache-outcome'),
    policy: got.headers.get('cache-control'),
    etag: got.headers.get('etag'),
    hasLimits: got.headers.has('ratelimit'),
    bytes: Buffer.from(await got.arrayBuffer()),
  }
}
const statusOf = async (...of: Parameters<typeof answer>) => (await answer(...of)).status

test('a public image is kept, whole, and without what belongs to its first reader', async () => {
  const { url, bytes } = await storeImageFor(served, owner, { visibility: 'public' })
  const first = { status: 200, policy: 'public, max-age=1', hasLimits: false, bytes }
  const part = { range: 'bytes=3-9' }
  expect(await answer(url, null, part)).toMatchObject({ status: 206, outcome: 'MISS', bytes: bytes.subarray(3, 10) })
  const kept = await answer(url)
  expect(kept).toMatchObject({ ...first, outcome: 'HIT' })
  expect(await answer(url, null, { 'if-none-match': kept.etag ?? '' })).toMatchObject({ status: 304, outcome: 'HIT' })
  // A signed-in reader is answered by Sluice.
  expect(await answer(url, other)).toMatchObject({ ...first, outcome: null })
  expect(await answer(`${url}?w=400`)).toMatchObject({ status: 200, outcome: 'MISS' })
})

test('a private image is answered to its owner alone, also in parts and by revalidation', async () => {
  const { url, bytes } = await storeImageFor(served, owner, { visibility: 'private' })
  const mine = await insertToken(served, owner, ['read'])
  const theirs = await insertToken(served, other, ['read'])
  for (let round = 0; round < 2; round += 1) {
    const whole = await answer(url, owner)
    expect(whole).toMatchObject({ status: 200, policy: 'private, no-cache', outcome: null, bytes })
    expect(await answer(url, owner, { 'if-none-match': whole.etag ?? '' })).toMatchObject({ status: 304 })
    const part = await answer(url, owner, { range: 'bytes=3-9', 'if-range': whole.etag ?? '' })
    expect(part).toMatchObject({ status: 206, bytes: bytes.subarray(3, 10) })
    expect(await statusOf(url, null, mine.headers)).toBe(200)
    for (const [person, headers] of [[other], [null], [null, theirs.headers]] as const)
      expect(await answer(url, person, headers)).toMatchObject({ status: 404, policy: 'no-store' })
  }
  await served.app.db.apiToken.delete({ where: { id: mine.id } })
  expect(await statusOf(url, null, mine.headers)).toBe(401)
})

test('an image in the trash is kept until it expires, whoever looks at it there, and is back at once', async () => {
  const { url, id, bytes } = await storeImageFor(served, owner, { visibility: 'public' })
  expect(await answer(url)).toMatchObject({ status: 200, outcome: 'MISS' })
  expect(await answer(url)).toMatchObject({ status: 200, outcome: 'HIT' })
  await served.as(owner).image.delete({ id })
  const look = async () => {
    expect(await answer(url, owner)).toMatchObject({ status: 200, policy: 'private, no-cache', outcome: null })
    return statusOf(url)
  }
  await expect.poll(look).toBe(404)
  expect(await look()).toBe(404)
  expect(await statusOf(url, other)).toBe(404)
  await served.as(owner).image.restore({ id })
  expect(await answer(url)).toMatchObject({ status: 200, bytes })
})

test('an image that has become private is gone once its copy expires', async () => {
  const { url, id } = await storeImageFor(served, owner, { visibility: 'link' })
  expect(await statusOf(url)).toBe(200)
  await served.as(owner).image.update({ id, visibility: 'private' })
  await expect.poll(() => statusOf(url)).toBe(404)
})

test('a refusal is given to nobody else', async () => {
  const { url } = await storeImageFor(served, owner, { visibility: 'public' })
  const loud = { 'x-forwarded-for': '192.0.2.1' }
  const missing = () => statusOf(`${served.origin}/i/${newSlug()}.png`, null, loud)
  for (let read = 0; read < 100; read += 1) expect(await missing()).toBe(404)
  expect(await missing()).toBe(429)
  expect(await answer(url, null, loud)).toMatchObject({ status: 429, policy: 'no-store' })
  expect(await answer(url)).toMatchObject({ status: 200, outcome: 'MISS' })
})

test('a download link is never kept, resumes, and ends with the session of its holder', async () => {
  const { id, bytes } = await storeImageFor(served, owner, { visibility: 'private' })
  const { url } = await served.as(owner).image.download({ id })
  for (let round = 0; round < 2; round += 1)
    expect(await answer(url)).toMatchObject({ status: 200, policy: 'no-store', outcome: null, bytes })
  const rest = await answer(url, null, { range: 'bytes=900-' })
  expect(rest).toMatchObject({ status: 206, bytes: bytes.subarray(900) })
  const actor = { ...owner.viewer, requestId: 'test' }
  await endSession(served.app.db, actor, { sessionId: owner.sessionId, action: 'account.signOut' })
  expect(await statusOf(url)).toBe(404)
})

test('what a share has given out is never kept, answers ranges and conditions, and ends with the share', async () => {
  const variants = { 400: Buffer.from('small'), 800: Buffer.from('medium'), 1600: Buffer.from('large') }
  const { id: image } = await storeImageFor(served, owner, { visibility: 'public', variants })
  for (const end of [{}, { expiresAt: new Date(Date.now() + 60_000).toISOString() }, { maxViews: 9 }]) {
    const { id, url: link } = await served.as(owner).share.create({ target: { images: [image] }, ...end })
    const { images, visit } = await served.as(null).share.open({ token: link.split('/').at(-1) ?? '' })
    const url = images[0]?.url ?? ''
    const headers = { 'x-share-visit': visit }
    const policy = Object.keys(end).length === 0 ? 'private, no-cache' : 'no-store'
    for (let round = 0; round < 2; round += 1) {
      const got = await answer(url, null, headers)
      expect(got).toMatchObject({ status: 200, policy, outcome: null, bytes: variants[1600] })
      const part = await answer(url, null, { ...headers, range: 'bytes=1-2' })
      expect(part).toMatchObject({ status: 206, bytes: Buffer.from('ar') })
      const current = { ...headers, 'if-none-match': got.etag ?? '' }
      expect(await answer(url, null, current)).toMatchObject({ status: 304, bytes: Buffer.of() })
    }
    if ('maxViews' in end) expect(await statusOf(url)).toBe(401)
    await served.as(owner).share.revoke({ id })
    expect(await statusOf(url, null, headers)).toBe(404)
  }
})
