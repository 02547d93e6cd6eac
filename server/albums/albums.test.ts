import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { newSlug } from '#server/images/slug.ts'
import { picture } from '#testing/images/pictures.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let ada: Person
let calls: TestCaller['album']
beforeAll(async () => {
  test = await startApp({ SLUICE_GALLERY: 'on' })
})
afterAll(() => test[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await test.person()
  calls = test.as(ada).album
})

type Options = Parameters<typeof insertBareImage>[2]
const image = async (options: Options = {}, owner = ada) =>
  (await insertBareImage(test.app.db, owner.viewer.userId, options)).id

/** Creates an album with images of these kinds. */
async function albumWith(images: readonly Options[], visibility: 'private' | 'link' | 'public' = 'private') {
  const { id } = await calls.create({ title: 'Summer', visibility })
  const ids: string[] = []
  for (const options of images) ids.push(await image(options))
  if (ids.length > 0) await calls.add({ id, images: ids })
  return { id, ids }
}

const order = async (albumId: string) =>
  (await test.app.db.albumImage.findMany({ where: { albumId }, orderBy: [{ rank: 'asc' }, { imageId: 'asc' }] })).map(
    ({ imageId }) => imageId,
  )

describe('an album', () => {
  it('is private unless its owner says otherwise, and has no images at first', async () => {
    const made = await calls.create({ title: '  Summer\u202E ' })
    expect(made).toMatchObject({ title: 'Summer', description: '', visibility: 'private', order: 'manual', mine: true })
    expect(made).toMatchObject({ count: { count: 0, more: false }, cover: null, coverId: null })
    expect(made.url).toBe(`${test.origin}/a/${made.slug}`)
  })

  it.each([
    ['an empty title', { title: ' \u200E\u0007 ' }],
    ['a title of ten thousand letters', { title: 'x'.repeat(10_000) }],
    ['a title of a million letters', { title: 'x'.repeat(1_000_000) }],
    ['a long description', { title: 'x', description: 'x'.repeat(2_001) }],
    ['a foreign field', { title: 'x', ownerId: crypto.randomUUID() }],
  ])('rejects %s', async (_, input) => {
    await expect(Reflect.apply(calls.create, null, [input])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('takes titles of every script, markup as text, and descriptions of several lines', async () => {
    for (const title of ['夏天', 'صيف', '👩‍👩‍👧', '<script>alert(1)</script>', '0;url=//x.example', 'x'.repeat(200)]) {
      expect((await calls.create({ title, description: 'a\r\nb\u0000\n\n\n\nc' })).title).toBe(title)
    }
    expect((await calls.list({ limit: 1 })).items[0]?.description).toBe('a\nb\n\nc')
  })

  it('gets a new link when it is made private', async () => {
    const { id, slug } = await calls.create({ title: 'x', visibility: 'link' })
    const hidden = await calls.update({ id, visibility: 'private' })
    expect(hidden.slug).not.toBe(slug)
    await calls.update({ id, visibility: 'link' })
    await expect(test.as(null).album.get({ slug })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await test.as(null).album.get({ slug: hidden.slug })).id).toBe(id)
  })

  it('refuses a title that replaces another than the one seen', async () => {
    const { id } = await calls.create({ title: 'a' })
    await calls.update({ id, title: 'b', seenTitle: 'a' })
    await expect(calls.update({ id, title: 'c', seenTitle: 'a' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await calls.update({ id, title: 'b', seenTitle: 'a' })).toMatchObject({ title: 'b' })
  })

  it('can be deleted, which deletes no image, and restored', async () => {
    const { id, ids } = await albumWith([{}, {}])
    await calls.delete({ id })
    await expect(calls.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await calls.list({})).items.map((item) => item.id)).not.toContain(id)
    expect(await test.app.db.image.count({ where: { id: { in: ids } } })).toBe(2)
    expect(await calls.restore({ id })).toMatchObject({ id, count: { count: 2 } })
    expect(await order(id)).toEqual(ids)
  })

  it('is listed by the last change, by title and by image', async () => {
    const [first, second] = [await albumWith([{}]), await calls.create({ title: '100% Winter' })]
    await calls.update({ id: first.id, description: 'x' })
    expect((await calls.list({})).items.map(({ id }) => id)).toEqual([first.id, second.id])
    const page = await calls.list({ limit: 1 })
    expect((await calls.list({ cursor: page.nextCursor ?? '' })).items.map(({ id }) => id)).toEqual([second.id])
    const third = await calls.create({ title: 'Spring' })
    const start = await calls.list({ limit: 1 })
    const middle = await calls.list({ limit: 1, previous: true, cursor: start.nextCursor ?? '' })
    const end = await calls.list({ limit: 1, previous: true, cursor: middle.nextCursor ?? '' })
    expect([start, middle, end].map(({ items }) => items[0]?.id)).toEqual([third.id, first.id, second.id])
    expect([middle.previousCursor, end.previousCursor]).toEqual([null, start.nextCursor])
    expect((await calls.list({ text: '% wint' })).items.map(({ id }) => id)).toEqual([second.id])
    expect((await calls.list({ text: '_' })).items).toEqual([])
    const kitchen = await calls.create({ title: 'Küche & Straße' })
    for (const text of ['küche', 'KUCHE', 'che & strasse']) {
      expect((await calls.list({ text })).items.map(({ id }) => id)).toEqual([kitchen.id])
    }
    expect((await calls.list({ image: first.ids[0] ?? '' })).items.map(({ id }) => id)).toEqual([first.id])
    await expect(calls.list({ cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('is in the gallery if it is public', async () => {
    const made = await Promise.all(
      (['private', 'link', 'public'] as const).map((visibility) => calls.create({ title: 'x', visibility })),
    )
    const ids = new Set(made.map(({ id }) => id))
    const seen = async (person: Person | null, scope?: 'all') =>
      (await test.as(person).album.list({ ...(scope && { scope }), limit: 100 })).items.filter(({ id }) => ids.has(id))
    expect((await seen(null)).map(({ visibility }) => visibility)).toEqual(['public'])
    expect(await seen(await test.person())).toEqual([])
    expect((await seen(await test.person({ role: 'admin' }), 'all')).map((each) => each.visibility)).toEqual(['public'])
    expect(await seen(await test.person({ role: 'superadmin' }), 'all')).toHaveLength(3)
  })
})

describe('images of an album', () => {
  it('are added at its end, each answered by itself, and may be in several', async () => {
    const [{ id, ids }, second] = [await albumWith([{}, {}]), await albumWith([])]
    const stranger = await test.person()
    const [own, link, hidden] = [
      await image(),
      await image({ visibility: 'link' }, stranger),
      await image({ visibility: 'private' }, stranger),
    ]
    const missing = crypto.randomUUID()
    const { items } = await calls.add({ id, images: [own, ids[0] ?? '', link, hidden, missing] })
    expect(items.map((item) => [item.outcome, 'changed' in item && item.changed])).toEqual([
      ['done', true],
      ['done', false],
      ['forbidden', false],
      ['not-found', false],
      ['not-found', false],
    ])
    expect(await order(id)).toEqual([...ids, own])
    await calls.add({ id: second.id, images: [own] })
    expect((await calls.list({ image: own })).items).toHaveLength(2)
  })

  it('come back to their places when their removal is undone', async () => {
    const { id, ids } = await albumWith([{}, {}, {}, {}])
    const images = [ids[2] ?? '', ids[0] ?? '']
    const { items } = await calls.remove({ id, images })
    expect(await order(id)).toEqual([ids[1], ids[3]])
    const ranks = items.flatMap((item) => (item.outcome === 'done' && item.rank) || [])
    await calls.add({ id, images, ranks })
    expect(await order(id)).toEqual(ids)
    for (const bad of [['a0'], ['a0', ''], ['a0', '😀'], ['a0', 'a0\u0000'], ['a0', 'z'.repeat(300)]]) {
      await expect(calls.add({ id, images, ranks: bad })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
    expect((await calls.remove({ id, images: [crypto.randomUUID()] })).items).toMatchObject([{ outcome: 'not-found' }])
  })

  it('are moved before or after another, to the beginning and to the end', async () => {
    const { id, ids } = await albumWith([{}, {}, {}, {}])
    const [a = '', b = '', c = '', d = ''] = ids
    await calls.move({ id, images: [d, c], before: b })
    expect(await order(id)).toEqual([a, d, c, b])
    await calls.move({ id, images: [a], after: c })
    expect(await order(id)).toEqual([d, c, a, b])
    await calls.move({ id, images: [b, a], after: null })
    expect(await order(id)).toEqual([b, a, d, c])
    await calls.move({ id, images: [b], before: null })
    expect(await order(id)).toEqual([a, d, c, b])
    for (const place of [{ before: crypto.randomUUID() }, { after: a }]) {
      await expect(calls.move({ id, images: [a], ...place })).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    expect((await calls.move({ id, images: [crypto.randomUUID(), a], after: d })).items).toMatchObject([
      { outcome: 'not-found' },
      { outcome: 'done' },
    ])
    const both = { id, images: [a], before: b, after: b }
    await expect(Reflect.apply(calls.move, null, [both])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('keep their order through equal ranks', async () => {
    const { id, ids } = await albumWith([{}, {}, {}])
    await test.app.db.albumImage.updateMany({ where: { albumId: id }, data: { rank: 'a1' } })
    const [a = '', b = '', c = ''] = ids.toSorted()
    await calls.move({ id, images: [c], after: a })
    expect(await order(id)).toEqual([a, c, b])
  })

  it('are ranked afresh before ranks grow too long for the database', async () => {
    const { id, ids } = await albumWith([{}, {}, {}])
    const [a = '', b = '', c = ''] = ids
    await test.app.db.albumImage.update({
      where: { albumId_imageId: { albumId: id, imageId: b } },
      data: { rank: `a0${'0'.repeat(199)}1` },
    })
    await calls.move({ id, images: [c], before: b })
    expect(await order(id)).toEqual([a, c, b])
    const ranks = await test.app.db.albumImage.findMany({ where: { albumId: id }, select: { rank: true } })
    expect(Math.max(...ranks.map(({ rank }) => rank.length))).toBeLessThan(5)
  })

  it('are charged by their number, all or none', async () => {
    const { id } = await albumWith([])
    const images = Array.from({ length: 100 }, () => crypto.randomUUID())
    // What the call itself was told: permits come back from then on.
    const obtain = vi.spyOn(test.app.limiter, 'obtain')
    await calls.add({ id, images })
    const permits = await Promise.all(obtain.mock.results.map(({ value }) => value))
    obtain.mockRestore()
    const rules = permits.flatMap(({ decision }) => decision.rules)
    expect(rules.find(({ policy }) => policy === 'album-images-1h')).toMatchObject({ limit: 20_000, remaining: 19_900 })
    await expect(calls.add({ id, images: [...images, crypto.randomUUID()] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
    await expect(calls.add({ id, images: [images[0] ?? '', images[0] ?? ''] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })

  it('leave it for the trash, come back when restored, and leave for good when purged', async () => {
    const { id, ids } = await albumWith([{}, {}])
    const [a = '', b = ''] = ids
    await calls.update({ id, coverId: a })
    await test.as(ada).image.delete({ id: a })
    expect(await calls.get({ id })).toMatchObject({ count: { count: 1 }, cover: { id: b }, coverId: a })
    await test.as(ada).image.restore({ id: a })
    expect(await calls.get({ id })).toMatchObject({ count: { count: 2 }, cover: { id: a } })
    await test.as(ada).image.delete({ id: a })
    await test.as(ada).image.purge({ id: a })
    expect(await calls.get({ id })).toMatchObject({ count: { count: 1 }, coverId: null })
    expect(await order(id)).toEqual([b])
  })

  it('are seen by others as far as their own visibility allows, and no further', async () => {
    const { id, ids } = await albumWith([{ visibility: 'private' }, { visibility: 'link' }, { visibility: 'public' }])
    for (const visibility of ['link', 'public'] as const) {
      expect(await calls.update({ id, visibility })).toMatchObject({
        count: { count: 3 },
        cover: { id: ids[0] },
        hidden: { count: 1, more: false },
      })
      for (const person of [null, await test.person(), await test.person({ role: 'admin' })]) {
        const seen = await test.as(person).album.get({ id })
        expect(seen).toMatchObject({ count: { count: 2 }, cover: { id: ids[1] }, hidden: null, coverId: null })
        expect(JSON.stringify(seen)).not.toContain(ids[0])
      }
    }
    expect(await calls.update({ id, visibility: 'private' })).toMatchObject({ hidden: { count: 0 } })
    expect(await test.app.db.image.count({ where: { id: { in: ids }, visibility: 'private' } })).toBe(1)
  })

  it('may be its cover only while they are in it', async () => {
    const { id, ids } = await albumWith([{}, {}])
    const coverId = ids[1] ?? ''
    expect(await calls.update({ id, coverId })).toMatchObject({ cover: { id: coverId }, coverId })
    await calls.remove({ id, images: [coverId] })
    expect(await calls.get({ id })).toMatchObject({ cover: { id: ids[0] }, coverId: null })
    await expect(calls.update({ id, coverId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await calls.update({ id, coverId: null })).toMatchObject({ coverId: null })
  })
})

describe('the images of an album', () => {
  const list = async (person: Person | null, id: string, limit = 2) => {
    const ids: string[] = []
    const starts: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await test.as(person).album.images({ id, limit, previous: true, ...(cursor && { cursor }) })
      ids.push(...page.items.map((item) => item.id))
      expect(page.previousCursor).toBe(starts.at(-2) ?? null)
      cursor = page.nextCursor
      if (cursor) starts.push(cursor)
    }
    return ids
  }

  it('are listed page by page in the order of the album', async () => {
    const { id, ids } = await albumWith([{}, {}, {}, {}, {}])
    await calls.move({ id, images: [ids[4] ?? ''], after: null })
    for (const [at, image] of ids.entries()) {
      await test.app.db.image.update({ where: { id: image }, data: { createdAt: new Date(1_000 * (at % 3)) } })
    }
    expect(await list(ada, id)).toEqual([ids[4], ...ids.slice(0, 4)])
    const byTime = (order: 'newest' | 'oldest') => calls.update({ id, order })
    await byTime('oldest')
    const oldest = await list(ada, id)
    expect(oldest.map((image) => ids.indexOf(image) % 3)).toEqual([0, 0, 1, 1, 2])
    await byTime('newest')
    expect(await list(ada, id)).toEqual(oldest.toReversed())
  })

  it('are listed as far as the viewer may see them', async () => {
    const { id, ids } = await albumWith(
      [{ visibility: 'private' }, { visibility: 'link' }, { trashed: true }, {}],
      'link',
    )
    expect(await list(ada, id, 1)).toEqual([ids[0], ids[1], ids[3]])
    for (const person of [null, await test.person(), await test.person({ role: 'admin' })]) {
      expect(await list(person, id, 1)).toEqual([ids[1], ids[3]])
    }
    expect(await list(await test.person({ role: 'superadmin' }), id)).toHaveLength(3)
  })

  it('refuse a cursor of another order, and one that is none', async () => {
    const { id } = await albumWith([{}, {}, {}])
    const { nextCursor } = await calls.images({ id, limit: 1 })
    await calls.update({ id, order: 'newest' })
    await expect(calls.images({ id, cursor: nextCursor ?? '' })).rejects.toMatchObject({ code: 'CONFLICT' })
    const written = (text: string) => Buffer.from(text).toString('base64url')
    const uuid = crypto.randomUUID()
    for (const cursor of ['x', written(`manual a0\0 ${uuid}`), written(`newest a0 ${uuid}`), written('manual a0 x')]) {
      await expect(calls.images({ id, cursor })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })

  it('are downloaded as zips of at most a hundred, without what the viewer may not see', async () => {
    const { id, ids } = await albumWith([{ visibility: 'private' }, { visibility: 'link' }], 'link')
    const open = (url: string) => test.app.images.zipLinks.open(new URL(url).searchParams.get('link') ?? '')?.ids
    const own = await calls.zip({ id })
    expect([own.images, own.next, open(own.url)]).toEqual([2, null, ids])
    const theirs = await test.as(await test.person()).album.zip({ id })
    expect(open(theirs.url)).toEqual([ids[1]])
    expect(open((await test.as(null).album.zip({ id })).url)).toEqual([ids[1]])
    expect((await calls.zip({ id, limit: 1 })).images).toBe(1)
    const more = await Promise.all(Array.from({ length: 100 }, () => image()))
    await calls.add({ id, images: more })
    const first = await calls.zip({ id })
    const second = await calls.zip({ id, after: first.next ?? '' })
    expect([first.images, second.images, second.next]).toEqual([100, 2, null])
  })
})

describe('an upload into an album', () => {
  const send = async (seed: number, headers: Record<string, string>) =>
    fetch(`${test.origin}/api/trpc/image.upload`, {
      method: 'POST',
      headers: { cookie: ada.cookie, 'content-type': 'application/octet-stream', ...headers },
      body: new Uint8Array(await picture({ format: 'png', width: 8, height: 8, seed })),
    })

  it('adds the image to it', async () => {
    const { id } = await albumWith([{}])
    const answer = await send(1, { 'x-album': id })
    const { result } = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) }).parse(await answer.json())
    expect((await order(id)).at(-1)).toBe(result.data.id)
  })

  it('is refused unless the sender may change the album', async () => {
    const { id } = await test.as(await test.person()).album.create({ title: 'x', visibility: 'link' })
    const secret = await test.as(await test.person()).album.create({ title: 'x' })
    const statuses = []
    for (const album of [id, secret.id, crypto.randomUUID(), 'x'])
      statuses.push((await send(2, { 'x-album': album })).status)
    expect(statuses).toEqual([403, 404, 404, 404])
    expect(await test.app.db.image.count({ where: { ownerId: ada.viewer.userId } })).toBe(0)
  })
})

describe('an album of another', () => {
  it('that is hidden answers as one that does not exist, whatever is asked', async () => {
    const { id, slug } = await calls.create({ title: 'x' })
    const stranger = test.as(await test.person()).album
    const asked = (id: string, slug: string) =>
      Promise.all(
        [
          stranger.get({ id }),
          stranger.get({ slug }),
          stranger.update({ id, title: 'y' }),
          stranger.delete({ id }),
          stranger.restore({ id }),
          stranger.add({ id, images: [crypto.randomUUID()] }),
          stranger.remove({ id, images: [crypto.randomUUID()] }),
          stranger.move({ id, images: [crypto.randomUUID()], before: null }),
        ].map((call) =>
          call.then(
            () => 'done',
            (error) => [error.code, error.message],
          ),
        ),
      )
    const answers = await asked(id, slug)
    expect(answers).toEqual(await asked(crypto.randomUUID(), newSlug()))
    expect(answers).toEqual(answers.map(() => ['NOT_FOUND', 'Album not found.']))
  })

  it('can be hidden by admins, within the limits of moderation, and not changed otherwise', async () => {
    const admin = test.as(await test.person({ role: 'admin' })).album
    const make = async () => (await calls.create({ title: 'x', visibility: 'public' })).id
    const id = await make()
    for (const change of [{ title: 'y' }, { visibility: 'private', title: 'y' }, { visibility: 'link' }] as const) {
      await expect(admin.update({ id, ...change })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    for (let hidden = 0; hidden < 10; hidden += 1) await admin.update({ id: await make(), visibility: 'private' })
    await expect(admin.update({ id, visibility: 'private' })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await calls.get({ id })).toMatchObject({ visibility: 'public' })
  })
})
