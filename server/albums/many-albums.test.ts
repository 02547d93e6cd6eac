import { expect, test } from 'vitest'
import { newSlug } from '#server/images/slug.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

test('an owner has at most 10,000 albums', async () => {
  await using served = await startApp()
  const ada = await served.person()
  const { create, restore, delete: remove } = served.as(ada).album
  const data = Array.from({ length: 9_999 }, () => ({ title: 'a', ownerId: ada.viewer.userId, slug: newSlug() }))
  await served.app.db.album.createMany({ data })
  const last = await create({ title: 'last' })
  await expect(create({ title: 'one too many' })).rejects.toMatchObject({ code: 'CONFLICT' })
  await remove({ id: last.id })
  await create({ title: 'in its place' })
  await expect(restore({ id: last.id })).rejects.toMatchObject({ code: 'CONFLICT' })
})
