import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let person: Person
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await test.person()
})

const restore = (items: Parameters<ReturnType<TestApp['as']>['library']['restore']>[0]['items']) =>
  test.as(person).library.restore({ items })
const insert = (owner = person, options = {}) => insertBareImage(test.app.db, owner.viewer.userId, options)
const read = (id: string) =>
  test.app.db.image.findUniqueOrThrow({ where: { id }, omit: { sha256: true, slug: true, ownerId: true } })

describe('details that are restored', () => {
  it('fill what is empty, and replace nothing', async () => {
    const { id } = await insert()
    const details = {
      title: 'Boat',
      description: 'On\n\n\n\nthe lake\u202e',
      tags: ['Lake', 'Boats'],
      favourite: true,
      createdAt: '2011-03-01T10:00:00+02:00',
      takenAt: '1968-08-01T12:00:00Z',
      camera: 'Leica',
    }
    await test.app.db.image.update({ where: { id }, data: { filename: 'x.png', title: 'x' } })
    expect(await restore([{ id, ...details }])).toEqual({ items: [{ id, outcome: 'done' }] })
    const restored = await read(id)
    expect(restored).toMatchObject({
      ...{ title: 'Boat', description: 'On\n\nthe lake', camera: 'Leica' },
      ...{ createdAt: new Date('2011-03-01T08:00:00Z'), takenAt: new Date('1968-08-01T12:00:00Z') },
    })
    expect(await test.as(person).image.get({ id })).toMatchObject({ tags: ['Boats', 'Lake'], favourite: true })
    const other = { title: 'y', description: 'z', camera: 'q', takenAt: '2001-01-01T00:00:00Z' }
    await restore([{ id, ...other, createdAt: new Date().toISOString() }])
    expect(await read(id)).toEqual(restored)
  })

  it('move dates back only, and each call that does is in the audit', async () => {
    const [one, two] = [await insert(), await insert()]
    const { createdAt } = await read(one.id)
    const entries = () =>
      test.app.db.auditEntry.findMany({
        where: { action: 'account.import', accountId: person.viewer.userId },
        select: { after: true },
      })
    await restore([
      { id: one.id, createdAt: '2999-01-01T00:00:00Z' },
      { id: two.id, title: 'x' },
    ])
    expect([(await read(one.id)).createdAt, await entries()]).toEqual([createdAt, []])
    await restore([one, two].map(({ id }) => ({ id, createdAt: '2001-01-01T00:00:00Z' })))
    expect(await entries()).toEqual([{ after: { images: 2 } }])
  })

  it('are for one’s own images alone, and say which are full of tags', async () => {
    const [own, others] = [await insert(), await insert(await test.person(), { visibility: 'public' })]
    const tags = Array.from({ length: 100 }, (_, index) => `t${index}`)
    await restore([{ id: own.id, tags }])
    expect(
      await restore([
        { id: others.id, title: 'mine' },
        { id: own.id, tags: ['one more'], description: 'still' },
      ]),
    ).toEqual({
      items: [
        { id: others.id, outcome: 'not-found' },
        { id: own.id, outcome: 'too-many-tags' },
      ],
    })
    expect((await read(own.id)).description).toBe('still')
  })

  it.each([
    ['none', []],
    ['no ID', [{ id: 'x' }]],
    ['a date that no file has', [{ id: crypto.randomUUID(), createdAt: '1200-01-01T00:00:00Z' }]],
    ['no date', [{ id: crypto.randomUUID(), createdAt: 'yesterday' }]],
    ['a text that is too long', [{ id: crypto.randomUUID(), description: 'x'.repeat(2_001) }]],
    ['too many tags', [{ id: crypto.randomUUID(), tags: Array.from({ length: 101 }, (_, index) => `${index}`) }]],
  ])('are refused if they have %s', async (_, items) => {
    await expect(restore(items)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('are refused for one image twice in a call', async () => {
    const { id } = await insert()
    await expect(restore([{ id }, { id: id.toUpperCase() }])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

it('a library has albums with the places of their images, page by page, and all tags', async () => {
  const caller = test.as(person)
  const images = await Promise.all([insert(), insert(), insert()])
  const ids = images.map(({ id }) => id)
  const { id } = await caller.album.create({ title: 'Trip' })
  await caller.album.add({ id, images: ids })
  await caller.tag.add({ images: ids, tags: ['b', 'a'] })
  await caller.tag.remove({ images: ids, tags: ['a'] })
  const terms = { query: { tag: 'b' } }
  await test.app.db.savedView.create({ data: { userId: person.viewer.userId, name: 'B', terms } })
  expect(await caller.library.show()).toMatchObject({
    albums: [{ id, title: 'Trip', order: 'manual', visibility: 'private', coverId: null }],
    tags: ['a', 'b'],
    views: [{ name: 'B', terms }],
  })
  const { items, isLast } = await caller.library.places({ id })
  expect([items.map((item) => item.id), isLast]).toEqual([ids, true])
  const after = items[0] ?? expect.unreachable()
  expect((await caller.library.places({ id, after })).items).toEqual(items.slice(1))
})
