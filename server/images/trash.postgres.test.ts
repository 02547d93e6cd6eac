import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type ChangedImages, hearImageChanges } from '#server/images/image-rows.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { hashLink } from './links/deletion-link.ts'

const MONTHS_MS = 90 * 24 * 60 * 60_000

let served: TestApp
let owner: Person
let other: Client
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  const url = await createPostgresDatabase()
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
])('an image that is %s by a process whose clock is months behind is in the trash from now on', async (_, remove) => {
  const { db } = served.app
  const { id } = await insertBareImage(db, owner.viewer.userId)
  const link = 'x'.repeat(43)
  await db.deletionLink.deleteMany()
  await db.deletionLink.create({ data: { linkHash: hashLink(link), imageId: id } })
  const before = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: before - MONTHS_MS })
  await remove(id, link)
  vi.useRealTimers()
  const { trashedAt } = await db.image.findUniqueOrThrow({ where: { id } })
  // PostgreSQL runs on this machine; the column truncates microseconds.
  expect(trashedAt?.getTime()).toBeGreaterThanOrEqual(before - 1)
})

test('an image restored during another deletion does not keep its old time in the trash', async () => {
  const { db } = served.app
  const { id } = await insertBareImage(db, owner.viewer.userId)
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
  // As if it had been restored last.
  expect((await db.image.findUniqueOrThrow({ where: { id } })).trashedAt).toBeNull()
})

test('deleting an image in the trash again keeps its time there', async () => {
  const { db } = served.app
  const { id } = await insertBareImage(db, owner.viewer.userId, { trashed: true })
  const { trashedAt } = await db.image.findUniqueOrThrow({ where: { id } })
  expect((await served.as(owner).image.delete({ id })).trashedAt).toBe(trashedAt?.toISOString())
  const { items } = await served.as(owner).image.deleteMany({ ids: [id] })
  expect(items).toMatchObject([{ outcome: 'done', image: { trashedAt: trashedAt?.toISOString() } }])
})

test('deleting an image by its ID in upper case notifies listeners of the real ID', async () => {
  const { id } = await insertBareImage(served.app.db, owner.viewer.userId)
  const notified: ChangedImages[] = []
  hearImageChanges(served.app.db, (each) => notified.push(each))
  await served.as(owner).image.delete({ id: id.toUpperCase() })
  expect(notified).toEqual([[id]])
})
