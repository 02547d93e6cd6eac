import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { MAX_TAGS, MAX_TAGS_OF_IMAGE } from './tag-rows.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp()
})
afterAll(() => served[Symbol.asyncDispose]())

async function makeOwner(count: number): Promise<{ owner: Person; ids: string[] }> {
  const owner = await served.person()
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    ids.push((await insertBareImage(served.app.db, owner.viewer.userId)).id)
  }
  return { owner, ids: ids.sort() }
}

const insertTags = (ownerId: string, names: readonly string[]) =>
  served.app.db.tag.createManyAndReturn({ data: names.map((name) => ({ ownerId, name, nameKey: name })) })

describe('tags', () => {
  test('are given and taken, each image answered, with what changed', async () => {
    const { owner, ids } = await makeOwner(2)
    const [first = '', second = ''] = ids
    const calls = served.as(owner)
    await calls.tag.add({ images: [first], tags: ['Sea', 'sun'] })
    const { items } = await calls.tag.add({
      images: [second, first, crypto.randomUUID()],
      tags: [' SEA ', 'sand', 'sand'],
    })
    expect(items).toMatchObject([
      { id: second, outcome: 'done', changed: ['Sea', 'sand'], image: { tags: ['sand', 'Sea'] } },
      { id: first, outcome: 'done', changed: ['sand'], image: { tags: ['sand', 'Sea', 'sun'] } },
      { outcome: 'not-found' },
    ])
    const taken = await calls.tag.remove({ images: [first, second], tags: ['sea', 'sun', 'unknown'] })
    expect(taken.items).toMatchObject([
      { id: first, changed: ['Sea', 'sun'], image: { tags: ['sand'] } },
      { id: second, changed: ['Sea'], image: { tags: ['sand'] } },
    ])
    expect((await calls.image.list({})).items.map(({ tags }) => tags)).toEqual([['sand'], ['sand']])
    expect((await calls.tag.list()).items).toMatchObject([
      { name: 'sand', count: 2, more: false },
      { name: 'Sea', count: 0 },
      { name: 'sun', count: 0 },
    ])
  })

  test('are the owner’s, also when a superadmin gives them; guests see those of readable images', async () => {
    const { owner, ids } = await makeOwner(1)
    const [id = ''] = ids
    const root = await served.person({ role: 'superadmin' })
    await served.as(root).tag.add({ images: [id], tags: ['theirs'] })
    expect((await served.as(root).tag.list()).items).toEqual([])
    expect((await served.as(owner).tag.list()).items).toMatchObject([{ name: 'theirs', count: 1 }])
    expect(await served.as(null).image.get({ id })).toMatchObject({ tags: ['theirs'], favourite: false })
    await served.app.db.image.update({ where: { id }, data: { visibility: 'private' } })
    const admin = await served.person({ role: 'admin' })
    const { items } = await served.as(admin).image.list({ scope: 'all', limit: 100 })
    expect(items.find((item) => item.id === id)).toMatchObject({ tags: null, description: null })
  })

  test('an image has at most 100: the answer says which image is full', async () => {
    const { owner, ids } = await makeOwner(2)
    const [full = '', roomy = ''] = ids
    const names = Array.from({ length: MAX_TAGS_OF_IMAGE }, (_, index) => `t${index}`)
    const tags = await insertTags(owner.viewer.userId, names)
    await served.app.db.imageTag.createMany({ data: tags.map(({ id }) => ({ tagId: id, imageId: full })) })
    const calls = served.as(owner)
    expect((await calls.tag.add({ images: ids, tags: ['one more'] })).items.map(({ outcome }) => outcome)).toEqual([
      'too-many-tags',
      'done',
    ])
    expect((await calls.tag.add({ images: [full], tags: ['t5'] })).items).toMatchObject([
      { outcome: 'done', changed: [] },
    ])
    expect(await served.app.db.imageTag.count({ where: { imageId: { in: [full, roomy] } } })).toBe(101)
  })

  test('an owner has at most 10,000; lists of them are bounded, complete and ordered', async () => {
    const { owner, ids } = await makeOwner(1)
    const calls = served.as(owner)
    const names = Array.from({ length: MAX_TAGS }, (_, index) => `n${String(index).padStart(5, '0')}`)
    const { userId: ownerId } = owner.viewer
    await served.app.db.tag.createMany({ data: names.map((name) => ({ ownerId, name, nameKey: name })) })
    await expect(calls.tag.add({ images: ids, tags: ['more'] })).rejects.toMatchObject({ code: 'CONFLICT' })
    await calls.tag.add({ images: ids, tags: ['N00007'] })
    const first = await calls.tag.list({ limit: 100 })
    expect(first.items.map(({ name }) => name)).toEqual(names.slice(0, 100))
    expect(first.items[7]?.count).toBe(1)
    const second = await calls.tag.list({ limit: 100, cursor: first.nextCursor ?? '' })
    expect(second.items.map(({ name }) => name)).toEqual(names.slice(100, 200))
    const found = await calls.tag.list({ text: '999', limit: 20 })
    expect(found.items.map(({ name }) => name)).toEqual(names.filter((name) => name.includes('999')))
    expect(found.nextCursor).toBeNull()
    await expect(calls.tag.list({ limit: 101 })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(calls.tag.list({ cursor: 'a\0' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect((await calls.tag.list({ text: '%_\\\0' })).items).toEqual([])
  })

  test('completion has the beginnings first, and pages across them', async () => {
    const { owner } = await makeOwner(0)
    await insertTags(owner.viewer.userId, ['albus', 'bus', 'busy', 'columbus', 'tram'])
    const calls = served.as(owner)
    const first = await calls.tag.list({ text: 'BUS', limit: 3 })
    expect(first.items.map(({ name }) => name)).toEqual(['bus', 'busy', 'albus'])
    const second = await calls.tag.list({ text: 'BUS', limit: 3, cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({ items: [{ name: 'columbus' }], nextCursor: null })
  })

  test('the longest name that normalises to the longest key is stored', async () => {
    const { owner, ids } = await makeOwner(1)
    const name = '\ufdfa'.repeat(64)
    const { items } = await served.as(owner).tag.add({ images: ids, tags: [name] })
    expect(items).toMatchObject([{ changed: [name] }])
    expect((await served.as(owner).tag.list({ text: '\ufdfa' })).items).toMatchObject([{ name, count: 1 }])
  })

  test('renaming keeps every image; onto an existing name it merges, or refuses if asked to', async () => {
    const { owner, ids } = await makeOwner(3)
    const [a = '', b = '', c = ''] = ids
    const calls = served.as(owner)
    await calls.tag.add({ images: [a, b], tags: ['see'] })
    await calls.tag.add({ images: [b, c], tags: ['Sea'] })
    expect(await calls.tag.rename({ tag: 'see', name: 'SEE' })).toMatchObject({ name: 'SEE', count: 2, merged: false })
    await expect(calls.tag.rename({ tag: 'see', name: 'sea', existing: 'refuse' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'You already have the tag “Sea”.',
    })
    expect(await calls.tag.rename({ tag: 'see', name: 'sea' })).toMatchObject({ name: 'Sea', count: 3, merged: true })
    expect((await calls.tag.list()).items).toMatchObject([{ name: 'Sea', count: 3 }])
    await expect(calls.tag.rename({ tag: 'see', name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a deleted tag is returned with its images, and given back by tag.add', async () => {
    const { owner, ids } = await makeOwner(2)
    const calls = served.as(owner)
    await calls.tag.add({ images: ids, tags: ['gone'] })
    const { name, images } = await calls.tag.delete({ tag: 'GONE' })
    expect({ name, images: images?.toSorted() }).toEqual({ name: 'gone', images: ids })
    expect(await calls.image.get({ id: ids[0] ?? '' })).toMatchObject({ tags: [] })
    await calls.tag.add({ images: images ?? [], tags: [name] })
    expect((await calls.tag.list()).items).toMatchObject([{ name: 'gone', count: 2 }])
  })

  test('are charged by the number of images, and bounded per call', async () => {
    const { owner, ids } = await makeOwner(1)
    const calls = served.as(owner)
    const hundred = [...ids, ...Array.from({ length: 99 }, () => crypto.randomUUID())]
    await calls.tag.add({ images: hundred, tags: ['a'] })
    await calls.tag.remove({ images: hundred, tags: ['a'] })
    await expect(calls.tag.add({ images: hundred, tags: ['a'] })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    const many = Array.from({ length: 100_000 }, (_, index) => `t${index}`)
    await expect(calls.tag.add({ images: ids, tags: many })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(calls.tag.add({ images: ids, tags: [] })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(calls.tag.add({ images: ids, tags: ['\u200b'] })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('favourites', () => {
  test('are the viewer’s own, also of another’s image', async () => {
    const { owner, ids } = await makeOwner(2)
    const [id = '', hidden = ''] = ids
    await served.app.db.image.update({ where: { id: hidden }, data: { visibility: 'private' } })
    const fan = served.as(await served.person())
    expect(await fan.image.favourite({ id, favourite: true })).toMatchObject({ id, favourite: true })
    expect(await fan.image.favourite({ id, favourite: true })).toMatchObject({ favourite: true })
    expect(await served.as(owner).image.get({ id })).toMatchObject({ favourite: false })
    const { items } = await fan.image.favouriteMany({ ids: [hidden, id], favourite: false })
    expect(items).toMatchObject([
      { id: hidden, outcome: 'not-found' },
      { id, outcome: 'done', image: { favourite: false } },
    ])
    await expect(fan.image.favourite({ id: hidden, favourite: true })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('descriptions', () => {
  test('keep their lines, and no signs that control', async () => {
    const { owner, ids } = await makeOwner(1)
    const [id = ''] = ids
    const calls = served.as(owner)
    const description = '  a\r\nb\u202e\u0000\u2028c\n\n\n\nשלום\u200f\td <b>海</b>\n'
    expect(await calls.image.update({ id, description })).toMatchObject({
      description: 'a\nb\nc\n\nשלום d <b>海</b>',
      title: 'pixel',
    })
    await expect(calls.image.update({ id, description: 'x'.repeat(2_001) })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
    expect(await calls.image.update({ id, description: ` ${'海'.repeat(2_000)} ` })).toMatchObject({
      description: '海'.repeat(2_000),
    })
    expect(await calls.image.update({ id, description: '' })).toMatchObject({ description: '' })
  })

  test('are not overwritten unseen', async () => {
    const { owner, ids } = await makeOwner(1)
    const [id = ''] = ids
    const calls = served.as(owner)
    await calls.image.update({ id, description: 'first', seenDescription: '' })
    await expect(calls.image.update({ id, description: 'second', seenDescription: '' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await calls.image.update({ id, description: 'first', seenDescription: '' })).toMatchObject({
      description: 'first',
    })
  })

  test('of others’ images, as a superadmin changes them, are recorded', async () => {
    const { ids } = await makeOwner(1)
    const [id = ''] = ids
    const root = served.as(await served.person({ role: 'superadmin' }))
    await root.image.update({ id, description: 'as it is' })
    const [entry] = (await root.audit.list({ target: `image/${id}` })).items
    expect(entry).toMatchObject({
      action: 'image.update',
      before: { description: '' },
      after: { description: 'as it is' },
    })
  })
})
