import { randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { accountRemoval, BATCH_SIZE, removeAccount } from './account-removal.ts'

/** Creates a user with images whose objects are not shared. */
async function createOwner({ app: { db }, person }: TestApp, images: number) {
  const owner = await person()
  const ownerId = owner.viewer.userId
  const own = randomUUID()
  await db.$executeRaw`
    INSERT INTO "StoredObject" ("sha256", "size")
    SELECT encode(sha256((${own} || "n")::bytea), 'hex'), 1 FROM generate_series(1, ${images}::int) AS "n"`
  await db.$executeRaw`
    INSERT INTO "Image" ("id", "slug", "ownerId", "sha256", "mime", "width", "height", "size", "filename", "title")
    SELECT gen_random_uuid(), ${own} || "n", ${ownerId}::uuid, encode(sha256((${own} || "n")::bytea), 'hex'),
      'image/png', 1, 1, 1, 'x', 'x' FROM generate_series(1, ${images}::int) AS "n"`
  await db.user.update({ where: { id: ownerId }, data: { usedBytes: images } })
  return owner
}

const MANY = 3 * BATCH_SIZE + 1

test('deletes an account with many images in batches, and serves other requests in between', async () => {
  await using served = await startApp()
  const { db } = served.app
  const root = await served.person({ role: 'superadmin' })
  const [owner, other] = [await createOwner(served, MANY), await createOwner(served, 1)]
  const shared = await db.image.findFirstOrThrow({ where: { ownerId: other.viewer.userId } })
  await db.image.create({ data: { ...shared, id: randomUUID(), slug: 'shared', ownerId: owner.viewer.userId } })
  const seen = new Set<number>()
  let isOver = false
  const watch = async () => {
    for (; !isOver; await yieldToEventLoop())
      seen.add(await db.image.count({ where: { ownerId: owner.viewer.userId } }))
  }
  const watching = watch()
  await served.as(root).user.delete({ id: owner.viewer.userId })
  isOver = true
  await watching
  // The call and the job run concurrently, so that not every batch is observed.
  expect([...seen].filter((left) => left > 0 && left <= MANY)).not.toEqual([])
  expect(await db.user.count({ where: { id: owner.viewer.userId } })).toBe(0)
  expect(await db.image.findMany()).toEqual([shared])
  const live = await db.storedObject.findMany({ where: { state: 'live' }, select: { sha256: true } })
  expect(live).toEqual([{ sha256: shared.sha256 }])
})

test('bans the owner at once', async () => {
  await using served = await startApp()
  const root = await served.person({ role: 'superadmin' })
  const owner = await createOwner(served, MANY)
  const where = { id: owner.viewer.userId, bannedAt: null }
  const deletion = served.as(root).user.delete({ id: owner.viewer.userId })
  await expect.poll(() => served.app.db.user.count({ where }), { interval: 1 }).toBe(0)
  expect(await served.app.db.session.count({ where: { userId: owner.viewer.userId } })).toBe(0)
  await deletion
})

test('completes an interrupted removal in a job', async () => {
  await using served = await startApp()
  const { db, jobs } = served.app
  const owner = await createOwner(served, MANY)
  const { userId } = owner.viewer
  const bannedAt = new Date().toISOString()
  await db.user.update({ where: { id: userId }, data: { bannedAt } })
  await jobs.send(null, accountRemoval, [{ data: { userId, bannedAt } }])
  await expect.poll(() => db.user.count({ where: { id: userId } }), { timeout: 30_000 }).toBe(0)
  expect(await db.image.count()).toBe(0)
})

test('stops if the ban was lifted or imposed again', async () => {
  await using served = await startApp()
  const { db, images } = served.app
  const { userId } = (await createOwner(served, MANY)).viewer
  const removal = { userId, bannedAt: new Date().toISOString() }
  for (const bannedAt of [null, new Date(0)]) {
    await db.user.update({ where: { id: userId }, data: { bannedAt } })
    expect(await removeAccount({ db, images }, removal)).toBe(false)
  }
  const user = await db.user.findUniqueOrThrow({ where: { id: userId } })
  expect([user.usedBytes, await db.image.count()]).toEqual([BigInt(MANY), MANY])
})

test('keeps the last superadmin with all their images', async () => {
  await using served = await startApp()
  const root = await served.person({ role: 'superadmin' })
  const { db } = served.app
  const { userId } = (await createOwner(served, MANY)).viewer
  await db.image.updateMany({ where: { ownerId: userId }, data: { ownerId: root.viewer.userId } })
  await expect(served.as(root).user.delete({ id: root.viewer.userId })).rejects.toMatchObject({ code: 'CONFLICT' })
  const user = await db.user.findUniqueOrThrow({ where: { id: root.viewer.userId } })
  expect([user.bannedAt, await db.image.count()]).toEqual([null, MANY])
})
