import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { insertImage } from '#testing/insert-image.ts'
import { startPostgresServer } from '#testing/postgres-server.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { linkHashOf } from './links/deletion-link.ts'

const MONTHS_MS = 90 * 24 * 60 * 60_000

let served: TestApp
let owner: Person
let other: Client
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  const postgres = opened.use(await startPostgresServer())
  const url = await postgres.createDatabase()
  served = opened.use(await startApp({ DATABASE_URL: url }))
  owner = await served.person()
  other = new Client({ connectionString: url })
  await other.connect()
  opened.defer(() => other.end())
})
afterAll(() => opened.disposeAsync())
beforeEach(() => () => vi.useRealTimers())

test.each<readonly [string, (id: string, link: string) => Promise<unknown>]>([
  ['deleted', (id) => served.as(owner).image.delete({ id })],
  ['deleted with others', (id) => served.as(owner).image.deleteMany({ ids: [id] })],
  ['deleted by its link', (_, link) => served.as(null).image.deleteByLink({ link })],
])('an image that is %s where the clock is months behind lies in the trash from now on', async (_, deleted) => {
  const { db } = served.app
  const { id } = await insertImage(db, owner.viewer.userId)
  const link = 'x'.repeat(43)
  await db.deletionLink.deleteMany()
  await db.deletionLink.create({ data: { linkHash: linkHashOf(link), imageId: id } })
  const before = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: before - MONTHS_MS })
  await deleted(id, link)
  vi.useRealTimers()
  const { trashedAt } = await db.image.findUniqueOrThrow({ where: { id } })
  // PostgreSQL runs on this machine, and cuts its microseconds off.
  expect(trashedAt?.getTime()).toBeGreaterThanOrEqual(before - 1)
})

test('an image that is restored while it is deleted once more does not lie in the trash since months', async () => {
  const { db } = served.app
  const { id } = await insertImage(db, owner.viewer.userId)
  await db.image.update({ where: { id }, data: { trashedAt: new Date(Date.now() - MONTHS_MS) } })
  await other.query('BEGIN')
  await other.query('UPDATE "Image" SET "trashedAt" = NULL WHERE "id" = $1', [id])
  let isDone = false
  const deleting = served
    .as(owner)
    .image.delete({ id })
    .finally(() => {
      isDone = true
    })
  const waits = async () => (await other.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length > 0
  await expect.poll(async () => isDone || (await waits())).toBe(true)
  await other.query('COMMIT')
  await deleting
  // As if the restoration had come last.
  expect((await db.image.findUniqueOrThrow({ where: { id } })).trashedAt).toBeNull()
})

test('an image that lies in the trash is not put there anew, one by one or with others', async () => {
  const { db } = served.app
  const { id } = await insertImage(db, owner.viewer.userId, { trashed: true })
  const { trashedAt } = await db.image.findUniqueOrThrow({ where: { id } })
  expect((await served.as(owner).image.delete({ id })).trashedAt).toBe(trashedAt?.toISOString())
  const { items } = await served.as(owner).image.deleteMany({ ids: [id] })
  expect(items).toMatchObject([{ outcome: 'done', image: { trashedAt: trashedAt?.toISOString() } }])
})

test('an image that is deleted by its id in capitals is told to whoever keeps images in memory', async () => {
  const { id } = await insertImage(served.app.db, owner.viewer.userId)
  const told: (readonly string[] | 'any')[] = []
  served.app.images.changes.hear((each) => told.push(each))
  await served.as(owner).image.delete({ id: id.toUpperCase() })
  expect(told).toEqual([[id]])
})
