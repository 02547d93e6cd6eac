import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { MAX_ENTRIES } from './create-report.ts'
import { CLOSED_MS, OPEN_MS, purgeReports } from './report-purge.ts'

let served: TestApp
let owner: Person
let admin: Person

beforeAll(async () => {
  served = await startApp({ SLUICE_WEBHOOK: 'http://127.0.0.1:9/', SLUICE_WEBHOOK_EVENTS: 'report.created' })
  owner = await served.person()
  admin = await served.person({ role: 'admin' })
  // Without one, nobody could be banned.
  await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

/** Each reporter has an address of its own. */
let addresses = 0
const address = () => `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`
type Image = Awaited<ReturnType<typeof insertBareImage>>
const insert = (options: Parameters<typeof insertBareImage>[2] = { visibility: 'public' }) =>
  insertBareImage(served.app.db, owner.viewer.userId, options)
type ReportInput = Parameters<ReturnType<TestApp['as']>['report']['create']>[0]
const report = (
  image: ReportInput['image'],
  more: Partial<ReportInput> = {},
  from = address(),
  by: Person | null = null,
) => served.as(by, from).report.create({ image, reason: 'spam', ...more })

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => JSON.stringify(value),
    (error: unknown) => `${Reflect.get(Object(error), 'code')}: ${error instanceof Error ? error.message : ''}`,
  )

async function find({ id }: { readonly id: string }, by = admin, state: 'open' | 'closed' = 'open') {
  const { items } = await served.as(by).report.list({ state, limit: 50 })
  return items.find(({ image }) => image.id === id)
}
const rowOf = ({ id }: Image) => served.app.db.image.findUniqueOrThrow({ where: { id } })
const events = async () => {
  const rows = await served.app.db.$queryRaw<{ data: unknown }[]>`
    SELECT "data" FROM "jobs"."job" WHERE "name" = 'webhook' ORDER BY "created_on"`
  return rows.map(({ data }) => data)
}

describe('a report', () => {
  test('of several people is one entry with their reasons and a count, and one event', async () => {
    const image = await insert({ visibility: 'public', title: 'Fair' })
    const before = (await events()).length
    const user = await served.person()
    expect(await report({ slug: image.slug }, { reason: 'privacy', text: 'That is me.\u202e' }, '203.0.113.9')).toEqual(
      {},
    )
    await report({ id: image.id }, {}, '203.0.114.9')
    await report({ id: image.id }, { text: 'An advertisement' }, address(), user)
    const item = await find(image)
    expect(item).toMatchObject({
      image: { slug: image.slug, title: 'Fair', visibility: 'public', isTrashed: false },
      owner: { id: owner.viewer.userId, isBanned: false },
      ...{ mayBan: true, closedAt: null, outcome: null, count: 3 },
      reasons: [
        { reason: 'spam', count: 2 },
        { reason: 'privacy', count: 1 },
      ],
    })
    expect(item?.notes.map(({ username, address, text }) => [username, address, text])).toEqual([
      [user.viewer.username, null, 'An advertisement'],
      [null, '203.0.114.9', ''],
      [null, '203.0.113.9', 'That is me.'],
    ])
    const sent = (await events()).slice(before)
    expect(sent).toMatchObject([{ type: 'report.created', data: { image: image.id, reason: 'privacy' } }])
    expect(JSON.stringify(sent)).not.toContain('That is me.')
  })

  test('of the same person replaces their first', async () => {
    const image = await insert()
    await report({ id: image.id }, { text: 'One' }, '203.0.113.20')
    await report({ id: image.id }, { reason: 'other', text: 'Two' }, '203.0.113.20')
    expect(await find(image)).toMatchObject({ count: 1, notes: [{ reason: 'other', text: 'Two' }] })
  })

  test('of an image that the reporter may not see is answered like one of an image that does not exist', async () => {
    const [hidden, trashed] = [
      await insert({ visibility: 'private' }),
      await insert({ visibility: 'public', trashed: true }),
    ]
    const missing = await outcome(report({ id: crypto.randomUUID() }))
    expect(missing).toMatch(/^NOT_FOUND/)
    for (const { id, slug } of [hidden, trashed]) {
      expect(await outcome(report({ id }))).toBe(missing)
      expect(await outcome(report({ slug }))).toBe(missing)
    }
    for (const name of ['A'.repeat(22), 'x', ''])
      expect(await outcome(report({ share: 'nothing', name }))).toBe(missing)
    expect(await served.app.db.report.count({ where: { imageId: { in: [hidden.id, trashed.id] } } })).toBe(0)
  })

  test('is answered the same whether others have reported the image, or an admin has decided', async () => {
    const image = await insert()
    const first = await outcome(report({ id: image.id }))
    expect(await outcome(report({ id: image.id }))).toBe(first)
    const item = await find(image)
    await served.as(admin).report.resolve({ id: item?.id ?? '', act: 'dismiss' })
    expect(await outcome(report({ id: image.id }))).toBe(first)
  })

  test('through a share shows admins the private image as the share does, and only with its visit', async () => {
    const image = await insert({ visibility: 'private' })
    const create = (more = {}) => served.as(owner).share.create({ target: { images: [image.id] }, ...more })
    const [open, closed] = [await create(), await create({ password: 'open sesame' })]
    const token = (url: string) => url.split('/').at(-1) ?? ''
    const nameIn = ({ id }: { id: string }) => served.app.sharing.keys.nameFor(id, image.id)
    await report({ share: token(open.url), name: nameIn(open) })
    const seen = await find(image)
    expect(seen).toMatchObject({ image: { slug: null, title: null }, notes: [{ isShared: true }] })
    expect(seen?.image.thumbnailUrl).toContain(`/i/s/${served.app.sharing.keys.keyFor(open.id)}/`)
    const through = { share: token(closed.url), name: nameIn(closed) }
    expect(await outcome(report(through))).toMatch(/^NOT_FOUND/)
    const { visit } = await served.as(null, address()).share.open({ token: through.share, password: 'open sesame' })
    expect(await outcome(report({ ...through, visit }))).toBe('{}')
    await served.as(owner).share.revoke({ id: open.id })
    expect((await find(image))?.image.thumbnailUrl).toBe(null)
    expect(await outcome(report({ share: token(open.url), name: nameIn(open) }))).toMatch(/^NOT_FOUND/)
  })

  test('of several images at once is an entry for each that is there, and counts them', async () => {
    const [one, two, hidden] = [await insert(), await insert(), await insert({ visibility: 'private' })]
    const from = address()
    expect(await outcome(report([{ id: one.id }, { slug: two.slug }, { id: hidden.id }], { text: 'All' }, from))).toBe(
      '{}',
    )
    for (const image of [one, two]) expect(await find(image)).toMatchObject({ count: 1, notes: [{ text: 'All' }] })
    expect(await find(hidden)).toBe(undefined)
    expect(await outcome(report([{ id: hidden.id }], {}, from))).toMatch(/^NOT_FOUND/)
    const many = Array.from({ length: 100 }, () => ({ id: one.id }))
    expect(await outcome(report(many, {}, from))).toMatch(/^TOO_MANY_REQUESTS/)
    expect(await outcome(report([], {}, from))).toMatch(/^BAD_REQUEST/)
  })

  test('is refused beyond 5 a minute from one address, whatever it names', async () => {
    const from = address()
    for (let at = 0; at < 5; at += 1) await outcome(report({ id: crypto.randomUUID() }, {}, from))
    expect(await outcome(report({ id: (await insert()).id }, {}, from))).toMatch(/^TOO_MANY_REQUESTS/)
  })

  test('keeps a bounded number of entries for each image', async () => {
    const image = await insert()
    await report({ id: image.id })
    const { id: reportId } = await served.app.db.report.findUniqueOrThrow({ where: { imageId: image.id } })
    const entry = (at: number) => ({ reportId, reporter: `203.0.112.${at}`, at: new Date(), reason: 'spam' })
    await served.app.db.reportEntry.createMany({ data: Array.from({ length: MAX_ENTRIES - 1 }, (_, at) => entry(at)) })
    expect(await outcome(report({ id: image.id }))).toBe('{}')
    expect((await find(image))?.count).toBe(MAX_ENTRIES)
  })
})

describe('a decision', () => {
  async function reported(options: Parameters<typeof insertBareImage>[2] = { visibility: 'link' }) {
    const image = await insert(options)
    await report({ id: image.id })
    return { image, id: (await find(image))?.id ?? '' }
  }

  test('to hide makes the image private under another address, and takes it out of shares and shared albums', async () => {
    const { image, id } = await reported()
    const other = await insert()
    await served.as(owner).share.create({ target: { images: [image.id, other.id] } })
    const album = await served.as(owner).album.create({ title: 'Shared' })
    const alone = await served.as(owner).album.create({ title: 'Not shared' })
    for (const each of [album, alone]) await served.as(owner).album.add({ id: each.id, images: [image.id, other.id] })
    await served.as(owner).share.create({ target: { album: album.id } })
    await served.as(admin).report.resolve({ id, act: 'hide' })
    const row = await rowOf(image)
    expect([row.visibility, row.slug === image.slug]).toEqual(['private', false])
    expect(await served.app.db.shareImage.count({ where: { imageId: image.id } })).toBe(0)
    const albums = await served.app.db.albumImage.findMany({ where: { imageId: image.id } })
    expect(albums.map(({ albumId }) => albumId)).toEqual([alone.id])
    expect(await served.app.db.shareImage.count({ where: { imageId: other.id } })).toBe(1)
    expect(await find(image)).toBe(undefined)
    expect(await find(image, admin, 'closed')).toMatchObject({ outcome: 'hide', closedBy: admin.viewer.username })
  })

  test('to move to the trash can be undone', async () => {
    const { image, id } = await reported()
    await served.as(admin).report.resolve({ id, act: 'trash' })
    expect((await rowOf(image)).trashedAt).not.toBe(null)
    await served.as(admin).report.reopen({ id })
    expect((await rowOf(image)).trashedAt).toBe(null)
    expect(await find(image)).toMatchObject({ closedAt: null, outcome: 'trash' })
  })

  test('to ban moves the image to the trash and bans its owner, unless that is an admin', async () => {
    const person = await served.person()
    const image = await insertBareImage(served.app.db, person.viewer.userId, { visibility: 'link' })
    await report({ id: image.id })
    const item = await find(image)
    await served.as(admin).report.resolve({ id: item?.id ?? '', act: 'ban', reason: 'Spam' })
    const banned = await served.app.db.user.findUniqueOrThrow({ where: { id: person.viewer.userId } })
    expect([banned.bannedAt === null, banned.banReason]).toEqual([false, 'Spam'])
    expect((await rowOf(image)).trashedAt).not.toBe(null)
    const other = await served.person({ role: 'admin' })
    const admins = await insertBareImage(served.app.db, other.viewer.userId, { visibility: 'link' })
    await report({ id: admins.id })
    const unbanned = await find(admins)
    expect(unbanned?.mayBan).toBe(false)
    expect(await outcome(served.as(admin).report.resolve({ id: unbanned?.id ?? '', act: 'ban' }))).toMatch(/^FORBIDDEN/)
    expect(await rowOf(admins)).toMatchObject({ trashedAt: null })
    expect(await find(admins)).toMatchObject({ closedAt: null })
  })

  test('is made once: of two admins, the second learns of the first', async () => {
    const { id } = await reported()
    const second = await served.person({ role: 'admin' })
    const outcomes = await Promise.all(
      [admin, second].map((by) => outcome(served.as(by).report.resolve({ id, act: 'dismiss' }))),
    )
    expect(outcomes.map((each) => each.slice(0, 8)).sort()).toEqual(['CONFLICT', `{"id":"${id}`.slice(0, 8)])
  })

  test('holds until somebody new reports the image, not those whose reports were dismissed', async () => {
    const image = await insert()
    await report({ id: image.id }, {}, '203.0.113.40')
    const { id = '' } = (await find(image)) ?? {}
    await served.as(admin).report.resolve({ id, act: 'dismiss' })
    await report({ id: image.id }, { text: 'Again' }, '203.0.113.40')
    expect(await find(image)).toBe(undefined)
    await report({ id: image.id }, {}, '203.0.115.40')
    expect(await find(image)).toMatchObject({ id, outcome: 'dismiss', count: 2 })
  })

  test('is shown to shared admins without those who reported, and not made by them', async () => {
    const { image, id } = await reported()
    const shared = await served.person({ role: 'admin', shared: true })
    expect(await find(image, shared)).toMatchObject({ mayBan: false, notes: [{ address: null, username: null }] })
    expect(await outcome(served.as(shared).report.resolve({ id, act: 'dismiss' }))).toMatch(/^FORBIDDEN/)
  })
})

test('reports are deleted 90 days after a decision, and a year after the last of an undecided one', async () => {
  const { db } = served.app
  const [closed, open, young] = [await insert(), await insert(), await insert()]
  for (const { id } of [closed, open, young]) await report({ id })
  const ago = (ms: number) => new Date(Date.now() - ms)
  await db.report.update({ where: { imageId: closed.id }, data: { closedAt: ago(CLOSED_MS + 60_000) } })
  await db.report.update({ where: { imageId: open.id }, data: { lastAt: ago(OPEN_MS + 60_000) } })
  await db.report.update({ where: { imageId: young.id }, data: { closedAt: ago(CLOSED_MS - 60_000) } })
  expect(await purgeReports(db)).toBe(2)
  const left = await db.report.findMany({ where: { imageId: { in: [closed.id, open.id, young.id] } } })
  expect(left.map(({ imageId }) => imageId)).toEqual([young.id])
})

test('a report ends with its image, and its reporter’s name with the account', async () => {
  const image = await insert()
  const user = await served.person()
  await report({ id: image.id }, {}, address(), user)
  await served.app.db.user.delete({ where: { id: user.viewer.userId } })
  expect((await find(image))?.notes).toMatchObject([{ username: null, address: null }])
  await served.app.db.image.delete({ where: { id: image.id } })
  expect(await served.app.db.reportEntry.count({ where: { report: { imageId: image.id } } })).toBe(0)
})
