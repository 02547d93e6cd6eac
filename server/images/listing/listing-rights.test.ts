import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertListed, type ListedImage } from '#testing/library/listed-images.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let people: Record<'owner' | 'other' | 'admin' | 'root', Person>
beforeAll(async () => {
  served = await startApp({ SLUICE_GALLERY: 'on' })
  const [owner, other] = [await served.person(), await served.person()]
  const [admin, root] = [await served.person({ role: 'admin' }), await served.person({ role: 'superadmin' })]
  people = { owner, other, admin, root }
})
afterAll(() => served[Symbol.asyncDispose]())

type Viewer = keyof typeof people | 'guest'
const visibilities = ['private', 'link', 'public'] as const
const caller = (viewer: Viewer) => served.as(viewer === 'guest' ? null : people[viewer])

/** A word that only these three images of `owner` have, one of each visibility. */
async function insertThree(image: (word: string) => ListedImage) {
  const word = `w${crypto.randomUUID().slice(0, 8)}`
  const owner = people.owner.viewer.userId
  await insertListed(
    served,
    owner,
    visibilities.map((visibility) => ({ ...image(word), visibility })),
  )
  return word
}

/** Returns what a viewer finds, and fails unless the count is the same. */
async function findAs(
  viewer: Viewer,
  input: { scope?: 'mine' | 'all' | 'gallery'; query: object; sort?: 'title'; trash?: boolean },
) {
  const { image } = caller(viewer)
  const { items } = await image.list({ ...input, limit: 100 })
  expect(await image.count(input)).toEqual({ count: items.length, more: false })
  return items.map(({ visibility }) => visibility).sort()
}

describe.each<[string, (word: string) => ListedImage, (word: string) => object]>([
  ['title', (title) => ({ title }), (text) => ({ text })],
  ['description', (description) => ({ description }), (text) => ({ text })],
  ['tag', (tag) => ({ tags: [tag] }), (text) => ({ text })],
  ['tag as a filter', (tag) => ({ tags: [tag] }), (tag) => ({ tag })],
])('by %s', (_, image, query) => {
  test.each<[Viewer, 'mine' | 'all' | 'gallery', readonly string[]]>([
    ['owner', 'mine', ['link', 'private', 'public']],
    ['other', 'mine', []],
    ['guest', 'gallery', ['public']],
    ['other', 'gallery', ['public']],
    ['admin', 'all', ['link', 'public']],
    ['root', 'all', ['link', 'private', 'public']],
  ])('%s finds, and counts, in %s only what they may read', async (viewer, scope, expected) => {
    const word = await insertThree(image)
    expect(await findAs(viewer, { scope, query: query(word) })).toEqual(expected)
  })
})

test('in the trash an admin finds what is public', async () => {
  const word = await insertThree((title) => ({ title, trashedAt: new Date() }))
  expect(await findAs('admin', { scope: 'all', trash: true, query: { text: word } })).toEqual(['public'])
  expect(await findAs('root', { scope: 'all', trash: true, query: { text: word } })).toHaveLength(3)
  expect(await findAs('owner', { scope: 'mine', query: { text: word } })).toEqual([])
})

test('an order that tells titles has only what the viewer may read, also in the cursor', async () => {
  const owner = people.owner.viewer.userId
  await insertThree((word) => ({ title: `0 ${word}` }))
  const inOrder = { scope: 'all', sort: 'title', query: { owner } } as const
  expect(await findAs('admin', inOrder)).not.toContain('private')
  expect(await findAs('root', inOrder)).toContain('private')
  expect(await findAs('admin', { scope: 'all', query: { owner } })).toContain('private')
})

test('the title of an album finds images for its owner, and for others if the album is public', async () => {
  const word = await insertThree((album) => ({ albums: [album] }))
  const found = () =>
    Promise.all([
      findAs('owner', { scope: 'mine', query: { text: word } }),
      findAs('guest', { scope: 'gallery', query: { text: word } }),
      findAs('admin', { scope: 'all', query: { text: word } }),
    ])
  const all = ['link', 'private', 'public']
  expect(await found()).toEqual([all, [], []])
  await served.app.db.album.updateMany({ where: { title: word }, data: { visibility: 'public' } })
  expect(await found()).toEqual([all, ['public'], ['link', 'public']])
})

test('an album of others is not found while it is private, and lists what is public', async () => {
  const word = await insertThree((album) => ({ albums: [album] }))
  const { id: album } = await served.app.db.album.findFirstOrThrow({ where: { title: word }, select: { id: true } })
  for (const viewer of ['guest', 'other', 'admin'] as const) {
    await expect(caller(viewer).image.list({ scope: 'gallery', query: { album } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(caller(viewer).image.count({ scope: 'gallery', query: { album } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  }
  await served.app.db.album.update({ where: { id: album }, data: { visibility: 'link' }, select: { id: true } })
  const all = ['link', 'private', 'public']
  expect(await findAs('guest', { scope: 'gallery', query: { album } })).toEqual(['public'])
  expect(await findAs('guest', { query: { album } })).toEqual(['link', 'public'])
  expect(await findAs('admin', { query: { album } })).toEqual(['link', 'public'])
  expect(await findAs('owner', { query: { album } })).toEqual(all)
  expect(await findAs('root', { query: { album } })).toEqual(all)
  await served.app.db.album.update({ where: { id: album }, data: { deletedAt: new Date() }, select: { id: true } })
  await expect(caller('owner').image.list({ query: { album } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await findAs('owner', { scope: 'mine', query: { text: word } })).toEqual([])
})

test('what the file was called finds an image for its owner and admins, who are told it, and for nobody else', async () => {
  const word = await insertThree((filename) => ({ filename: `${filename}.png`, albums: [filename], title: 'Quay' }))
  const { id: album } = await served.app.db.album.findFirstOrThrow({ where: { title: word }, select: { id: true } })
  await served.app.db.album.update({ where: { id: album }, data: { visibility: 'link' }, select: { id: true } })
  const text = `${word}.png`
  expect(await findAs('owner', { scope: 'mine', query: { text } })).toEqual(['link', 'private', 'public'])
  expect(await findAs('admin', { scope: 'all', query: { text } })).toEqual(['link', 'public'])
  for (const viewer of ['owner', 'admin', 'root'] as const)
    expect(await findAs(viewer, { scope: 'gallery', query: { text } })).toEqual(['public'])
  for (const viewer of ['guest', 'other'] as const) {
    expect(await findAs(viewer, { scope: 'gallery', query: { text } })).toEqual([])
    expect(await findAs(viewer, { query: { text, album } })).toEqual([])
    expect(await findAs(viewer, { query: { text: 'quay', album } })).toEqual(['link', 'public'])
    expect(await caller(viewer).image.timeline({ scope: 'gallery', query: { text } })).toMatchObject({ total: 0 })
  }
})

test('admins find images by the names of their owners, users do not', async () => {
  const { username, userId } = people.owner.viewer
  await insertThree((title) => ({ title }))
  expect(await findAs('admin', { scope: 'all', query: { text: username.slice(1), owner: userId } })).not.toEqual([])
  expect(await findAs('other', { scope: 'gallery', query: { text: username.slice(1) } })).toEqual([])
})

test.each(['a'.repeat(201), 'a\0b', 'a'.repeat(10_000)])('rejects a text that is not valid: %#', async (text) => {
  const { image } = caller('owner')
  for (const call of [image.list, image.count, image.timeline])
    await expect(call({ query: { text } })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('looks for twenty words, and says so if there are more', async () => {
  const { image } = caller('owner')
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(' ')
  await image.list({ query: { text: ` ${words(20)} ` } })
  await expect(image.list({ query: { text: words(21) } })).rejects.toThrow('searchWords')
  await expect(image.list({ query: { text: 'a´'.repeat(21) } })).rejects.toThrow('searchWords')
})

test('wildcards are letters', async () => {
  await insertListed(served, people.other.viewer.userId, [{ title: '100%' }, { title: 'a_b\\c' }, { title: "it's" }])
  const titles = async (text: string) =>
    (await caller('other').image.list({ scope: 'mine', query: { text } })).items.map(({ title }) => title)
  expect(await titles('%')).toEqual(['100%'])
  expect(await titles('_')).toEqual(['a_b\\c'])
  expect(await titles('\\')).toEqual(['a_b\\c'])
  expect(await titles("'")).toEqual(["it's"])
  expect(await titles('%'.repeat(200))).toEqual([])
})

test('a search is charged to a set of its own, a list is not', async () => {
  const person = await served.person()
  const { image } = served.as(person)
  // All within the second of the rule, however slow the database is.
  const lists = Array.from({ length: 30 }, () => image.list({ query: { text: 'a' } }))
  await expect(image.count({ query: { text: 'a' } })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await Promise.all(lists)
  await image.list({})
})
