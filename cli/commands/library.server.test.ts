import { once } from 'node:events'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LimitRefusal } from '#server/trpc/limit.ts'
import { picture } from '#testing/images/pictures.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { commandVisitor, type Visitor, writePictures } from '#testing/sluice/sluice-command.ts'

let first: TestApp
let second: TestApp
beforeAll(async () => {
  ;[first, second] = await Promise.all([startApp(), startApp()])
})
afterAll(async () => {
  await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()])
})

const lines = (text: string) => text.split('\n').slice(0, -1)

/** Returns all that an export keeps of an account, without IDs. */
async function readAll({ app: { db } }: TestApp, { viewer: { userId: ownerId } }: Person) {
  const images = await db.image.findMany({
    where: { ownerId },
    orderBy: { sha256: 'asc' },
    select: {
      ...{ sha256: true, filename: true, title: true, description: true, visibility: true },
      ...{ createdAt: true, takenAt: true, camera: true },
      tags: { select: { tag: { select: { name: true } } }, orderBy: { tag: { nameKey: 'asc' } } },
      favourites: {
        where: { userId: ownerId },
        select: { userId: false, image: false, imageId: false, createdAt: false, user: { select: { role: true } } },
      },
    },
  })
  const albums = await db.album.findMany({
    where: { ownerId },
    orderBy: { changedAt: 'asc' },
    select: {
      ...{ title: true, description: true, visibility: true, order: true },
      cover: { select: { sha256: true } },
      images: { orderBy: [{ rank: 'asc' }], select: { rank: true, image: { select: { sha256: true } } } },
    },
  })
  const views = await db.savedView.findMany({ where: { userId: ownerId }, orderBy: { createdAt: 'asc' } })
  const titles = new Map((await db.album.findMany({ where: { ownerId } })).map(({ id, title }) => [id, title]))
  // A search within an album names it by its ID.
  const shown = views.map(({ name, terms }) => {
    return [name, JSON.stringify(terms).replace(/"album":"([^"]*)"/, (_, id) => `in ${titles.get(id)}`)]
  })
  return { images, albums, views: shown }
}

/** Text with what people and attackers write: any character, other scripts, controls, markup, marks and overrides. */
const hostile = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength }),
      fc.string({ unit: 'grapheme', maxLength }),
      fc.constantFrom(
        '',
        '日本の写真',
        '<b>&"\'`',
        '../../etc',
        "'; DROP TABLE x; --",
        '\u202egpj.exe',
        'a\nb\n\n\nc',
        '%_\\',
        '𝒳👩‍👩‍👧',
      ),
    )
    .map((value) => value.slice(0, maxLength))

const imageFacts = fc.record({
  title: hostile(200),
  description: hostile(400),
  tags: fc.array(hostile(30), { maxLength: 3 }),
  favourite: fc.boolean(),
  createdAt: fc.date({ min: new Date('1990-01-01'), max: new Date('2025-01-01'), noInvalidDate: true }),
  takenAt: fc.option(fc.date({ min: new Date('1950-01-01'), max: new Date('2025-01-01'), noInvalidDate: true })),
  camera: fc.option(fc.constantFrom('NIKON D750', 'Ältere Kamera', '相机')),
  visibility: fc.constantFrom('private', 'link', 'public'),
})

const albumFacts = fc.record({
  title: hostile(80).map((title) => `${title}x`),
  description: hostile(80),
  visibility: fc.constantFrom('private', 'link', 'public'),
  order: fc.constantFrom('manual', 'newest', 'oldest'),
  images: fc.shuffledSubarray([0, 1, 2, 3]),
  cover: fc.nat(3),
})

/** Gives a person four images and some albums. */
async function fill(
  person: Person,
  images: readonly (typeof imageFacts extends fc.Arbitrary<infer Facts> ? Facts : never)[],
  albums: readonly (typeof albumFacts extends fc.Arbitrary<infer Facts> ? Facts : never)[],
): Promise<void> {
  const caller = first.as(person)
  const rows = await first.app.db.image.findMany({
    where: { ownerId: person.viewer.userId },
    orderBy: { filename: 'asc' },
    select: { id: true },
  })
  const ids = rows.map(({ id }) => id)
  for (const [index, { title, description, tags, favourite, visibility, ...dates }] of images.entries()) {
    const id = ids[index] ?? ''
    await caller.image.update({ id, title, description, visibility })
    for (const tag of tags) await caller.tag.add({ images: [id], tags: [tag] }).catch(() => undefined)
    await caller.image.favourite({ id, favourite })
    await first.app.db.image.update({ where: { id }, data: dates })
  }
  for (const { title, description, visibility, order, images: members, cover } of albums) {
    const album = await caller.album.create({ title, description, visibility })
    if (members.length > 0) await caller.album.add({ id: album.id, images: members.map((index) => ids[index] ?? '') })
    const coverId = ids[members[cover % Math.max(1, members.length)] ?? -1] ?? null
    await caller.album.update({ id: album.id, order, coverId })
    const query = { album: album.id, text: 'é' }
    await caller.view.create({ name: `In ${album.id.slice(0, 4)}`, terms: { query, sort: 'oldest' } })
  }
}

async function withPictures(self: Visitor, seed: number): Promise<void> {
  await writePictures(join(self.folder, 'pictures'), 4, seed)
  expect((await self.call(['upload', join(self.folder, 'pictures')])).code).toBe(0)
}

describe('an export that is imported into another site', () => {
  it('has equal images and albums there, whatever is written on them, and a second import changes nothing', async () => {
    let seed = 700
    const facts = fc.tuple(
      fc.array(imageFacts, { minLength: 4, maxLength: 4 }),
      fc.array(albumFacts, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('all', 'all.zip'),
    )
    await fc.assert(
      fc.asyncProperty(facts, async ([images, albums, target]) => {
        seed += 1
        await using self = await commandVisitor(first)
        await withPictures(self, seed)
        await fill(self.person, images, albums)
        const path = join(self.folder, target)
        expect((await self.call(['export', path])).code).toBe(0)
        await using other = await commandVisitor(second)
        const { code, stderr } = await other.call(['import', path])
        expect([code, lines(stderr).slice(-2)]).toEqual([
          0,
          ['4 images: 4 uploaded', '4 of 4 match the hash in the export.'],
        ])
        const expected = await readAll(first, self.person)
        expect(await readAll(second, other.person)).toEqual(expected)
        expect((await other.call(['import', path])).code).toBe(0)
        expect(await readAll(second, other.person)).toEqual(expected)
      }),
      { numRuns: 2 },
    )
  })

  it('resumes after a refusal between the images and what is said about them', async () => {
    await using self = await commandVisitor(first)
    await withPictures(self, 720)
    await fill(
      self.person,
      fc.sample(imageFacts, { seed: 1, numRuns: 4 }),
      fc.sample(albumFacts, { seed: 2, numRuns: 2 }),
    )
    const path = join(self.folder, 'all')
    await self.call(['export', path])
    await using other = await commandVisitor(second)
    const root = await second.person({ role: 'superadmin' })
    const target = { kind: 'subject' as const, subject: other.person.viewer.userId }
    const limit = (ruleSet: string, limit: number) =>
      second.as(root).limits.override({ ruleSet, target, terms: { rules: [{ limit, window: '1h' }] } })
    await limit('library-restore', 3)
    const refused = await other.call(['import', path, '--no-wait'])
    expect(refused.code).toBe(4)
    expect(refused.stderr).toMatch(/library-restore limit reached/)
    await limit('library-restore', 100)
    await limit('album-images', 1)
    await other.call(['import', path, '--no-wait'])
    await limit('album-images', 1_000)
    expect((await other.call(['import', path])).code).toBe(0)
    expect(await readAll(second, other.person)).toEqual(await readAll(first, self.person))
  })

  it('has the shares with new links and the old passwords, and the export has no link', async () => {
    await using self = await commandVisitor(first)
    await withPictures(self, 725)
    const caller = first.as(self.person)
    const images = (await caller.image.list()).items.map(({ id }) => id)
    const album = await caller.album.create({ title: 'Trip' })
    await caller.album.add({ id: album.id, images: images.slice(0, 1) })
    const settings = { title: 'For Ann', password: 'sesame', maxViews: 9, limits: { requestsPerHour: 40 } }
    const made = await caller.share.create({ target: { images: images.slice(1).toReversed() }, ...settings })
    const ofAlbum = await caller.share.create({ target: { album: album.id }, originals: true })
    await caller.share.create({ target: { images }, expiresAt: new Date(0).toISOString() })
    const path = join(self.folder, 'all')
    expect((await self.call(['export', path])).code).toBe(0)
    const manifest = await readFile(join(path, 'manifest.json'), 'utf8')
    for (const { url } of [made, ofAlbum]) expect(manifest).not.toContain(url.slice(-24))
    expect(manifest).not.toContain('sesame')

    await using other = await commandVisitor(second)
    const imported = await other.call(['import', path])
    expect(imported.code).toBe(0)
    expect(imported.stderr).toContain('2 shares have a new link: sluice shares lists them.')
    const shares = async () => (await second.as(other.person).share.list()).items
    const before = await shares()
    expect(before).toMatchObject([
      { album: { title: 'Trip' }, originals: true, count: 1 },
      { title: 'For Ann', hasPassword: true, maxViews: 9, count: 3, limits: { requestsPerHour: 40 } },
    ])
    const token = before[1]?.url?.slice(-24) ?? ''
    const open = (link: string) => second.as(null, '203.0.113.80').share.open({ token: link, password: 'sesame' })
    const titles = (await first.as(null, '203.0.113.81').share.open({ token: made.url.slice(-24), password: 'sesame' }))
      .images
    expect((await open(token)).images.map(({ title }) => title)).toEqual(titles.map(({ title }) => title))
    await expect(open(made.url.slice(-24))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await other.call(['import', path])).stderr).not.toContain('new link')
    expect((await shares()).map(({ url }) => url)).toEqual(before.map(({ url }) => url))
  })

  it('leaves what was changed there since', async () => {
    await using self = await commandVisitor(first)
    await withPictures(self, 730)
    await first.as(self.person).tag.add({ images: [await firstId(first, self)], tags: ['old'] })
    const path = join(self.folder, 'all.zip')
    await self.call(['export', path])
    await using other = await commandVisitor(second)
    await other.call(['import', path])
    const id = await firstId(second, other)
    await second.as(other.person).tag.remove({ images: [id], tags: ['old'] })
    await second.as(other.person).image.update({ id, title: 'Own', description: 'mine' })
    await other.call(['import', path])
    expect(await second.as(other.person).image.get({ id })).toMatchObject({
      title: 'Own',
      description: 'mine',
      tags: [],
    })
  })

  it('keeps what a server of an older version does not know, and says so', async () => {
    await using self = await commandVisitor(first)
    await withPictures(self, 740)
    await fill(
      self.person,
      fc.sample(imageFacts, { seed: 3, numRuns: 4 }),
      fc.sample(albumFacts, { seed: 4, numRuns: 1 }),
    )
    const path = join(self.folder, 'all')
    await self.call(['export', path])
    await using other = await commandVisitor(second)
    await using old = await olderServer(second)
    const env = { SLUICE_URL: old.origin }
    const told = await other.call(['import', path], { env })
    expect([told.code, lines(told.stderr).at(-3)]).toEqual([
      0,
      expect.stringMatching(/^The server is of an older version/),
    ])
    const titles = async (test: TestApp, { person }: Visitor) =>
      (await readAll(test, person)).images.map(({ title }) => title)
    expect(await titles(second, other)).toEqual(await titles(first, self))
    expect((await other.call(['export', join(other.folder, 'old')], { env })).code).toBe(0)
    // After the update.
    expect((await other.call(['import', path])).code).toBe(0)
    expect(await readAll(second, other.person)).toEqual(await readAll(first, self.person))
  })

  it('says what a manifest of a newer version has that is not known', async () => {
    await using self = await commandVisitor(first)
    await withPictures(self, 750)
    const path = join(self.folder, 'all')
    await self.call(['export', path])
    const file = join(path, 'manifest.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"albums"', '"people": [],\n  "albums"'))
    const { code, stderr } = await self.call(['import', path])
    expect([code, lines(stderr).at(-3)]).toEqual([
      0,
      'The export has what this version does not know (people). It stays in the export.',
    ])
  })

  it('has details that the server refuses for one image restored for the others', async () => {
    await using self = await commandVisitor(first)
    await withPictures(self, 760)
    const path = join(self.folder, 'all')
    await self.call(['export', path])
    const file = join(path, 'manifest.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    for (const [index, image] of manifest.images.entries()) image.description = index === 1 ? 'x'.repeat(9_999) : 'fine'
    await writeFile(file, JSON.stringify(manifest))
    await using other = await commandVisitor(second)
    const { code, stderr } = await other.call(['import', path])
    expect([code, lines(stderr).filter((line) => line.includes('not restored')).length]).toEqual([1, 1])
    const { images } = await readAll(second, other.person)
    expect(images.map(({ description }) => description).toSorted()).toEqual(['', 'fine', 'fine', 'fine'])
  })
})

describe('the export of an account', () => {
  it('is imported part by part, with albums in their order', async () => {
    await using self = await commandVisitor(first)
    await withPictures(self, 790)
    await fill(self.person, fc.sample(imageFacts, { seed: 5, numRuns: 4 }), [
      { title: 'One', description: 'd', visibility: 'link', order: 'manual', images: [3, 0, 2, 1], cover: 2 },
      { title: 'None', description: '', visibility: 'private', order: 'newest', images: [], cover: 0 },
    ])
    // One image in a part.
    const root = await first.person({ role: 'superadmin' })
    const target = { kind: 'subject' as const, subject: self.person.viewer.userId }
    const terms = { rules: [{ limit: 1, window: '1s' as const }] }
    await first.as(root).limits.override({ ruleSet: 'download', target, terms })
    await using other = await commandVisitor(second)
    for (let after: string | null | undefined, part = 1; after !== null; part += 1) {
      const answer = await waitOut(() => first.as(self.person).image.exportPart({ part, ...(after && { after }) }))
      const zip = join(self.folder, `part-${part}.zip`)
      await writeFile(zip, Buffer.from(await (await fetch(answer.url)).arrayBuffer()))
      const { code, stderr } = await other.call(['import', '--trash', zip])
      expect([code, lines(stderr).at(-1)]).toEqual([0, '1 of 1 match the hash in the export.'])
      after = answer.next
    }
    const [expected, found] = [await readAll(first, self.person), await readAll(second, other.person)]
    expect(found.images).toEqual(expected.images)
    const byTitle = ({ albums }: Pick<typeof found, 'albums'>) =>
      albums.toSorted((a, b) => (a.title < b.title ? -1 : 1))
    expect(byTitle(found)).toEqual(byTitle(expected))
  })
})

describe('sluice import of a folder', () => {
  it('makes an album of each folder, and images as old as their files', async () => {
    await using self = await commandVisitor(first)
    const folder = join(self.folder, 'Holiday')
    for (const [seed, name] of ['b.png', 'sea/a.png', 'sea/deep/c.png', 'sea/b.png'].entries()) {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await writeFile(join(folder, name), await picture({ format: 'png', width: 8, height: 8, seed: 770 + seed }))
      await utimes(join(folder, name), new Date(), new Date(Date.UTC(2011, seed, 1)))
    }
    const { code, stderr } = await self.call(['import', folder])
    expect([code, lines(stderr).slice(-2)]).toEqual([0, ['Filed in 3 albums.', '4 files: 4 uploaded']])
    const albums = await first.app.db.album.findMany({
      where: { ownerId: self.person.viewer.userId },
      orderBy: { title: 'asc' },
      select: { title: true, images: { orderBy: { rank: 'asc' }, select: { image: { select: { filename: true } } } } },
    })
    expect(albums.map(({ title, images }) => [title, images.map(({ image }) => image.filename)])).toEqual([
      ['Holiday', ['b.png']],
      ['sea', ['a.png', 'b.png']],
      ['sea/deep', ['c.png']],
    ])
    const { images } = await readAll(first, self.person)
    expect(images.map(({ createdAt }) => createdAt.getUTCFullYear())).toEqual([2011, 2011, 2011, 2011])
    const entries = await first.app.db.auditEntry.findMany({
      where: { action: 'account.import', accountId: self.person.viewer.userId },
    })
    expect(entries.map(({ after }) => after)).toEqual([{ images: 4 }])
    const again = await self.call(['import', folder])
    expect([again.code, lines(again.stderr).at(-1)]).toEqual([0, '4 files: 4 already there'])
    expect(await first.app.db.album.count({ where: { ownerId: self.person.viewer.userId } })).toBe(3)
  })

  it('makes none with --no-albums and --no-dates, or with a token that may only upload', async () => {
    for (const [scopes, args] of [
      [
        ['upload', 'read', 'manage'],
        ['--no-albums', '--no-dates'],
      ],
      [['upload'], []],
    ] as const) {
      await using self = await commandVisitor(first, scopes)
      await writePictures(join(self.folder, 'some'), 1, 780 + args.length)
      await utimes(join(self.folder, 'some/1.png'), new Date(0), new Date(0))
      expect((await self.call(['import', join(self.folder, 'some'), ...args])).code).toBe(0)
      const { images, albums } = await readAll(first, self.person)
      expect([albums, images.map(({ createdAt }) => createdAt.getUTCFullYear() > 2000)]).toEqual([[], [true]])
    }
  })
})

async function firstId({ app }: TestApp, { person }: Visitor): Promise<string> {
  const where = { ownerId: person.viewer.userId }
  return (await app.db.image.findFirstOrThrow({ where, orderBy: { sha256: 'asc' } })).id
}

/** Calls until a limit allows it, after the wait that each refusal names: refused calls are charged by the other limits. */
async function waitOut<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof TRPCError && error.cause instanceof LimitRefusal)) throw error
    await wait(error.cause.refusal.retryAfterMs)
    return waitOut(call)
  }
}

/** A server in front of another one that does not know `library.…`, and names itself in addresses. */
async function olderServer({ origin }: TestApp) {
  const port = await freePort()
  const own = `http://127.0.0.1:${port}`
  const server = createServer(async (req, res) => {
    const path = (req.url ?? '').replace('/api/trpc/library.', '/api/trpc/none.')
    const headers = { ...req.headers, host: new URL(origin).host }
    const passed = request(`${origin}${path}`, { method: req.method, headers })
    req.pipe(passed)
    const [answer] = await once(passed, 'response')
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const { 'content-length': _, ...others } = answer.headers
    res.writeHead(answer.statusCode, isJson ? others : answer.headers)
    if (isJson) res.end((await text(answer)).replaceAll(origin, own))
    else answer.pipe(res)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: own,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
