import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { newSlug } from '#server/images/slug.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { albumCursor, orderQuery } from './album-order.ts'
import { ranksBetween } from './rank.ts'

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp({ DATABASE_URL: await createPostgresDatabase() })
  // The tests make more calls than a person does.
  owner = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

const readRanks = (albumId: string) =>
  served.app.db.albumImage.findMany({
    where: { albumId },
    orderBy: [{ rank: 'asc' }, { imageId: 'asc' }],
    select: { imageId: true, rank: true },
  })

const SIZE = 8

interface Move {
  readonly moved: number
  readonly to: number
  readonly isBefore: boolean
}

test('images that two tabs move, remove and add at the same time are neither lost nor doubled, and both see one order', async () => {
  const { album } = served.as(owner)
  const { id } = await album.create({ title: 'Everywhere at once' })
  const ids = await Promise.all(
    Array.from({ length: SIZE }, async () => (await insertBareImage(served.app.db, owner.viewer.userId)).id),
  )
  const at = fc.nat({ max: SIZE - 1 })
  const move: fc.Arbitrary<Move> = fc.record({ moved: at, to: at, isBefore: fc.boolean() })
  const run = ({ moved, to, isBefore }: Move) => {
    const [image = '', place = ''] = [ids[moved], ids[to]]
    const where = isBefore ? { before: moved === to ? null : place } : { after: moved === to ? null : place }
    return album.move({ id, images: [image], ...where })
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { maxLength: 5 }),
      fc.array(move, { maxLength: 5 }),
      at,
      async (one, other, gone) => {
        await album.add({ id, images: ids })
        const inTurn = async (moves: readonly Move[]) => {
          for (const each of moves) await run(each)
        }
        const image = ids[gone] ?? ''
        // A place that another tab has just removed is a conflict, which changes nothing.
        const conflict = (error: unknown) => expect(error).toMatchObject({ code: 'CONFLICT' })
        await Promise.all([
          inTurn(one).catch(conflict),
          inTurn(other).catch(conflict),
          album.remove({ id, images: [image] }).then(() => album.add({ id, images: [image] })),
        ])
        const places = await readRanks(id)
        expect(places.map(({ imageId }) => imageId).toSorted()).toEqual(ids.toSorted())
        expect(new Set(places.map(({ rank }) => rank)).size).toBe(SIZE)
        const last = one.at(-1) ?? other.at(-1)
        if (
          last &&
          (one.length === 0 || other.length === 0) &&
          last.moved !== last.to &&
          last.moved !== gone &&
          last.to !== gone
        ) {
          const order = places.map(({ imageId }) => imageId)
          const [moved, to] = [order.indexOf(ids[last.moved] ?? ''), order.indexOf(ids[last.to] ?? '')]
          expect(last.isBefore ? moved < to : moved > to).toBe(true)
        }
      },
    ),
    { numRuns: 5 },
  )
})

const plans = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.looseObject({ Plan: z.unknown() })]) })])
const node = z.looseObject({
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  Plans: z.array(z.unknown()).default([]),
})

/** Returns the rows of the part of a plan that has handled the most. */
function mostRows(part: unknown): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, Plans } = node.parse(part)
  return Math.max(rows * loops, ...Plans.map(mostRows))
}

const COUNT = 5_000

test(`an album of ${COUNT} images is shown and arranged by reading few of them`, async () => {
  const { db } = served.app
  const viewer = { ...owner.viewer, role: 'user' as const }
  const { album } = served.as(owner)
  const { id } = await album.create({ title: 'Everything', visibility: 'public' })
  const ids = Array.from({ length: COUNT }, () => crypto.randomUUID())
  await db.$executeRaw`
    INSERT INTO "StoredObject" ("sha256", "size")
    SELECT md5("id") || md5("id"), 1 FROM unnest(${ids}::text[]) AS "id"`
  await db.$executeRaw`
    INSERT INTO "Image"
      ("id", "slug", "ownerId", "sha256", "mime", "width", "height", "size", "filename", "title", "createdAt")
    SELECT "id"::uuid, 'slug-' || "id", ${viewer.userId}::uuid, md5("id") || md5("id"), 'image/png', 1, 1, 1, 'a.png', 'a',
      to_timestamp(n) FROM unnest(${ids}::text[]) WITH ORDINALITY AS "made" ("id", n)`
  await db.$executeRaw`
    INSERT INTO "AlbumImage" ("albumId", "imageId", "rank")
    SELECT ${id}::uuid, "made".* FROM unnest(${ids}::uuid[], ${ranksBetween(null, null, COUNT)}::text[]) AS "made"`
  await db.$executeRaw`ANALYZE "AlbumImage", "Image", "Album"`
  const explain = async (query: Prisma.Sql) => {
    const rows = await db.$queryRaw`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`
    return mostRows(plans.parse(rows)[0]['QUERY PLAN'][0].Plan)
  }
  expect(await album.get({ id })).toMatchObject({
    count: { count: 1_000, more: true },
    hidden: { count: 0, more: true },
  })
  const page = await album.images({ id, limit: 30 })
  for (const cursor of [undefined, albumCursor.parse(page.nextCursor)]) {
    expect(await explain(orderQuery({ id, order: 'manual' }, viewer, { cursor, limit: 31 }))).toBe(31)
  }
  const [first = '', second = ''] = page.items.map((item) => item.id)
  await album.move({ id, images: [first], before: null })
  const moved = await db.albumImage.findFirst({ where: { albumId: id }, orderBy: { rank: 'desc' } })
  expect(moved?.imageId).toBe(first)
  const { items } = await album.images({ id, limit: 1 })
  expect(items[0]?.id).toBe(second)
})

test('of albums created at once, as many as an owner may have are', async () => {
  const ada = await served.person()
  const own = { ownerId: ada.viewer.userId, title: 'a' }
  await served.app.db.album.createMany({ data: Array.from({ length: 9_998 }, () => ({ ...own, slug: newSlug() })) })
  const { create } = served.as(ada).album
  const made = await Promise.allSettled(Array.from({ length: 6 }, () => create({ title: 'last' })))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})
