import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { insertImage } from '#testing/insert-image.ts'
import { startPostgresServer } from '#testing/postgres-server.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { linkHashOf } from './deletion-link.ts'

const MONTHS_MS = 90 * 24 * 60 * 60_000

let served: TestApp
let owner: Person
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  const postgres = opened.use(await startPostgresServer())
  served = opened.use(await startApp({ DATABASE_URL: await postgres.createDatabase() }))
  owner = await served.person()
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
