import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertImages } from '#testing/bulk-scene.ts'
import { createPostgresDatabase } from '#testing/postgres-database.ts'
import { startApp, type TestApp } from '#testing/sluice-app.ts'

let served: TestApp
let other: Client
beforeAll(async () => {
  const url = await createPostgresDatabase()
  served = await startApp({ DATABASE_URL: url })
  other = new Client({ connectionString: url })
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await served[Symbol.asyncDispose]()
})

/** Returns whether a transaction is waiting for a lock. */
async function hasWaiters(): Promise<boolean> {
  const { rows } = await other.query('SELECT 1 FROM pg_locks WHERE NOT granted')
  return rows.length > 0
}

/** Makes an image unlisted while `change`, which has read it as private, is about to update it. */
async function shareDuring(id: string, change: () => Promise<unknown>): Promise<void> {
  await other.query('BEGIN')
  await other.query(`UPDATE "Image" SET "visibility" = 'link' WHERE "id" = $1`, [id])
  const changing = change()
  await expect.poll(hasWaiters).toBe(true)
  await other.query('COMMIT')
  await changing
}

test.each([
  {
    way: 'image.update',
    make: (id: string, person: Parameters<TestApp['as']>[0]) => () =>
      served.as(person).image.update({ id, visibility: 'private' }),
  },
  {
    way: 'an upload of the same image',
    make: (id: string) => () =>
      served.app.images.conclude(
        { id, isNew: false },
        { wish: { visibility: 'private', ofKnown: 'becomes' }, filename: '' },
      ),
  },
])('$way: an image that was visible for a moment has a new URL once it is private', async ({ make }) => {
  const { db } = served.app
  const self = await served.person()
  const { userId } = self.viewer
  const owners = { self: userId, other: userId, third: userId }
  const [id = ''] = await insertImages(db, owners, [
    { owner: 'self', visibility: 'private', trashed: false, twin: false },
  ])
  const { slug } = await db.image.findUniqueOrThrow({ where: { id } })
  await shareDuring(id, make(id, self))
  const now = await db.image.findUniqueOrThrow({ where: { id } })
  expect(now.visibility).toBe('private')
  expect(now.slug).not.toBe(slug)
})

test('a form that ends says who may see its image, and one that its owner has shared meanwhile has another address', async () => {
  const { app } = served
  const self = await served.person()
  const { userId } = self.viewer
  const owners = { self: userId, other: userId, third: userId }
  const [id = ''] = await insertImages(app.db, owners, [
    { owner: 'self', visibility: 'private', trashed: false, twin: false },
  ])
  await app.db.image.update({ where: { id }, data: { formOpen: true } })
  const { slug } = await served.as(self).image.update({ id, visibility: 'link' })
  const wish = { visibility: 'private', ofKnown: 'stays' } as const
  const concluded = await app.images.conclude({ id, isNew: true }, { wish, filename: 'behind.png' })
  expect(concluded).toMatchObject({ outcome: 'stored', image: { visibility: 'private', filename: 'behind.png' } })
  const now = await app.db.image.findUniqueOrThrow({ where: { id } })
  expect([now.visibility, now.formOpen]).toEqual(['private', false])
  expect(now.slug).not.toBe(slug)
})
