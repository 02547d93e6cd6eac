import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type StoredImageOptions, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp({ SLUICE_TRUSTED_PROXIES: '127.0.0.1', SLUICE_NAME: 'Harbour' })
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())

const variants = { 400: Buffer.from('small'), 800: Buffer.from('medium'), 1600: Buffer.from('large') }
const store = (options: StoredImageOptions = {}) => storeImageFor(served, owner, { variants, ...options })

let addresses = 0
async function ask(query: Record<string, string>, init: RequestInit & { from?: string } = {}) {
  addresses += 1
  const { from = `203.0.${addresses >> 8}.${addresses & 255}`, ...rest } = init
  const headers = { 'x-forwarded-for': from, ...rest.headers }
  const res = await fetch(`${served.origin}/api/oembed?${new URLSearchParams(query)}`, { ...rest, headers })
  const text = await res.text()
  return { status: res.status, headers: res.headers, body: text === '' ? null : JSON.parse(text) }
}
const status = async (url: string) => (await ask({ url })).status

const page = (slug: string) => `${served.origin}/image/${slug}`
async function share(images: readonly { readonly id: string }[], settings: object = {}) {
  const target = { images: images.map(({ id }) => id) }
  return served.as(owner).share.create({ target, ...settings })
}

describe('oEmbed', () => {
  test('describes an image as a photo, as large as the program wants', async () => {
    const { slug, url } = await store({ title: 'Boats' })
    const facts = { version: '1.0', title: 'Boats', provider_name: 'Harbour', provider_url: served.origin }
    const whole = await ask({ url: page(slug), format: 'json' })
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(whole.body).toEqual({ type: 'photo', ...facts, url: `${url}?w=1600`, width: 1600, height: 1067 })
    const small = await ask({ url: page(slug), maxwidth: '900', maxheight: '700' })
    expect(small.body).toMatchObject({ url: `${url}?w=800`, width: 800, height: 533 })
    expect(await (await fetch(small.body.url)).text()).toBe('medium')
    expect((await ask({ url: page(slug) }, { method: 'HEAD' })).status).toBe(200)
  })

  test('names the owner only by a display name, and never the file', async () => {
    const person = await served.person()
    const { slug } = await storeImageFor(served, person, { variants, filename: 'secret-name.png', title: 'Quay' })
    const before = JSON.stringify((await ask({ url: page(slug) })).body)
    expect(before).not.toMatch(/author|secret-name/)
    expect(before).not.toContain(person.viewer.username)
    await served.as(person).account.setDisplayName({ displayName: 'Ann Lee' })
    expect((await ask({ url: page(slug) })).body).toMatchObject({ author_name: 'Ann Lee' })
  })

  test('describes an album by its cover, and by nothing that is private', async () => {
    const [hidden, shown] = [await store({ visibility: 'private' }), await store()]
    const { album } = served.as(owner)
    const { id, url } = await album.create({ title: 'Summer', visibility: 'link' })
    await album.add({ id, images: [hidden.id, shown.id] })
    expect((await ask({ url })).body).toEqual({
      ...{ type: 'link', version: '1.0', title: 'Summer', provider_name: 'Harbour', provider_url: served.origin },
      ...{ thumbnail_url: `${shown.url}?w=1600`, thumbnail_width: 1600, thumbnail_height: 1067 },
    })
    await album.update({ id, visibility: 'private' })
    expect(await status(url)).toBe(404)
  })

  test('describes a share of private images, by addresses of the share, without a visit or a view', async () => {
    const [one, two] = [await store({ visibility: 'private', title: 'One' }), await store({ visibility: 'private' })]
    const { id, url } = await share([one, two], { title: 'Holidays' })
    const whole = await ask({ url }, { headers: { cookie: owner.cookie } })
    expect(whole.body).toMatchObject({ type: 'link', title: 'Holidays', thumbnail_width: 1600 })
    expect(whole.headers.getSetCookie()).toEqual([])
    const single = await ask({ url: `${url}?at=0` })
    expect(single.body).toMatchObject({ type: 'photo', title: 'One', width: 1600, height: 1067 })
    const picture = single.body.url
    expect(picture).toMatch(/\/i\/s\/[\w-]{43}\/[\w-]{22}\.png\?w=1600$/)
    for (const secret of [url.slice(-24), id, one.id, one.slug]) expect(picture).not.toContain(secret)
    expect(await (await fetch(picture)).text()).toBe('large')
    await served.app.sharing.use.flush()
    expect(await served.app.db.share.findUnique({ where: { id }, select: { views: true } })).toEqual({ views: 0 })
    const { days } = await served.as(owner).share.use({ id })
    expect(days.map(({ requests }) => requests)).toEqual([3])
  })

  test('says nothing of a share behind a password or a number of views, and none of it once it has ended', async () => {
    const image = await store()
    const [password, counted] = [await share([image], { password: 'boats' }), await share([image], { maxViews: 3 })]
    const open = await share([image], { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect([await status(password.url), await status(counted.url), await status(open.url)]).toEqual([404, 404, 200])
    await served.as(owner).share.revoke({ id: open.id })
    expect(await status(open.url)).toBe(404)
    expect(await served.app.db.share.count({ where: { views: { gt: 0 } } })).toBe(0)
  })

  test('answers the same for what is private, gone or of another site, and fetches nothing', async () => {
    const [hidden, trashed] = [await store({ visibility: 'private' }), await store({ trashed: true })]
    const shown = await store()
    const asked = vi.spyOn(globalThis, 'fetch')
    const foreign = [
      'https://example.com/image/a',
      'http://169.254.169.254/latest/meta-data',
      `//example.com/image/${shown.slug}`,
      `${served.origin}@example.com/image/${shown.slug}`,
      `${served.origin.replace('://', '://ann@')}/image/${shown.slug}`,
      `${served.origin}.example.com/image/${shown.slug}`,
    ]
    const nothing = [
      ...[
        '',
        'x',
        'javascript:alert(1)',
        `file:///image/${shown.slug}`,
        `${served.origin}/`,
        `${served.origin}/account`,
      ],
      ...[page(hidden.slug), page(trashed.slug), page('a'.repeat(22)), `${page(shown.slug)}/x`, shown.url],
      ...[`${served.origin}/s/${'a'.repeat(24)}`, `${served.origin}/a/${shown.slug}`, `${page(shown.slug)}%00`],
    ]
    const answers = []
    for (const url of [...foreign, ...nothing]) answers.push(await ask({ url }, { headers: { cookie: owner.cookie } }))
    const [first] = answers
    expect(first).toMatchObject({ status: 404, body: { error: 'There is no preview of this address.' } })
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([404, first?.body])
    expect(asked).toHaveBeenCalledTimes(answers.length)
    asked.mockRestore()
  })

  test('ends with its owner: banned, everything until the ban is lifted; deleted, for good', async () => {
    const [root, person] = [await served.person({ role: 'superadmin' }), await served.person()]
    const image = await storeImageFor(served, person, { variants })
    const { url } = await served.as(person).share.create({ target: { images: [image.id] } })
    expect([await status(url), await status(page(image.slug))]).toEqual([200, 200])
    await served.as(root).user.ban({ id: person.viewer.userId })
    expect([await status(url), await status(page(image.slug))]).toEqual([404, 404])
    await served.as(root).user.unban({ id: person.viewer.userId })
    expect(await status(page(image.slug))).toBe(200)
    await served.as(root).user.delete({ id: person.viewer.userId })
    await expect.poll(() => status(page(image.slug))).toBe(404)
  })

  test('refuses other formats, sizes and methods', async () => {
    const { slug } = await store()
    const url = page(slug)
    expect((await ask({ url, format: 'xml' })).status).toBe(501)
    for (const maxwidth of ['0', '-1', '1.5', 'x', '', '1e3', '99999999'])
      expect((await ask({ url, maxwidth })).status).toBe(400)
    const post = await ask({ url }, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('is charged like a look at an image, and a share’s to the share as well', async () => {
    const image = await store()
    const from = '198.51.100.77'
    const left = async (url: string) => (await ask({ url }, { from })).headers.get('ratelimit')
    expect([await left(page(image.slug)), await left('https://example.com/')]).toEqual([
      expect.stringContaining('"view-1h";r=14999'),
      expect.stringContaining('"view-1h";r=14998'),
    ])
    const { url } = await share([image], { limits: { requestsPerHour: 2 } })
    const statuses = [await status(url), await status(url), await status(url)]
    expect(statuses).toEqual([200, 200, 429])
  })
})
