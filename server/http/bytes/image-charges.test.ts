import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { download, sentBytes, viewLarge } from '#server/images/limits.ts'
import { newSlug } from '#server/images/slug.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
let image: StoredImage

beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
  image = await storeImageFor(served, owner, { variants: { 400: Buffer.from('small') } })
})
afterAll(() => served[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

const namesOf = ({ sets }: { readonly sets: readonly CompiledRuleSet[] }) => [
  ...new Set(sets.map(({ facts }) => facts.name)),
]
const DOWNLOAD = ['download']
const SENT = ['download-of-one', 'sent-bytes']

test('each read of an original costs one `download`, and a variant costs none', async () => {
  const reader = await served.person()
  const variants = { 400: Buffer.from('smaller') }
  const own = await storeImageFor(served, reader, { visibility: 'private', variants })
  const left = async (url: string, init: RequestInit = {}) => {
    const { status, headers } = await read(url, reader, init)
    return [status, /"download-1m";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]]
  }
  expect(await left(own.url)).toEqual([200, '99'])
  expect(await left(own.url, { method: 'HEAD' })).toEqual([200, undefined])
  expect(await left(own.url, { headers: { 'If-None-Match': `"${own.sha256}"` } })).toEqual([304, undefined])
  expect(await left(own.url, { headers: { 'If-None-Match': '"another"' } })).toEqual([200, '98'])
  expect(await left(own.url, { headers: { Range: 'bytes=0-0' } })).toEqual([206, '97'])
  expect(await left(own.url, { headers: { Range: 'bytes=0-0,500-501' } })).toEqual([200, '96'])
  expect(await left(`${own.url}?w=400`)).toEqual([200, undefined])
})

test('saving an image takes one permit: none for the link or HEAD, and one for each answer with bytes', async () => {
  const reader = await served.person()
  const own = await storeImageFor(served, reader, { visibility: 'private' })
  const sets = compileRuleSets('test', download)
  const caller = { address: '198.18.0.1', userId: reader.viewer.userId, shared: false }
  const taken = async () => {
    const { rules } = await served.app.limiter.peek([{ sets, caller }])
    return rules.map(({ limit, remaining }) => limit - remaining)
  }
  const { url } = await served.as(reader).image.download({ id: own.id })
  expect(await taken()).toEqual([0, 0, 0])
  expect((await read(url, reader, { method: 'HEAD' })).status).toBe(200)
  expect(await taken()).toEqual([0, 0, 0])
  const saved = await read(url, reader)
  expect([saved.status, saved.headers.get('accept-ranges')]).toEqual([200, 'none'])
  expect(await taken()).toEqual([1, 1, 1])
  const resumed = await read(url, reader, { headers: { Range: 'bytes=500-', 'If-Range': `"${own.sha256}"` } })
  expect([resumed.status, await taken()]).toEqual([206, [2, 2, 2]])
  // An ID that shows nothing costs one, so that guessing is limited.
  await expect(served.as(reader).image.download({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await taken()).toEqual([3, 3, 3])
})

test('a 304 counts as a call of its client without bytes in the usage', async () => {
  const address = '198.51.100.77'
  const same = { headers: { 'X-Forwarded-For': address, 'If-None-Match': `"${image.sha256}"` } }
  // The first takes the full path and caches the image. The others take the fast path.
  const long = { headers: { ...same.headers, Range: 'bytes=0-9' } }
  for (const init of [long, same, same]) expect((await read(image.url, null, init)).status).toBe(304)
  await served.app.usage.flush()
  const rows = await served.app.db.usageDay.findMany({ where: { subject: address } })
  expect(rows.map(({ calls, sent }) => [calls, sent])).toEqual([[3n, 0n]])
})

test('beyond the limit, bytes and the procedure name the rule and the wait', async () => {
  const address = '198.51.100.1'
  const from = { headers: { 'X-Forwarded-For': address } }
  const answers = await Promise.all(Array.from({ length: 110 }, () => read(image.url, null, from)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(100).fill(200), ...Array(10).fill(429)])
  const refused = await read(image.url, null, { headers: from.headers })
  expect(refused.status).toBe(429)
  expect(await refused.text()).toEqual(
    expect.stringMatching(/^Limit reached: download allows 100 per minute\. Try again in (\d+ s|1 min)\.\n$/),
  )
  expect(refused.headers.get('retry-after')).toMatch(/^[1-6]\d?$/)
  expect(refused.headers.get('ratelimit')).toContain('"download-1m";r=0')
  expect(refused.headers.get('cache-control')).toBe('no-store')
  await expect(served.as(null, address).image.download({ id: image.id })).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  })
  expect((await read(`${image.url}?w=400`, null, from)).status).toBe(200)
})

test('no cacheable answer shows remaining permits', async () => {
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

test('a missing image costs the same as an existing one, except for the sent bytes', async () => {
  const own = await storeImageFor(served, owner)
  const reserve = vi.spyOn(served.app.limiter, 'obtain')
  const missing = `${served.origin}/i/${newSlug()}.jpg`
  const condition = { headers: { 'If-None-Match': `"${own.sha256}"` } }
  for (const url of [missing, own.url]) {
    await read(url, null, { method: 'HEAD' })
    await read(url, null, condition)
  }
  expect(reserve.mock.calls.map(([requests]) => requests.map(namesOf))).toEqual(Array(4).fill([['revalidate']]))
  reserve.mockClear()
  await read(missing)
  expect(reserve.mock.calls.map(([requests]) => requests.map(namesOf))).toEqual([[DOWNLOAD]])
  reserve.mockClear()
  await read(own.url)
  expect(reserve.mock.calls.map(([[request]]) => [request && namesOf(request), request?.bytes])).toEqual([
    [DOWNLOAD, undefined],
    [SENT, 1_000],
  ])
})

test('a call charged separately for itself and its bytes counts once, as refused if its bytes are', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const own = await storeImageFor(served, owner, { visibility: 'private' })
  /** Statistics leave out the current second. */
  const callsBefore = () => {
    now.mockReturnValue(performance.now() + 1_000)
    return callsOf(served.app)
  }
  const of = async (work: () => Promise<Response>) => {
    const before = callsBefore()
    const { status } = await work()
    const after = callsBefore()
    return [status, after.passed - before.passed, after.refused - before.refused]
  }
  expect(await of(() => read(own.url, owner))).toEqual([200, 1, 0])
  expect(await of(async () => read(own.url, await served.person({ role: 'superadmin' })))).toEqual([200, 1, 0])
  const caller = { address: '198.18.0.1', userId: owner.viewer.userId, shared: false }
  const sets = compileRuleSets('test', sentBytes)
  const { rules } = await served.app.limiter.peek([{ sets, caller }])
  const left = Math.min(...rules.map(({ remaining }) => remaining))
  await served.app.limiter.reserve([{ sets, caller, bytes: left }], { label: 'test' })
  expect(await of(() => read(own.url, owner))).toEqual([429, 0, 1])
})

/** Returns the calls for originals in the last minute. */
function callsOf({ limiter }: TestApp['app']) {
  const calls = limiter.stats().labels.find(({ label }) => label === 'image bytes (original)')
  const sum = (amounts: readonly number[] = []) => amounts.reduce((total, amount) => total + amount, 0)
  return { passed: sum(calls?.passed), refused: sum(calls?.refused) }
}

test('a download link charges its holder, even a superadmin, unless a superadmin uses it', async () => {
  const root = await served.person({ role: 'superadmin' })
  const { id } = await storeImageFor(served, root, { visibility: 'private' })
  const { url } = await served.as(root).image.download({ id })
  const reserve = vi.spyOn(served.app.limiter, 'obtain')
  for (const reader of [null, owner, root, await served.person({ role: 'superadmin' })]) {
    expect((await read(url, reader)).status).toBe(200)
  }
  const holder = { userId: root.viewer.userId, shared: false }
  const charged = reserve.mock.calls.map(([requests]) => requests.map((each) => [namesOf(each), each.caller]))
  expect(charged).toMatchObject([[[DOWNLOAD, holder]], [[SENT, holder]], [[DOWNLOAD, holder]], [[SENT, holder]]])
})

test('a superadmin is exempt, and counted as such', async () => {
  const hidden = await storeImageFor(served, owner, { visibility: 'private' })
  const reserve = vi.spyOn(served.app.limiter, 'obtain')
  const free = vi.spyOn(served.app.limiter, 'free')
  const root = await served.person({ role: 'superadmin' })
  expect((await read(hidden.url, root)).status).toBe(200)
  expect(reserve).not.toHaveBeenCalled()
  expect(free.mock.calls.map(([label, sets]) => [label, namesOf({ sets })])).toEqual([
    ['image bytes (original)', [...DOWNLOAD, ...SENT]],
  ])
})

describe('a large variant', () => {
  const variants = { 800: Buffer.from('small'), 1600: Buffer.from('rather large') }
  const from = { headers: { 'X-Forwarded-For': '198.51.100.7' } }
  /** Takes all permits and stops the clock, so that none is replenished. */
  const exhaust = async () => {
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const caller = { address: '198.51.100.7', userId: null, shared: false }
    const sets = compileRuleSets('test', viewLarge)
    await served.app.limiter.reset([{ sets, caller }])
    await served.app.limiter.reserve([{ sets, caller, cost: 300 }])
  }

  test('without permits is replaced by the smaller one, marked as such, and not cacheable', async () => {
    const { url } = await storeImageFor(served, owner, { variants })
    const large = await read(`${url}?w=1600`, null, from)
    expect([await large.text(), large.headers.get('cache-control')]).toEqual(['rather large', 'public, max-age=300'])
    expect(large.headers.get('sluice-degraded')).toBeNull()
    await exhaust()
    const less = await read(`${url}?w=1600`, null, from)
    expect([less.status, await less.text()]).toEqual([200, 'small'])
    expect(less.headers.get('sluice-degraded')).toBe('view-large-1m')
    expect(less.headers.get('cache-control')).toBe('no-store')
    expect(less.headers.get('ratelimit')).toContain('"view-large-1m";r=0;t=1')
    expect([less.headers.get('etag'), less.headers.get('last-modified')]).toEqual([null, null])
    const before = { 'If-Range': large.headers.get('last-modified') ?? '', 'If-None-Match': '"another"' }
    const resumed = await read(`${url}?w=1600`, null, { headers: { ...from.headers, ...before, Range: 'bytes=2-' } })
    expect([resumed.status, await resumed.text()]).toEqual([200, 'small'])
    const small = await read(`${url}?w=800`, null, from)
    expect([await small.text(), small.headers.get('sluice-degraded')]).toEqual(['small', null])
  })

  test('of an image that has none is unchanged without permits', async () => {
    const { id, url } = await storeImageFor(served, owner, { variants: { 800: variants[800] } })
    await served.app.db.image.update({ where: { id }, data: { width: 700, height: 500 } })
    await exhaust()
    const answer = await read(`${url}?w=1600`, null, from)
    expect([await answer.text(), answer.headers.get('sluice-degraded')]).toEqual(['small', null])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  })

  test('is charged to `view` as well, and a small one to `view` only', async () => {
    const reader = await served.person()
    const own = await storeImageFor(served, reader, { visibility: 'private', variants })
    const policies = async (width: number) => {
      const { headers } = await read(`${own.url}?w=${width}`, reader)
      return [...(headers.get('ratelimit-policy') ?? '').matchAll(/"([^"]+)";q=/g)].map(([, policy]) => policy)
    }
    const view = ['view-1s', 'view-1m', 'view-1h']
    const sent = ['view-of-one-1h', 'view-of-one-network-1h', 'sent-bytes-1h', 'sent-bytes-1d']
    expect(await policies(800)).toEqual([...view, ...sent])
    expect(await policies(1600)).toEqual([...view, 'view-large-1m', 'view-large-1h', ...sent])
  })
})
