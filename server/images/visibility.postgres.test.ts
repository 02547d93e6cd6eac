import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { insertImages } from '#testing/library/bulk-scene.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

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

/** An image that only its owner sees, and a file that would be stored as the same. */
async function privateImage() {
  const { db } = served.app
  const self = await served.person()
  const { userId } = self.viewer
  const owners = { self: userId, other: userId, third: userId }
  const [id = ''] = await insertImages(db, owners, [
    { owner: 'self', visibility: 'private', trashed: false, twin: false },
  ])
  return { id, self, image: await db.image.findUniqueOrThrow({ where: { id } }) }
}

type Scene = Awaited<ReturnType<typeof privateImage>>

/** Describes an upload of the same bytes after its file has been received. */
function uploadAgain({ self, image: { sha256, size, filename } }: Scene) {
  const original = { path: '', sha256, size }
  const facts = {
    format: 'png',
    width: 1,
    height: 1,
    frames: 1,
    placeholder: 'AAAA',
    variants: [],
    reserved: 0,
  } as const
  const wish = { visibility: 'private', ofKnown: 'becomes' } as const
  vi.spyOn(served.app.images.store, 'readSize').mockResolvedValueOnce(size)
  const image = { ownerId: self.viewer.userId, filename, wish }
  const file = { ...facts, original, uploadSha256: null, photo: { takenAt: null, camera: null } }
  return served.app.images.storeReceived({ file, takeLate: () => null }, image)
}

test.each<readonly [string, (scene: Scene) => Promise<unknown>]>([
  ['image.update', ({ id, self }) => served.as(self).image.update({ id, visibility: 'private' })],
  ['an upload of the same image', uploadAgain],
])('%s: an image that was visible for a moment has a new URL once it is private', async (_, change) => {
  const scene = await privateImage()
  await shareDuring(scene.id, () => change(scene))
  const now = await served.app.db.image.findUniqueOrThrow({ where: { id: scene.id } })
  expect(now.visibility).toBe('private')
  expect(now.slug).not.toBe(scene.image.slug)
})
