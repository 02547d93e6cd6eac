import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { MAX_VIEWS } from './view-terms.ts'

let served: TestApp
let [owner, other]: Person[] = []
beforeAll(async () => {
  served = await startApp()
  owner = await served.person({ role: 'superadmin' })
  other = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())

const views = (person?: Person) => served.as(person ?? null).view

test('a view keeps what image.list takes, and is renamed, changed and deleted', async () => {
  const terms = { scope: 'mine', query: { text: 'sea', type: 'png' }, sort: 'title', by: 'uploaded' } as const
  const { id } = await views(owner).create({ name: ' My  sea ', terms })
  expect((await views(owner).list()).items).toEqual([{ id, name: 'My sea', terms }])
  const changed = { query: { animated: true }, by: 'taken' } as const
  expect(await views(owner).update({ id, name: 'Moving', terms: changed })).toEqual({
    id,
    name: 'Moving',
    terms: changed,
  })
  expect(await served.as(owner ?? null).image.list(changed)).toEqual({ items: [], nextCursor: null })
  expect(await views(owner).delete({ id })).toEqual({ id })
  expect((await views(owner).list()).items).toEqual([])
})

test('views of others are not found', async () => {
  const { id } = await views(owner).create({ name: 'mine', terms: {} })
  expect((await views(other).list()).items).toEqual([])
  await expect(views(other).update({ id, name: 'theirs' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(views(other).delete({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await views(owner).delete({ id })).toEqual({ id })
  await expect(views(owner).delete({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test.each([
  { name: '', terms: {} },
  { name: 'a'.repeat(65), terms: {} },
  { name: 'a', terms: { query: { text: 'a'.repeat(201) } } },
  { name: 'a', terms: { cursor: 'x' } },
])('rejects the view %#', async (input) => {
  await expect(Reflect.apply(views(owner).create, null, [input])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('a view that cannot be read shows everything', async () => {
  const { userId } = (owner ?? (await served.person())).viewer
  const row = { userId, name: 'later', terms: { query: { mood: 'blue' } } }
  const { id } = await served.app.db.savedView.create({ data: row, select: { id: true } })
  expect((await views(owner).list()).items).toEqual([{ id, name: 'later', terms: { by: 'uploaded' } }])
  await views(owner).delete({ id })
})

test('a user has a limited number of views, also when they are saved at once', async () => {
  const { userId } = (owner ?? (await served.person())).viewer
  const rows = Array.from({ length: MAX_VIEWS - 1 }, (_, at) => ({ userId, name: `${at}`, terms: {} }))
  await served.app.db.savedView.createMany({ data: rows })
  const saved = await Promise.allSettled(['a', 'b', 'c'].map((name) => views(owner).create({ name, terms: {} })))
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await views(owner).list()).items).toHaveLength(MAX_VIEWS)
})
