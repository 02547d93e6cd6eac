import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toCaller } from '#server/accounts/viewer.ts'
import { zipRoute } from '#server/images/zip/limits.ts'
import { insertBareImages } from '#testing/library/insert-image.ts'
import { type StoredImage, type StoredImageOptions, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
let root: Person

beforeAll(async () => {
  served = await startApp()
  owner = await served.person()
  root = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

/** Each test has an address of its own, so that limits of visitors do not meet. */
let addresses = 0
const address = () => `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`
const variants = { 400: Buffer.from('small'), 800: Buffer.from('medium'), 1600: Buffer.from('large') }
const store = (options: StoredImageOptions = {}) =>
  storeImageFor(served, owner, { variants, visibility: 'private', ...options })
const tokenIn = (url: string) => url.split('/').at(-1) ?? ''

type Settings = Omit<Parameters<ReturnType<TestApp['as']>['share']['create']>[0], 'target'>

async function share(images: readonly StoredImage[], settings: Settings = {}) {
  const created = await served.as(owner).share.create({ target: { images: images.map(({ id }) => id) }, ...settings })
  return { ...created, token: tokenIn(created.url) }
}

const open = (token: string, more: { password?: string; visit?: string; from?: number } = {}, from = address()) =>
  served.as(null, from).share.open({ token, ...more })

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: unknown) => Reflect.get(Object(error), 'code'),
  )

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const res = await fetch(url, { headers, method, redirect: 'manual' })
  return { status: res.status, headers: res.headers, body: Buffer.from(await res.arrayBuffer()) }
}

describe('a share', () => {
  test('costs as many permits as it has images', async () => {
    const obtain = vi.spyOn(served.app.limiter, 'obtain')
    const images = Array.from({ length: 1_000 }, () => crypto.randomUUID())
    const calls = served.as(await served.person()).share
    await expect(calls.create({ target: { images } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const permits = await Promise.all(obtain.mock.results.map(({ value }) => value))
    obtain.mockRestore()
    const rules = permits.flatMap(({ decision }) => decision.rules)
    expect(rules.find(({ policy }) => policy === 'share-images-1h')).toMatchObject({ limit: 20_000, remaining: 19_000 })
  })

  test('shows private images, whose visibility stays, without an address that leads to them otherwise', async () => {
    const [one, two] = [await store({ title: 'One' }), await store({ title: 'Two' })]
    const { url, token } = await share([two, one], { title: 'Holidays' })
    expect(url).toMatch(/^http:\/\/localhost:\d+\/s\/[\w-]{24}$/)
    const shown = await open(token)
    expect(shown).toMatchObject({
      title: 'Holidays',
      count: 2,
      next: null,
      zips: [],
      images: [{ title: 'Two' }, { title: 'One' }],
    })
    const text = JSON.stringify(shown)
    for (const secret of [one, two].flatMap(({ id, slug, sha256 }) => [id, slug, sha256, token]))
      expect(text).not.toContain(secret)
    const [first] = shown.images
    const answer = await get(first?.url ?? '')
    expect(answer.body.toString()).toBe('large')
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect((await get(two.url)).status).toBe(404)
    const etag = answer.headers.get('etag') ?? ''
    expect((await get(first?.url ?? '', { 'if-none-match': etag })).status).toBe(304)
    expect((await get(first?.url ?? '', { range: 'bytes=1-2' })).body.toString()).toBe('ar')
  })

  test('gives originals and a zip only if its owner allows it, and no names of files', async () => {
    const image = await store({ filename: 'secret-name.png', title: 'Sea' })
    const { id, token } = await share([image])
    const [rendered] = (await open(token)).images
    expect(rendered?.originalUrl).toBe(null)
    const original = rendered?.url.replace('?w=1600', '') ?? ''
    expect((await get(original)).status).toBe(404)
    expect((await get(original.replace(/[^/]+$/, 'zip'))).status).toBe(404)
    await served.as(owner).share.update({ id, originals: true })
    const { images, zips } = await open(token)
    expect(images[0]?.url).toBe(original)
    const answer = await get(original)
    expect(answer.body.equals(image.bytes)).toBe(true)
    expect(answer.headers.get('content-disposition')).toBe('inline; filename=Sea.png')
    const zip = await get(zips[0] ?? '')
    expect(zip.body.includes(image.bytes)).toBe(true)
    expect(zip.body.includes('Sea.png')).toBe(true)
    await served.as(owner).share.update({ id, showsTitles: false })
    expect((await open(token)).images[0]).toMatchObject({ title: null, description: null })
    expect((await get(`${original}?download=1`)).headers.get('content-disposition')).toBe(
      'attachment; filename=image.png',
    )
  })

  test('of an album shows it as it is at each visit, in its order', async () => {
    const [one, two] = [await store({ title: 'One' }), await store({ title: 'Two' })]
    const album = await served.app.db.album.create({
      data: { ownerId: owner.viewer.userId, slug: crypto.randomUUID(), title: 'Album', description: 'In June' },
    })
    const add = (image: StoredImage, rank: string) =>
      served.app.db.albumImage.create({ data: { albumId: album.id, imageId: image.id, rank } })
    await add(one, 'b')
    const { url } = await served.as(owner).share.create({ target: { album: album.id } })
    const before = await open(tokenIn(url))
    expect(before).toMatchObject({ title: 'Album', description: 'In June', images: [{ title: 'One' }] })
    await add(two, 'a')
    expect((await open(tokenIn(url))).images.map(({ title }) => title)).toEqual(['Two', 'One'])
    await served.app.db.albumImage.deleteMany({ where: { imageId: one.id } })
    expect((await get(before.images[0]?.url ?? '')).status).toBe(404)
    await served.app.db.album.delete({ where: { id: album.id } })
    expect(await outcome(open(tokenIn(url)))).toBe('NOT_FOUND')
  })

  test('cannot be made of images of others, of the trash, or of nothing', async () => {
    const stranger = await served.person()
    const others = await storeImageFor(served, stranger, { visibility: 'public' })
    const trashed = await store({ trashed: true })
    const own = await store()
    for (const ids of [[others.id], [trashed.id], [own.id, crypto.randomUUID()]])
      expect(await outcome(served.as(owner).share.create({ target: { images: ids } }))).toBe('NOT_FOUND')
    expect(await outcome(served.as(owner).share.create({ target: { images: [] } }))).toBe('BAD_REQUEST')
    expect(await outcome(served.as(owner).share.create({ target: { images: [own.id, own.id] } }))).toBe('BAD_REQUEST')
    expect(await outcome(served.as(owner).share.create({ target: { album: own.id } }))).toBe('NOT_FOUND')
  })

  test('that a superadmin makes of somebody’s images is that person’s, as the audit says', async () => {
    const own = await store()
    const target = { images: [own.id] }
    const { id, url } = await served.as(root).share.create({ target })
    expect(await open(tokenIn(url))).toMatchObject({ count: 1 })
    const [first] = (await served.as(owner).share.list()).items
    expect(first).toMatchObject({ id })
    const entry = await served.app.db.auditEntry.findFirst({ where: { target: `share/${id}` } })
    expect(entry).toMatchObject({ actorId: root.viewer.userId, accountId: owner.viewer.userId })
    const others = await storeImageFor(served, await served.person(), {})
    const both = { images: [own.id, others.id] }
    expect(await outcome(served.as(root).share.create({ target: both }))).toBe('BAD_REQUEST')
    expect(await outcome(served.as(root).share.create({ target: { album: own.id } }))).toBe('NOT_FOUND')
  })
})

describe('a share of an export', () => {
  const hash = (parameters: string) => `$argon2id$v=19$${parameters}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const restore = (target: object, more: object = {}) =>
    Reflect.apply(served.as(owner).share.restore, null, [
      { createdAt: '2026-01-02T03:04:05.678Z', passwordHash: null, views: 0, target, ...more },
    ])

  test('is restored in parts, once, and never widens another', async () => {
    const [one, two] = [await store({ title: 'One' }), await store({ title: 'Two' })]
    const at = (image: StoredImage, position: number) => ({ images: [{ id: image.id, position }] })
    const first = await restore(at(two, 1), { title: 'Parts' })
    expect(first).toMatchObject({ isNew: true, url: expect.stringMatching(/\/s\/[\w-]{24}$/) })
    expect(await restore(at(one, 0))).toEqual({ id: first.id, url: null, isNew: false })
    expect(await restore(at(one, 0))).toEqual({ id: first.id, url: null, isNew: false })
    const shown = await open(tokenIn(first.url))
    expect([shown.title, shown.images.map(({ title }) => title)]).toEqual(['Parts', ['One', 'Two']])
    const acts = await served.app.db.auditEntry.findMany({
      where: { target: `share/${first.id}` },
      orderBy: { id: 'asc' },
    })
    expect(acts.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['share.create', null, expect.objectContaining({ images: 1 })],
      ['share.update', expect.objectContaining({ images: 1 }), expect.objectContaining({ images: 2 })],
    ])
    const others = await storeImageFor(served, await served.person(), { visibility: 'public' })
    expect(await outcome(restore(at(others, 2)))).toBe('NOT_FOUND')
    const { ownerId } = await served.app.db.share.findUniqueOrThrow({ where: { id: first.id } })
    const ids = await insertBareImages(served.app.db, ownerId, 999)
    expect(await outcome(restore({ images: ids.map((id, position) => ({ id, position })) }))).toBe('CONFLICT')
    expect(await served.app.db.shareImage.count({ where: { shareId: first.id } })).toBe(2)
  })

  test.each([
    ['a hash that would cost more', { passwordHash: hash('m=4194304,t=100,p=4') }],
    ['a hash of another kind', { passwordHash: '$2b$10$x' }],
    ['a password', { password: 'x' }],
    ['a link of its own', { tokenHash: 'a'.repeat(64) }],
    ['an image twice', { target: { images: Array(2).fill({ id: crypto.randomUUID(), position: 0 }) } }],
  ])('is refused with %s', async (_, more) => {
    expect(await outcome(restore({ images: [{ id: (await store()).id, position: 0 }] }, more))).toBe('BAD_REQUEST')
  })

  test('with limits beyond all bounds has those of the site', async () => {
    const limits = { requestsPerHour: Number.MAX_SAFE_INTEGER, requestsPerDay: null, bytesPerDay: 1024 ** 5 }
    const target = { images: [{ id: (await store()).id, position: 0 }] }
    const { id } = await restore(target, {
      createdAt: '2026-02-02T00:00:00Z',
      limits,
      passwordHash: hash('m=19456,t=2,p=1'),
    })
    expect((await served.as(owner).share.use({ id })).limits.map(({ limit }) => limit)).toEqual([
      200_000,
      2_000_000,
      200 * 1024 ** 3,
    ])
  })
})

describe('what a share has given out ends', () => {
  const ends: Readonly<
    Record<string, (scene: { id: string; image: StoredImage; person: Person }) => Promise<unknown>>
  > = {
    'when it is revoked': ({ id, person }) => served.as(person).share.revoke({ id }),
    'when its time is over': ({ id, person }) =>
      served.as(person).share.update({ id, expiresAt: new Date(0).toISOString() }),
    'when the image is moved to the trash': ({ image, person }) => served.as(person).image.delete({ id: image.id }),
    'when the image is purged': async ({ image, person }) => {
      await served.as(person).image.delete({ id: image.id })
      await served.as(person).image.purge({ id: image.id })
    },
    'when its owner is banned': async ({ person }) =>
      served.as(await served.person({ role: 'admin' })).user.ban({ id: person.viewer.userId }),
    'when its owner is deleted': async ({ person }) => served.as(root).user.delete({ id: person.viewer.userId }),
  }
  test.each(Object.entries(ends))('%s, from the next request on', async (_, end) => {
    const person = await served.person()
    const image = await storeImageFor(served, person, { variants, visibility: 'public' })
    const { id, url } = await served.as(person).share.create({ target: { images: [image.id] }, originals: true })
    const { images, zips } = await open(tokenIn(url))
    const addressed = [images[0]?.url ?? '', images[0]?.thumbnailUrl ?? '', zips[0] ?? '']
    for (const each of addressed) expect((await get(each)).status).toBe(200)
    await end({ id, image, person })
    for (const each of addressed) expect((await get(each)).status).toBe(404)
    const after = await open(tokenIn(url)).catch((error: unknown) => Reflect.get(Object(error), 'code'))
    if (after !== 'NOT_FOUND') expect(after).toMatchObject({ count: 0, images: [] })
  })

  test('and nothing but that: forged keys and names, and names of another share, are not found', async () => {
    const [one, two] = [await store(), await store()]
    const [first, second] = [await open((await share([one])).token), await open((await share([two])).token)]
    const mine = new URL(first.images[0]?.url ?? '')
    const theirs = new URL(second.images[0]?.url ?? '')
    const [, , , key = '', name = ''] = mine.pathname.split('/')
    const [, , , otherKey = '', otherName = ''] = theirs.pathname.split('/')
    const forged = `${key.slice(0, -2)}${key.at(-2) === 'A' ? 'B' : 'A'}${key.at(-1)}`
    for (const path of [`${forged}/${name}`, `${key}/${otherName}`, `${otherKey}/${name}`])
      expect([path, (await get(`${served.origin}/i/s/${path}?w=400`)).status]).toEqual([path, 404])
    for (const path of [`${key}`, `${key}/zip?part=0`, `${key}/${name.replace('.png', '.jpg')}`, `${key}/%2e/${name}`])
      expect([path, (await get(`${served.origin}/i/s/${path}`)).status]).toEqual([path, 404])
  })
})

describe('a password', () => {
  test('is wanted for the page, and a visit for the bytes, which nobody keeps', async () => {
    const { id, token } = await share([await store()], { password: 'sesame' })
    expect(await outcome(open(token))).toBe('UNAUTHORIZED')
    expect(await outcome(open(token, { password: 'wrong' }))).toBe('UNAUTHORIZED')
    const { images, visit } = await open(token, { password: 'sesame' })
    const url = images[0]?.url ?? ''
    expect((await get(url)).status).toBe(401)
    expect((await get(url, { 'x-share-visit': `${visit}A` })).status).toBe(401)
    const answer = await get(url, { 'x-share-visit': visit })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect((await get(url, { cookie: `sluice.visit=${visit}` })).status).toBe(200)
    expect((await open(token, { visit })).count).toBe(1)
    await served.as(owner).share.update({ id, password: 'another' })
    expect((await get(url, { 'x-share-visit': visit })).status).toBe(401)
    expect(await outcome(open(token, { visit }))).toBe('UNAUTHORIZED')
    await served.as(owner).share.update({ id, password: null })
    expect((await get(url)).status).toBe(200)
  })

  test('that is guessed is refused before the hash: from one address, and from any number of them', async () => {
    const { token } = await share([await store()], { password: 'sesame' })
    const from = address()
    const guesses = await Promise.all(Array.from({ length: 12 }, () => outcome(open(token, { password: 'x' }, from))))
    expect(guesses.filter((each) => each === 'TOO_MANY_REQUESTS')).toHaveLength(2)
    // A network has a twentieth of what all have together: here ten of two hundred, but fewer make a faster test.
    const rules = [{ limit: 40, window: '1h' as const }]
    const override = { ruleSet: 'share-password-of-one', target: { kind: 'all' as const } }
    await served.as(root).limits.override({ ...override, terms: { rules } })
    const guess = (network: number) => open(token, { password: 'x' }, `203.${network}.113.9`)
    const all = await Promise.all(Array.from({ length: 60 }, (_, at) => outcome(guess(at % 30))))
    expect(all.filter((each) => each === 'UNAUTHORIZED')).toHaveLength(30)
    expect(await outcome(open(token, { password: 'sesame' }))).toBe('TOO_MANY_REQUESTS')
    await served.as(root).limits.clear(override)
  })
})

describe('a link', () => {
  test('that is right opens its share after a hundred wrong ones from the same address', async () => {
    const { token } = await share([await store()], { password: 'sesame' })
    const from = address()
    const wrong = await Promise.all(Array.from({ length: 100 }, (_, at) => outcome(open(`${token}${at}`, {}, from))))
    expect(Map.groupBy(wrong, (each) => each)).toEqual(
      new Map([
        ['NOT_FOUND', Array(30).fill('NOT_FOUND')],
        ['TOO_MANY_REQUESTS', Array(70).fill('TOO_MANY_REQUESTS')],
      ]),
    )
    // Asking for the form is no guess.
    for (let time = 0; time < 12; time += 1) expect(await outcome(open(token, {}, from))).toBe('UNAUTHORIZED')
    expect(await outcome(open(token, { password: 'sesame' }, from))).toBe('ok')
  })
})

describe('a number of views', () => {
  test('counts visits, not requests, and of two who come for the last one, one gets it', async () => {
    const { token } = await share([await store()], { maxViews: 2 })
    const { images, visit } = await open(token)
    const url = images[0]?.url ?? ''
    expect((await get(url)).status).toBe(401)
    for (const method of ['GET', 'HEAD', 'GET'])
      expect((await get(url, { 'x-share-visit': visit }, method)).status).toBe(200)
    expect(await outcome(open(token, { visit }))).toBe('ok')
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(open(token))))
    expect(outcomes.toSorted()).toEqual([...Array(7).fill('NOT_FOUND'), 'ok'])
    const [listed] = (await served.as(owner).share.list()).items
    expect(listed).toMatchObject({ views: 2, maxViews: 2, ended: 'viewed' })
    expect((await get(url, { 'x-share-visit': visit })).status).toBe(200)
  })
})

describe('limits of a share', () => {
  test('stop it and no other, whatever its visitors’ addresses, and keep their count when they change', async () => {
    const image = await store()
    const { id, token } = await share([image], { limits: { requestsPerHour: 4 } })
    const other = await share([image])
    for (let at = 0; at < 4; at += 1) expect(await outcome(open(token))).toBe('ok')
    expect(await outcome(open(token))).toBe('TOO_MANY_REQUESTS')
    expect(await outcome(open(other.token))).toBe('ok')
    await served.as(owner).share.update({ id, limits: { requestsPerHour: 6 } })
    expect([await outcome(open(token)), await outcome(open(token)), await outcome(open(token))]).toEqual([
      ...['ok', 'ok'],
      'TOO_MANY_REQUESTS',
    ])
    await served.as(owner).share.update({ id, limits: { requestsPerHour: 5 } })
    expect(await outcome(open(token))).toBe('TOO_MANY_REQUESTS')
    const { limits } = await served.as(owner).share.use({ id })
    expect(limits[0]).toMatchObject({ name: 'requestsPerHour', limit: 5, used: 5 })
  })

  test('count bytes of images, and refuse them with the wait', async () => {
    const { id, token } = await share([await store()], { limits: { bytesPerDay: 12 } })
    const url = (await open(token)).images[0]?.url ?? ''
    for (const status of [200, 200, 429]) expect((await get(url)).status).toBe(status)
    const refused = await get(url)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600)
    expect(refused.body.toString()).toContain('12 B')
    // Five bytes cost five.
    expect((await get(url, { range: 'bytes=0-0' })).status).toBe(429)
    const { days } = await served.as(owner).share.use({ id })
    expect(days).toMatchObject([{ bytes: 10, refused: 3, visitors: 2 }])
    expect(days[0]?.nearAt).not.toBe(null)
    expect(days[0]?.spentAt).not.toBe(null)
  })

  test('are for bodies: neither HEAD nor 304 uses them up, or is refused by them', async () => {
    const { id, token } = await share([await store()], { limits: { requestsPerHour: 2 } })
    const url = (await open(token)).images[0]?.url ?? ''
    const first = await get(url, { 'if-none-match': '"another"' })
    expect(first.status).toBe(200)
    const known = { 'if-none-match': first.headers.get('etag') ?? '' }
    for (let time = 0; time < 3; time += 1) {
      expect((await get(url, {}, 'HEAD')).status).toBe(200)
      expect((await get(url, known)).status).toBe(304)
    }
    expect((await get(url)).status).toBe(429)
    expect((await get(url, { 'if-none-match': '"another"' })).status).toBe(429)
    const { days, limits } = await served.as(owner).share.use({ id })
    expect([days, limits[0]]).toMatchObject([[{ requests: 2, refused: 2 }], { used: 2 }])
  })

  test('of the site are used up by no network alone, those of the owner by anybody', async () => {
    const image = await store()
    const [site, own] = [await share([image]), await share([image], { limits: { requestsPerHour: 4 } })]
    const sliding = { algorithm: 'sliding-window-counter', oldest: 'whole' } as const
    const rules = [
      { ...sliding, limit: 3, window: '1h' as const },
      { ...sliding, limit: 100, window: '1d' as const, samples: 24 },
    ]
    const override = { ruleSet: 'network-share', target: { kind: 'all' as const } }
    await served.as(root).limits.override({ ...override, terms: { rules } })
    const from = (token: string, where: string) => outcome(open(token, {}, where))
    for (const host of [1, 2, 3]) expect(await from(site.token, `203.0.113.${host}`)).toBe('ok')
    expect(await from(site.token, '203.0.113.4')).toBe('TOO_MANY_REQUESTS')
    expect(await from(site.token, '203.0.112.4')).toBe('ok')
    for (const host of [1, 2, 3]) expect(await from(own.token, `203.0.111.${host}`)).toBe('ok')
    await served.as(root).limits.clear(override)
    expect(await from(own.token, '203.0.111.4')).toBe('ok')
    expect(await from(own.token, '203.0.112.4')).toBe('TOO_MANY_REQUESTS')
    // A refusal by a network's part is none of the share's use.
    const { days, limits } = await served.as(owner).share.use({ id: site.id })
    expect([days, limits[0]]).toMatchObject([[{ requests: 4, refused: 0, spentAt: null }], { used: 4 }])
  })

  test('of a visitor refuse bytes and zips before the share is looked up', async () => {
    const { token } = await share([await store(), await store()], { originals: true })
    const { images, zips } = await open(token)
    const zip = zips[0] ?? ''
    expect((await get(zip)).status).toBe(200)
    const visitor = { ruleSet: 'download', subject: '127.0.0.1' }
    const caller = toCaller(null, visitor.subject)
    const downloads = zipRoute.sets.filter(({ facts }) => facts.name === 'download')
    const { rules } = await served.app.limiter.peek([{ sets: downloads, caller }])
    const left = Math.min(...rules.map(({ remaining }) => remaining))
    await served.app.limiter.reserve([{ sets: downloads, caller, cost: left - 1 }])
    // One is left, of two.
    expect((await get(zip)).status).toBe(429)
    expect((await served.app.limiter.peek([{ sets: downloads, caller }])).rules[0]?.remaining).toBe(1)
    await served.app.limiter.reserve([{ sets: downloads, caller, cost: 1 }])
    const lookUp = vi.spyOn(served.app.db.share, 'findUnique')
    expect((await get(zip)).status).toBe(429)
    expect((await get(images[0]?.url ?? '')).status).toBe(429)
    expect(lookUp).not.toHaveBeenCalled()
    await served.as(root).limits.reset(visitor)
  })

  test('above those of the site are refused', async () => {
    const image = await store()
    const limits = { bytesPerDay: 1024 ** 5 }
    expect(await outcome(share([image], { limits }))).toBe('BAD_REQUEST')
  })
})
