import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp({ SLUICE_GALLERY: 'on' })
})
afterAll(() => served[Symbol.asyncDispose]())

/** Inserts an image created in this second of a minute. */
async function insert(owner: Person, second: number, options: Parameters<typeof insertBareImage>[2] = {}) {
  const { db } = served.app
  const { id } = await insertBareImage(db, owner.viewer.userId, { title: `${second}`, ...options })
  const at = new Date(Date.UTC(2026, 10, 1, 0, 0, second))
  await db.image.update({ where: { id }, data: { createdAt: at, ...(options.trashed && { trashedAt: at }) } })
  return id
}

type Asked = Omit<Parameters<ReturnType<TestApp['as']>['image']['neighbours']>[0], 'id'>

async function titles(person: Person | null, id: string, asked: Asked = {}) {
  const { before, after } = await served.as(person).image.neighbours({ id, ...asked })
  return [before.map(({ title }) => title), after.map(({ title }) => title)]
}

test('are those before and after in the list, newest first, as far as there are any', async () => {
  const ada = await served.person()
  const ids = []
  for (const second of [1, 2, 3, 4, 5]) ids.push(await insert(ada, second))
  const [first = '', second = '', third = '', , fifth = ''] = ids
  expect(await titles(ada, third)).toEqual([['4'], ['2']])
  expect(await titles(ada, third, { count: 20 })).toEqual([
    ['5', '4'],
    ['2', '1'],
  ])
  expect(await titles(ada, first, { count: 2 })).toEqual([['3', '2'], []])
  expect(await titles(ada, fifth)).toEqual([[], ['4']])
  // Created in the same millisecond, images are in the order of their IDs.
  await served.app.db.image.updateMany({ data: { createdAt: new Date(0) }, where: { ownerId: ada.viewer.userId } })
  const { items } = await served.as(ada).image.list({ scope: 'mine' })
  const at = items.findIndex(({ id }) => id === second)
  expect(await titles(ada, second, { count: 20 })).toEqual([
    items.slice(0, at).map(({ title }) => title),
    items.slice(at + 1).map(({ title }) => title),
  ])
})

test('are in the list that was asked for alone, and never show an image that may not be opened', async () => {
  const [ada, bert, admin] = [await served.person(), await served.person(), await served.person({ role: 'admin' })]
  const own = await insert(ada, 11, { visibility: 'public' })
  const secret = await insert(bert, 12, { visibility: 'private' })
  const open = await insert(bert, 13, { visibility: 'public' })
  const binned = await insert(ada, 14, { trashed: true })
  await insert(ada, 15, { trashed: true })
  expect(await titles(ada, own)).toEqual([[], []])
  expect(await titles(ada, own, { scope: 'gallery' })).toEqual([['13'], []])
  expect(await titles(null, own)).toEqual([['13'], []])
  expect(await titles(bert, own)).toEqual([[], []])
  expect(await titles(ada, open)).toEqual([[], []])
  expect((await titles(admin, own, { scope: 'all' }))[0]).toEqual(['13'])
  expect(await titles(ada, binned)).toEqual([[], []])
  expect(await titles(ada, binned, { trash: true })).toEqual([['15'], []])
  expect(await titles(bert, secret)).toEqual([['13'], []])
  const missing = crypto.randomUUID()
  const refusals = [secret, missing].map((id) =>
    served
      .as(ada)
      .image.neighbours({ id })
      .catch((error: unknown) => String(error)),
  )
  const [hidden, none] = await Promise.all(refusals)
  expect(hidden).toBe(none)
})

test('are in the order of the album, for whoever may see it', async () => {
  const [ada, bert] = [await served.person(), await served.person()]
  const { db } = served.app
  const ids = []
  for (const second of [31, 32, 33]) ids.push(await insert(ada, second))
  const [first = '', second = '', third = ''] = ids
  const hidden = await insert(ada, 34, { visibility: 'private' })
  const album = await db.album.create({
    data: { ownerId: ada.viewer.userId, slug: crypto.randomUUID(), title: 'walk', visibility: 'public' },
  })
  const order = [second, hidden, first, third]
  await db.albumImage.createMany({
    data: order.map((imageId, at) => ({ albumId: album.id, imageId, rank: `a${at}` })),
  })
  const query = { album: album.id }
  expect(await titles(ada, first, { query })).toEqual([['34'], ['33']])
  expect(await titles(bert, first, { query, count: 5 })).toEqual([['32'], ['33']])
  expect(await titles(bert, first, { query, sort: 'newest', count: 5 })).toEqual([['33', '32'], []])
  await db.album.update({ where: { id: album.id }, data: { visibility: 'private' } })
  await expect(titles(bert, first, { query })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('says when permits run out, so that nothing is loaded ahead', async () => {
  const ada = await served.person()
  const id = await insert(ada, 21)
  const ask = async () => (await served.as(ada).image.neighbours({ id })).isAmple
  expect(await ask()).toBe(true)
  const worked = served.app.limitAdmin.overrides.compileOverride({
    ruleSet: 'view',
    target: { kind: 'all' },
    terms: { rules: [{ limit: 5, window: '1h' }] },
  })
  if (worked.problem !== null) throw worked.problem
  served.app.limiter.override([worked.override])
  expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([true, true, true, true, false])
})
