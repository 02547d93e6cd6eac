import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { BATCH, mergeSome } from './tag-merge.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp({ DATABASE_URL: await createPostgresDatabase() })
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
})

test('concurrent calls for the same new tag create it once, and every image has it', async () => {
  const { db } = served.app
  const owner = await served.person()
  const ids = await Promise.all(
    Array.from({ length: 12 }, async () => (await insertBareImage(db, owner.viewer.userId)).id),
  )
  const calls = served.as(owner)
  const spellings = ['Sea', 'SEA', 'sea']
  await Promise.all(ids.map((id, index) => calls.tag.add({ images: [id], tags: [spellings[index % 3] ?? '', 'sun'] })))
  const tags = await db.tag.findMany({ where: { ownerId: owner.viewer.userId }, orderBy: { nameKey: 'asc' } })
  expect(tags.map(({ nameKey }) => nameKey)).toEqual(['sea', 'sun'])
  expect(await db.imageTag.count({ where: { tagId: { in: tags.map(({ id }) => id) } } })).toBe(24)
})

test('tags that are given, merged and deleted at once lose no image and cause no error', async () => {
  const { db } = served.app
  const root = await served.person({ role: 'superadmin' })
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await insertBareImage(db, root.viewer.userId)).id),
  )
  const calls = served.as(root)
  await calls.tag.add({ images: ids.slice(0, 10), tags: ['from'] })
  await calls.tag.add({ images: ids.slice(5, 15), tags: ['to'] })
  const refused = (error: unknown) => expect(error).toMatchObject({ code: 'NOT_FOUND' })
  await Promise.all([
    calls.tag.rename({ tag: 'from', name: 'to' }).catch(refused),
    calls.tag.rename({ tag: 'from', name: 'to' }).catch(refused),
    ...ids.slice(15).map((id) => calls.tag.add({ images: [id], tags: ['to', 'other'] })),
    calls.tag.delete({ tag: 'other' }).catch(refused),
  ])
  const kept = await db.imageTag.findMany({ where: { tag: { ownerId: root.viewer.userId, nameKey: 'to' } } })
  expect(kept.map(({ imageId }) => imageId).sort()).toEqual([...ids].sort())
})

test('a tag of many images is merged in batches, and an interrupted merge loses none', async () => {
  const { db } = served.app
  const owner = await served.person()
  const ownerId = owner.viewer.userId
  const rows = Array.from({ length: 2 * BATCH + 50 }, (_, n) => {
    const names = { sha256: `merge${n}`, slug: `merge${n}`, filename: 'a.png', title: 'a' }
    return { ownerId, ...names, mime: 'image/png', width: 1, height: 1, size: 1 }
  })
  await db.storedObject.createMany({ data: rows.map(({ sha256 }) => ({ sha256, size: 1 })) })
  const images = await db.image.createManyAndReturn({ data: rows, select: { id: true } })
  const tag = (name: string) => db.tag.create({ data: { ownerId, name, nameKey: name }, select: { id: true } })
  const [from, to] = [(await tag('large')).id, (await tag('other')).id]
  await db.imageTag.createMany({ data: images.map(({ id }) => ({ tagId: from, imageId: id })) })
  await db.imageTag.createMany({ data: images.slice(0, 10).map(({ id }) => ({ tagId: to, imageId: id })) })
  const count = (tagId: string) => db.imageTag.count({ where: { tagId } })
  const merge = { ownerId, from, fromKey: 'large', to }
  const some = (asked = merge) => db.$transaction((tx) => mergeSome(tx, asked))

  expect(await some({ ...merge, fromKey: 'renamed' })).toEqual({ given: 0, isOver: true })
  expect(await some()).toEqual({ given: BATCH, isOver: false })
  const interrupted = db.$transaction(async (tx) => {
    await mergeSome(tx, merge)
    throw new Error('killed')
  })
  await expect(interrupted).rejects.toThrow('killed')
  expect([await count(from), await count(to)]).toEqual([rows.length, BATCH + 10])

  const answer = await served.as(owner).tag.rename({ tag: 'large', name: 'Other' })
  expect(answer).toMatchObject({ id: to, merged: true, isMerging: true })
  await jobsDone(served.app)
  expect([await count(from), await count(to)]).toEqual([0, rows.length])
  expect((await served.as(owner).tag.list()).items).toMatchObject([{ name: 'other', count: 1_000, more: true }])
  const found = await served.as(owner).image.count({ query: { tag: 'other' } })
  expect(found).toEqual({ count: 1_000, more: true })
})
