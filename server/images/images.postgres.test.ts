import { expect, test } from 'vitest'
import { behindProxy, everythingKept, read, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

test('an image goes from upload to purge on PostgreSQL as on the embedded database', async () => {
  await using served = await startApp({ ...behindProxy, DATABASE_URL: await createPostgresDatabase() })
  const owner = await served.person()
  const { image } = served.as(owner)
  const bytes = await picture()
  const answers = await Promise.all(Array.from({ length: 10 }, () => uploadAccepted(served, owner, bytes)))
  const [first] = answers
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  const id = first?.id ?? ''
  const ids = [id]
  for (let seed = 2; seed < 6; seed += 1) {
    ids.unshift((await uploadAccepted(served, owner, await picture({ width: 40, height: 30, seed }))).id)
  }
  const page = await image.list({ limit: 3 })
  const rest = await image.list({ limit: 3, ...(page.nextCursor && { cursor: page.nextCursor }) })
  expect([...page.items, ...rest.items].map((item) => item.id)).toEqual(ids)
  expect(rest.nextCursor).toBeNull()

  const hidden = await image.update({ id, title: 'Sea', visibility: 'private' })
  expect(hidden).toMatchObject({ title: 'Sea', visibility: 'private', mine: true })
  expect((await read(hidden.url ?? '')).status).toBe(404)
  const answer = await read(hidden.url ?? '', owner)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)

  for (const each of ids) {
    await image.delete({ id: each })
    await image.purge({ id: each })
  }
  await jobsDone(served.app)
  expect(await everythingKept(served)).toEqual({ images: 0, objectRows: 0, objects: [], unfinished: [] })
})

test('uploads that keep coming neither hold up the deletion of their owner nor outlast it', async () => {
  await using served = await startApp({ ...behindProxy, DATABASE_URL: await createPostgresDatabase() })
  const root = await served.person({ role: 'superadmin' })
  const owner = await served.person()
  const { promise: isStored, resolve: hasStored } = Promise.withResolvers<void>()
  const uploadOn = async (first: number) => {
    for (let seed = first; ; seed += 100) {
      const { status } = await sendUpload(served, owner, await picture({ width: 40, height: 30, seed }))
      if (status !== 200) return status
      hasStored()
    }
  }
  const uploads = [0, 1, 2, 3, 4, 5].map(uploadOn)
  await isStored
  await served.as(root).user.delete({ id: owner.viewer.userId })
  expect(await Promise.all(uploads)).toEqual([401, 401, 401, 401, 401, 401])
  await jobsDone(served.app)
  expect(await everythingKept(served)).toEqual({ images: 0, objectRows: 0, objects: [], unfinished: [] })
})

test('the deletion of a user waits for an image that is being inserted', async () => {
  await using served = await startApp({ ...behindProxy, DATABASE_URL: await createPostgresDatabase() })
  const [root, owner] = [await served.person({ role: 'superadmin' }), await served.person()]
  const { db } = served.app
  const { promise: isInserted, resolve: hasInserted } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const inserting = db.$transaction(async (tx) => {
    await insertBareImage(tx, owner.viewer.userId)
    hasInserted()
    await mayCommit
  })
  await isInserted
  const deletion = served.as(root).user.delete({ id: owner.viewer.userId })
  await expect.poll(() => db.$queryRaw`SELECT 1 FROM pg_locks WHERE NOT granted`).not.toEqual([])
  commit()
  await inserting
  expect(await deletion).toEqual({ id: owner.viewer.userId })
  expect(await db.image.count()).toBe(0)
})
