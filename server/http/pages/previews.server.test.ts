import { extract } from '@extractus/oembed-extractor'
import readGraph, { type ReadGraph } from 'open-graph-scraper'
import { unfurl } from 'unfurl.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Database, openDatabase } from '#server/database/database.ts'
import { signedIn } from '#testing/accounts/signed-in.ts'
import { landscape } from '#testing/images/landscape.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'
import { makeOwner } from '#testing/storage/storage-pieces.ts'

/* Previews as chat programs read them: by a DOM (open-graph-scraper), by a stream of tags that follows the link to oEmbed (unfurl.js),
   by an oEmbed consumer, and from the head alone. */

const SECRET = 'a secret of the site, 32 or more of it'
const SITE = 'Harbour & "Sons" <b>'

const ended = new AsyncDisposableStack()
let sluice: SluiceServer
let db: Database['db']
let cookie: string
beforeAll(async () => {
  const databaseUrl = await createPostgresDatabase()
  const env = {
    ...{ DATABASE_URL: databaseUrl, SLUICE_SECRET: SECRET, SLUICE_NAME: SITE, SLUICE_INDEXING: 'on' },
    SLUICE_LOG: 'info',
  }
  sluice = ended.use(await startSluiceServer({ env }))
  const database = await openDatabase({ dataDir: sluice.dataDir, databaseUrl })
  ended.defer(() => database.close())
  db = database.db
  cookie = (await signedIn(db, { origin: sluice.origin, secret: SECRET }, {})).cookie
})
afterAll(() => ended.disposeAsync())

const uploaded = z.object({ id: z.string(), slug: z.string() })
const linked = z.object({ id: z.string(), url: z.string() })

async function call<Data>(schema: z.ZodType<Data>, procedure: string, body: BodyInit, headers: Record<string, string>) {
  const answer = await fetch(`${sluice.origin}/api/trpc/${procedure}`, {
    method: 'POST',
    headers: { cookie, ...headers },
    body,
  })
  return z.object({ result: z.object({ data: schema }) }).parse(await answer.json()).result.data
}
const post = <Data>(schema: z.ZodType<Data>, procedure: string, input: object) =>
  call(schema, procedure, JSON.stringify(input), { 'content-type': 'application/json' })

let seed = 0
/** Uploads a photograph of 1,700 × 200 pixels, and waits for its variants. */
async function upload(visibility: string, text: { title?: string; description?: string } = {}) {
  const headers = {
    'content-type': 'application/octet-stream',
    'x-file-name': 'secret-name.jpg',
    'x-visibility': visibility,
  }
  const picture = new Uint8Array(await landscape(seed++, { width: 1700, height: 200 }))
  const image = await call(uploaded, 'image.upload', picture, headers)
  if (Object.keys(text).length > 0) await post(uploaded, 'image.update', { id: image.id, ...text })
  const { sha256 } = await db.image.findUniqueOrThrow({ where: { id: image.id }, select: { sha256: true } })
  const isDue = async () => (await db.storedObject.findUnique({ where: { sha256 } }))?.variantsDue
  await expect.poll(isDue, { timeout: 30_000 }).toBe(false)
  return {
    ...image,
    page: `${sluice.origin}/image/${image.slug}`,
    picture: `${sluice.origin}/i/${image.slug}.jpg?w=1600`,
  }
}
const share = (ids: readonly string[], settings: object = {}) =>
  post(linked, 'share.create', { target: { images: ids }, ...settings })

/** Reads a page up to the end of its head, and leaves. */
async function readHead(url: string): Promise<string> {
  const answer = await fetch(url)
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString()
    const end = text.indexOf('</head>')
    if (end >= 0) return text.slice(0, end)
  }
  throw new Error('a page has a head')
}

const graphOf = async (url: string): Promise<ReadGraph> => (await readGraph({ html: await readHead(url) })).result

const SIZE = { width: 1600, height: 188 }
const HOSTILE =
  '"><script>alert(1)</script>\'-->]]>\u202e</title><meta http-equiv="refresh" content="0;url=//x"> AT&T {{7*7}}'
/** Without the direction mark, which would turn the rest around. */
const SHOWN = HOSTILE.replace('\u202e', '')

test.each([
  ['a plain title', 'Boats at the quay', 'Boats at the quay'],
  ['a hostile title', HOSTILE, SHOWN],
])('%s of an image is read as it is by three programs', async (_, title, shown) => {
  const { page, picture } = await upload('public', { title, description: `${title}\n\nsecond line` })
  const about = `${shown} second line`

  const graph = await graphOf(page)
  expect(graph).toMatchObject({
    ...{ ogTitle: shown, ogDescription: about, ogSiteName: SITE, ogUrl: page },
    ogImage: [{ url: picture, width: '1600', height: '188', type: 'image/webp' }],
    ...{ twitterCard: 'summary_large_image', twitterTitle: shown, twitterImage: [{ url: picture, alt: shown }] },
  })

  const streamed = await unfurl(page)
  expect(streamed).toMatchObject({
    ...{ title: `${shown} · ${SITE}`, description: about, canonical_url: page },
    open_graph: { title: shown, description: about, site_name: SITE, images: [{ url: picture, ...SIZE }] },
    twitter_card: { card: 'summary_large_image', title: shown },
    oEmbed: { type: 'photo', title: shown, url: picture },
  })

  expect(await extract(page)).toEqual({
    ...{ type: 'photo', version: '1.0', title: shown, provider_name: SITE, provider_url: sluice.origin },
    ...{ url: picture, ...SIZE, method: 'auto-discovery' },
  })
  expect(await extract(page, { maxwidth: '500', maxheight: '500' })).toMatchObject({ width: 400, height: 47 })

  const head = await readHead(page)
  expect(head).not.toMatch(/secret-name|<script>alert|http-equiv="refresh"/)
  expect(head).not.toContain('\u202e')
  expect((await fetch(picture)).headers.get('content-type')).toBe('image/webp')
})

test('titles and descriptions of 10,000 letters are refused, and a long description is shortened', async () => {
  const { id, page } = await upload('public')
  for (const field of ['title', 'description']) {
    const body = JSON.stringify({ id, [field]: 'x'.repeat(10_000) })
    const headers = { cookie, 'content-type': 'application/json' }
    const answer = await fetch(`${sluice.origin}/api/trpc/image.update`, { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
  }
  await post(uploaded, 'image.update', { id, description: 'x'.repeat(2_000) })
  expect((await graphOf(page)).ogDescription).toBe(`${'x'.repeat(299)}…`)
})

describe('search engines', () => {
  test('may list what is public, under one address', async () => {
    const { page, slug } = await upload('public')
    const head = await readHead(`${page}?from=somewhere`)
    expect(head).toContain(`<link rel="canonical" href="${sluice.origin}/image/${slug}"/>`)
    expect(head).not.toContain('noindex')
  })

  test('list no links: unlisted images and shares, which still have previews', async () => {
    const { id, page, picture } = await upload('link', { title: 'Boats' })
    const { url } = await share([id])
    for (const address of [page, url]) {
      const head = await readHead(address)
      expect(head).toMatch(/<meta name="robots" content="noindex[^>]*>/)
      expect(head).not.toContain('rel="canonical"')
    }
    expect((await graphOf(page)).ogImage).toMatchObject([{ url: picture }])
    expect((await fetch(url)).headers.get('x-robots-tag')).toBe('noindex, nofollow')
  })
})

test('a private image has no preview, for its owner either; a share of it does, at addresses of the share', async () => {
  const { id, slug, page } = await upload('private', { title: HOSTILE, description: 'At dawn' })
  const own = await fetch(page, { headers: { cookie } })
  expect([own.status, (await fetch(page)).status]).toEqual([200, 404])
  expect(await own.text()).not.toMatch(/og:|twitter:|oembed/)

  const { url } = await share([id])
  const token = url.slice(-24)
  const graph = await graphOf(url)
  expect(graph).toMatchObject({ ogTitle: SHOWN, ogDescription: 'At dawn', ogSiteName: SITE })
  const [picture] = graph.ogImage ?? []
  expect(picture).toMatchObject({ width: '1600', height: '188', type: 'image/webp' })
  for (const secret of [token, id, slug]) expect(picture?.url).not.toContain(secret)
  const bytes = await fetch(picture?.url ?? '')
  expect([bytes.status, bytes.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  expect(await unfurl(url)).toMatchObject({ oEmbed: { type: 'photo', title: SHOWN, url: picture?.url } })
  expect(await extract(url)).toMatchObject({ type: 'photo', ...SIZE })
  expect((await fetch(url)).headers.get('referrer-policy')).toBe('no-referrer')
  expect(sluice.logs.filter((line) => line.includes(token))).toEqual([])
})

test('several shared images are previewed by the first, and one of them by itself', async () => {
  const [one, two] = [await upload('private', { title: 'One' }), await upload('private', { title: 'Two' })]
  const { url } = await share([one.id, two.id], { title: 'Holidays', showsTitles: false })
  expect(await graphOf(url)).toMatchObject({ ogTitle: 'Holidays', ogImage: [{ type: 'image/webp' }] })
  expect((await graphOf(`${url}?at=1`)).ogTitle).toBe('Holidays')
  expect(await extract(url)).toMatchObject({ type: 'link', title: 'Holidays', thumbnail_width: 1600 })
  expect(JSON.stringify(await extract(`${url}?at=1`))).not.toContain('Two')
})

test.each([
  ['a password', { password: 'boats' }],
  ['a number of views', { maxViews: 1 }],
])('a share behind %s says nothing of itself, and reading its page takes no view', async (_, settings) => {
  const { id } = await upload('public', { title: 'Boats', description: 'At dawn' })
  const { id: shareId, url } = await share([id], { title: 'Holidays', ...settings })
  const answer = await fetch(url)
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
  expect(await answer.text()).not.toMatch(/og:|twitter:|oembed|Boats|Holidays|At dawn|\/i\//)
  expect((await unfurl(url)).description).toBe(undefined)
  await expect(extract(url)).rejects.toThrow('No oEmbed link found')
  expect(await db.share.findUnique({ where: { id: shareId }, select: { views: true } })).toEqual({ views: 0 })
})

test('a banned owner’s image, and another’s album by such a cover, have no picture in the head of their pages', async () => {
  const { id, slug, page, picture } = await upload('public', { title: 'Boats' })
  const { id: albumId, url } = await post(linked, 'album.create', { title: 'Harbour', visibility: 'public' })
  await post(z.unknown(), 'album.add', { id: albumId, images: [id] })
  const { url: shared } = await post(linked, 'share.create', { target: { album: albumId } })
  const pictured = async () => {
    const graphs = await Promise.all([page, url, shared].map(graphOf))
    return graphs.map(({ ogImage }) => ogImage?.[0]?.url.replace(/.*(?=\/i\/)/, '').replace(/s\/.*/, 's/…') ?? null)
  }
  const address = new URL(picture)
  expect(await pictured()).toEqual([address.pathname + address.search, address.pathname + address.search, '/i/s/…'])
  // The image becomes one of somebody who is banned; the album and the share stay with their owner.
  const banned = await makeOwner(db)
  await db.image.update({ where: { id }, data: { ownerId: banned } })
  expect(await pictured()).toEqual([address.pathname + address.search, address.pathname + address.search, '/i/s/…'])
  await db.user.update({ where: { id: banned }, data: { bannedAt: new Date() } })
  expect(await pictured()).toEqual([null, null, null])
  const head = await readHead(page)
  expect(head).not.toMatch(/og:|twitter:|oembed/)
  expect(head).toContain('Boats')
  expect((await fetch(`${sluice.origin}/image/${slug}`)).status).toBe(200)
})

test('an album is previewed by its cover', async () => {
  const { id: image, picture } = await upload('link')
  const { id, url } = await post(linked, 'album.create', { title: HOSTILE, visibility: 'public' })
  await post(z.unknown(), 'album.add', { id, images: [image] })
  expect(await graphOf(url)).toMatchObject({ ogTitle: SHOWN, ogUrl: url, ogImage: [{ url: picture, width: '1600' }] })
  expect(await unfurl(url)).toMatchObject({ canonical_url: url, oEmbed: { type: 'link', title: SHOWN } })
})
