import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { readShapes } from '#format/shapes.ts'
import type { imageQuery } from '#server/images/listing/query.ts'
import type { Person, TestApp } from '../sluice/sluice-app.ts'
import { insertListed, type ListedImage } from './listed-images.ts'

type ListInput = NonNullable<Parameters<ReturnType<TestApp['as']>['image']['list']>[0]>

/** Text without what makes no difference to a search. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ł', 'l')

const titles = [
  'Sunset at the harbour',
  'SUNSET 2',
  'Sunset 10',
  'Émile à la plage',
  '海边的照片',
  '照片 2026',
  '上海',
  'straße',
  'Ｆｕｌｌ width',
  '100% of_it \\ all',
  'Anna\'s "cat" & dog | fish:*',
  'Ελλάδα',
  'Москва',
  'a',
  'æther Łódź',
  '',
  'x'.repeat(200),
  'ﬁnal ½',
  'emoji 🏖️ beach',
]
const tagNames = ['holiday', 'Küche', '旅行', 'cat']
const albumNames = ['Summer 2025', '家庭']

const images: readonly ListedImage[] = Array.from({ length: 60 }, (_, n) => ({
  title: titles[n % titles.length] ?? '',
  description: n % 7 === 0 ? `Line one\nsecond LINE ${n}` : '',
  filename: `IMG_${n}.png`,
  tags: tagNames.filter((_name, at) => (n + at) % 9 === 0),
  albums: albumNames.filter((_name, at) => (n + at) % 11 === 0),
  mime: n % 5 === 0 ? 'image/gif' : 'image/png',
  frames: n % 10 === 0 ? 3 : 1,
  width: 10 + ((n * 7) % 20),
  height: 20,
  size: n % 6 === 0 ? 20_000_000 - n : n % 3 === 0 ? 2_000_000 + n : 1_000 + (n % 4),
  visibility: (['private', 'link', 'public'] as const)[n % 3] ?? 'link',
  createdAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 2) * 3)),
  takenAt: n % 2 === 0 ? new Date(Date.UTC(1960 + n, 5, 1)) : null,
}))

const textOf = ({ title, description, filename, tags = [], albums = [] }: ListedImage): string =>
  [title, description, filename, ...tags, ...albums].map((part) => fold(part ?? '')).join('\n')

/** What a list of images must have, tested on any database. */
export function testListing(open: () => Promise<TestApp>): void {
  let served: TestApp
  let owner: Person
  let ids: readonly string[]
  beforeAll(async () => {
    served = await open()
    owner = await served.person({ role: 'superadmin' })
    const stranger = await served.person()
    ids = await insertListed(served, owner.viewer.userId, images)
    await insertListed(served, stranger.viewer.userId, images.slice(0, 20))
  })
  afterAll(() => served[Symbol.asyncDispose]())

  const list = (input: ListInput) => served.as(owner).image.list({ scope: 'mine', limit: 100, ...input })
  const found = async (input: ListInput) => (await list(input)).items.map(({ id }) => ids.indexOf(id))
  const matching = (holds: (image: ListedImage, at: number) => boolean) =>
    images.flatMap((image, at) => (holds(image, at) ? [at] : []))
  const sorted = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)

  test('a search finds exactly what has every word as part of its text', async () => {
    const corpus = [...titles, ...tagNames, ...albumNames, 'IMG_1', 'second LINE 7', 'none']
    const word = fc.constantFrom(...corpus).chain((text) => {
      const letters = [...text]
      return fc
        .tuple(fc.nat(Math.max(0, letters.length - 1)), fc.integer({ min: 1, max: 8 }), fc.boolean())
        .map(([at, length, loud]) => {
          const part = letters.slice(at, at + length).join('')
          return loud ? part.toUpperCase() : part
        })
    })
    const texts = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const words = fold(text).split(/\s+/).filter(Boolean)
        const expected = matching((image) => words.every((each) => textOf(image).includes(each)))
        expect(sorted(await found({ query: { text } }))).toEqual(expected)
        const count = await served.as(owner).image.count({ scope: 'mine', query: { text } })
        expect(count).toEqual({ count: expected.length, more: false })
      }),
      { numRuns: 60 },
    )
  })

  test.each<[string, z.input<typeof imageQuery>, (image: ListedImage, at: number) => boolean]>([
    ['type', { type: 'gif' }, ({ mime }) => mime === 'image/gif'],
    ['visibility', { visibility: 'private' }, ({ visibility }) => visibility === 'private'],
    ['shape', { shape: 'portrait' }, ({ width = 0 }) => 200 > width * 11],
    ['a square', { shape: 'square' }, ({ width = 0 }) => width * 10 <= 220 && 200 <= width * 11],
    ['size', { size: 'medium' }, ({ size = 0 }) => size >= 2 ** 20 && size < 10 * 2 ** 20],
    ['animated', { animated: true }, ({ frames }) => frames === 3],
    ['still', { animated: false }, ({ frames }) => frames !== 3],
    ['a tag in any case', { tag: 'KÜCHE' }, ({ tags }) => tags?.includes('Küche') ?? false],
    ['an unknown tag', { tag: 'nothing' }, () => false],
    [
      'text and type',
      { text: 'sunset', type: 'png' },
      ({ title = '', mime }) => /sunset/i.test(title) && mime === 'image/png',
    ],
    ['days', { from: '2026-01-04', to: '2026-01-07' }, (_, at) => at >= 2 && at < 6],
    ['an instant', { from: '2026-01-04T00:00:00Z', to: '2026-01-07T00:00:00+00:00' }, (_, at) => at >= 2 && at < 4],
    ['blank text', { text: '  \u3000 ' }, () => true],
    ['accents alone', { text: '\u0301' }, () => true],
  ])('a list is narrowed by %s', async (_, query, holds) => {
    expect(sorted(await found({ query }))).toEqual(matching(holds))
  })

  test('favourites are the viewer’s own', async () => {
    const id = ids[4] ?? ''
    await served.as(owner).image.favourite({ id, favourite: true })
    expect(await found({ query: { favourite: true } })).toEqual([4])
    expect(await found({ query: { favourite: false, text: 'IMG_4.png' } })).toEqual([])
  })

  test.each<ListInput>([
    {},
    { sort: 'oldest' },
    { by: 'taken' },
    { by: 'taken', sort: 'oldest' },
    { sort: 'title' },
    { sort: 'largest' },
    { sort: 'title', query: { text: 'IMG' } },
    { sort: 'largest', query: { type: 'png' } },
    { by: 'taken', query: { visibility: 'link' } },
  ])('pages in the order %j have every image once', async (input) => {
    const whole = await found(input)
    const pages: number[] = []
    const starts: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ ...input, limit: 7, previous: true, ...(cursor && { cursor }) })
      pages.push(...page.items.map(({ id }) => ids.indexOf(id)))
      expect(page.previousCursor).toBe(starts.at(-2) ?? null)
      cursor = page.nextCursor
      if (cursor) starts.push(cursor)
    } while (cursor)
    expect(pages).toEqual(whole)
    expect(new Set(pages).size).toBe(pages.length)
  })

  test('orders are by date, number in title, and size', async () => {
    const at = (image: ListedImage | undefined) => image?.createdAt?.getTime() ?? 0
    const newest = await found({})
    expect(newest.map((n) => at(images[n]))).toEqual(images.map(at).toSorted((one, other) => other - one))
    const taken = (n: number) => images[n]?.takenAt?.getTime() ?? at(images[n])
    const byTaken = await found({ by: 'taken', sort: 'oldest' })
    expect(byTaken.map(taken)).toEqual(byTaken.map(taken).toSorted((one, other) => one - other))
    const sizes = (await found({ sort: 'largest' })).map((n) => images[n]?.size ?? 0)
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
    const sunsets = await list({ sort: 'title', query: { text: 'sunset' } })
    expect([...new Set(sunsets.items.map(({ title }) => title))]).toEqual([
      'SUNSET 2',
      'Sunset 10',
      'Sunset at the harbour',
    ])
  })

  test('a cursor is only good for the list that it is of', async () => {
    const { nextCursor } = await list({ limit: 5 })
    const cursor = nextCursor ?? ''
    const others: readonly ListInput[] = [
      { sort: 'oldest' },
      { by: 'taken' },
      { query: { text: 'a' } },
      { query: { type: 'png' } },
      { scope: 'all' },
      { trash: true },
    ]
    for (const other of others)
      await expect(list({ ...other, cursor })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('another list'),
      })
    for (const broken of ['', 'x', cursor.slice(0, -2), Buffer.from('["a","b"]').toString('base64url')])
      await expect(list({ cursor: broken })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test.each(['0000', '9999', '+010000', 'x'])(
    'a cursor of the year %s is a bad request or an empty page',
    async (year) => {
      const { nextCursor } = await list({ limit: 1 })
      const [name] = JSON.parse(Buffer.from(nextCursor ?? '', 'base64url').toString())
      const forged = JSON.stringify([name, crypto.randomUUID(), `${year}-01-01T00:00:00.000Z`])
      const answer = list({ sort: 'newest', cursor: Buffer.from(forged).toString('base64url') })
      const outcome = await answer.then(
        ({ items }) => items.length,
        ({ code }) => code,
      )
      expect(outcome).toBe(year === '9999' ? ids.length : 'BAD_REQUEST')
    },
  )

  test('an album is in its own order unless another is asked for', async () => {
    const [title = ''] = albumNames
    const { id: album } = await served.app.db.album.findFirstOrThrow({
      where: { title, ownerId: owner.viewer.userId },
      select: { id: true },
    })
    const inAlbum = matching(({ albums }) => albums?.includes(title) ?? false)
    expect(await found({ query: { album } })).toEqual(inAlbum)
    const page = await list({ query: { album }, limit: 2 })
    const rest = await found({ query: { album }, ...(page.nextCursor && { cursor: page.nextCursor }) })
    expect(rest).toEqual(inAlbum.slice(2))
    expect(await found({ query: { album, text: 'png' }, sort: 'oldest' })).toEqual(inAlbum)
    await served.app.db.album.update({ where: { id: album }, data: { order: 'newest' }, select: { id: true } })
    expect(await found({ query: { album } })).toEqual(inAlbum.toReversed())
  })

  test('what is renamed, removed or added is found as it is now', async () => {
    const { db } = served.app
    const [id = ''] = await insertListed(served, owner.viewer.userId, [
      { title: 'zebra', tags: ['quagga'], albums: ['okapi'] },
    ])
    const finds = async (text: string) => (await list({ query: { text } })).items.some((item) => item.id === id)
    expect([await finds('zebra'), await finds('quag'), await finds('OKAPI')]).toEqual([true, true, true])
    await served.as(owner).tag.rename({ tag: 'quagga', name: 'tapir' })
    await db.album.updateMany({ where: { title: 'okapi' }, data: { title: 'gnu' } })
    await served.as(owner).image.update({ id, title: 'yak', description: 'über den Bergen' })
    expect([await finds('zebra'), await finds('quagga'), await finds('okapi')]).toEqual([false, false, false])
    expect([await finds('yak'), await finds('tapir'), await finds('gnu'), await finds('uber')]).toEqual([
      true,
      true,
      true,
      true,
    ])
    await served.as(owner).tag.remove({ images: [id], tags: ['tapir'] })
    await db.album.deleteMany({ where: { title: 'gnu' } })
    expect([await finds('tapir'), await finds('gnu')]).toEqual([false, false])
    await served.as(owner).tag.add({ images: [id], tags: ['ibex'] })
    expect([await finds('ibex'), await finds('yak')]).toEqual([true, true])
    await db.image.delete({ where: { id } })
  })

  test.each([
    { by: 'uploaded' },
    { by: 'uploaded', sort: 'oldest' },
    { by: 'taken' },
    { query: { text: 'IMG' } },
  ] as const)('the parts of the timeline %j are the pages of the list', async (input) => {
    const { months, total } = await served.as(owner).image.timeline({ scope: 'mine', ...input })
    const whole = (await list({ ...input })).items
    expect(total).toBe(whole.length)
    const parts = months.flatMap((month) => month.parts.map((part) => ({ ...part, month: month.month })))
    const seen: string[] = []
    for (const { cursor, count, shapes, month } of parts) {
      const { items } = await list({ ...input, limit: count, ...(cursor && { cursor }) })
      expect(items).toHaveLength(count)
      const ratios = items.map(({ width, height }) => width / height)
      const errors = readShapes(shapes).map((shape, at) => Math.abs(shape / (ratios[at] ?? 0) - 1))
      expect(errors.filter((error) => error < 0.001)).toHaveLength(count)
      const dates = items.map(
        ({ id, createdAt }) => (input.by === 'taken' && images[ids.indexOf(id)]?.takenAt?.toISOString()) || createdAt,
      )
      for (const date of dates) expect(date.slice(0, 7)).toBe(month)
      seen.push(...items.map(({ id }) => id))
    }
    expect(seen).toEqual(whole.map(({ id }) => id))
    expect(months.map(({ count }) => count)).toEqual(
      months.map(({ parts: of }) => of.reduce((sum, { count }) => sum + count, 0)),
    )
  })
}
