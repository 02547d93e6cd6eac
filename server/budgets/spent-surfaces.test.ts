import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { awayFromMidnight } from '#testing/away-from-midnight.ts'
import { behindProxy, read, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
let root: Person
beforeAll(async () => {
  // A budget is spent until midnight only, so the test must not cross it.
  await awayFromMidnight(20_000)
  served = await startApp(behindProxy)
  owner = await served.person()
  root = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const period of ['day', 'month'] as const) {
    for (const unit of ['reads', 'writes'] as const) await set(period, unit, null)
  }
  await served.as(root).budget.set({ period: 'standing', unit: 'stored', limit: null })
})

const set = (period: 'day' | 'month', unit: 'reads' | 'writes', limit: number | null) =>
  served.as(root).budget.set({ period, unit, limit, note: 'a test' })

/** Returns all leases, so that the next request checks the budgets. */
const returnLeases = () => served.app.budgets.close()

it('answers a read with 503 and a message until the period ends, and logs no error', async () => {
  const log = vi.spyOn(served.app.log, 'error')
  const image = await storeImageFor(served, owner)
  await returnLeases()
  await set('day', 'reads', 0)
  const answer = await read(image.url)
  const seconds = Number(answer.headers.get('retry-after'))
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store'])
  expect(await answer.text()).toMatch(
    /^This site has used up its budget for reading and storing images\. Try again after \d{4}-\d\d-\d\d 00:00 UTC\.\n$/,
  )
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(86_400)
  await set('day', 'reads', null)
  expect((await read(image.url)).status).toBe(200)
  expect(log).not.toHaveBeenCalled()
})

it('refuses an upload with the same message, and still purges the trash', async () => {
  const bytes = await picture({ width: 8, height: 8 })
  const { id } = await uploadAccepted(served, owner, bytes)
  await returnLeases()
  await set('month', 'writes', 0)
  const answer = await sendUpload(served, owner, await picture({ width: 9, height: 9 }))
  const { error } = await answer.json()
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(5)
  expect(error.message).toMatch(/^This site has used up its budget/)
  expect(error.data).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'budget-spent' })
  await served.as(owner).image.delete({ id })
  await served.as(owner).image.purge({ id })
  await expect
    .poll(() => Array.fromAsync(served.app.images.store.list(''), ({ key }) => key).catch(() => 'spent'))
    .toBe('spent')
  await expect.poll(() => served.app.db.storedObject.count({ where: { state: 'deleting' } })).toBe(0)
})

it('stores an upload of existing bytes without a read', async () => {
  const bytes = await picture({ width: 7, height: 8 })
  const { sha256 } = await uploadAccepted(served, owner, bytes)
  await returnLeases()
  await set('day', 'reads', 0)
  expect((await uploadAccepted(served, root, bytes)).sha256).toBe(sha256)
})

it('refuses an upload to a full store without leaving any bytes, and stores it once there is room', async () => {
  const { bytes: before } = await served.app.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })
  const file = await picture({ width: 300, height: 300 })
  await served.as(root).budget.set({ period: 'standing', unit: 'stored', limit: Number(before) + 10 })
  const refused = await sendUpload(served, owner, file)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3600'])
  expect((await refused.json()).error.message).toBe(
    'The storage of this site is full. No image can be added right now.',
  )
  expect((await served.app.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })).bytes).toBe(before)
  const { budgets } = await served.as(root).budget.alerts()
  expect(budgets.map(({ unit }) => unit)).toEqual(before > 0n ? ['stored'] : [])
  await served.as(root).budget.set({ period: 'standing', unit: 'stored', limit: 10_000_000 })
  await uploadAccepted(served, owner, file)
})

it('refuses only images that are larger than the room left', async () => {
  const { bytes: before } = await served.app.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })
  const create = { width: 1_000, height: 800, channels: 3, background: 'teal' } as const
  const file = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer()
  await served.as(root).budget.set({ period: 'standing', unit: 'stored', limit: Number(before) + 2_000_000 })
  const refused = await sendUpload(served, owner, file)
  const { error } = await refused.json()
  expect([refused.status, refused.headers.get('retry-after'), error.data.reason]).toEqual([413, null, 'over-site'])
  expect(error.message).toBe('This image does not fit into the storage left on this site. A smaller one may fit.')
  expect((await served.app.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })).bytes).toBe(before)
  await uploadAccepted(served, owner, await picture({ width: 31, height: 30 }))
  const { budgets } = await served.as(root).budget.alerts()
  expect(budgets.filter(({ unit, state }) => unit === 'stored' && state === 'spent')).toEqual([])
})

it('audits budget changes, and reports usage to superadmins and to each user', async () => {
  const image = await storeImageFor(served, owner)
  await set('day', 'reads', 1_000)
  await set('day', 'reads', 2_000)
  expect((await read(image.url, owner)).status).toBe(200)
  const entries = await served.app.db.auditEntry.findMany({ where: { action: 'budget.set' }, orderBy: { id: 'desc' } })
  expect(entries[0]).toMatchObject({
    target: 'day/reads',
    actorName: root.viewer.username,
    before: { limit: 1_000, note: 'a test' },
    after: { limit: 2_000, note: 'a test' },
  })
  await served.app.usage.flush()
  const overview = await served.as(root).budget.overview()
  expect(overview.prices.provider).toBe('disk')
  expect(overview.budgets).toMatchObject([{ period: 'day', unit: 'reads', limit: 2_000, state: 'fine', isFree: false }])
  const procedures = overview.procedures.map(({ procedure }) => procedure)
  expect(procedures).toEqual(expect.arrayContaining(['image.upload', 'image bytes (original)', 'other']))
  expect(overview.days.map(({ day }) => day)).toEqual([overview.day])
  expect([overview.isFree, overview.bill]).toEqual([true, null])
  expect(overview.storedDays.at(-1)).toEqual({ day: overview.day, bytes: overview.stored.bytes })
  const originals = overview.procedures.find(({ procedure }) => procedure === 'image bytes (original)')
  const { _sum: sum } = await served.app.db.usageDay.aggregate({ _sum: { calls: true, sent: true } })
  const [calls, sent] = [Number(sum.calls), Number(sum.sent)]
  expect([originals?.requests, originals?.requestDays.at(Number(overview.day.slice(8)) - 1)]).toEqual([calls, calls])
  expect(overview.served).toEqual([{ day: overview.day, calls, sent }])
  expect(overview.images).toContainEqual(
    expect.objectContaining({ id: image.id, owner: owner.viewer.username, reads: 1, sent: image.bytes.length }),
  )
  expect(overview.subjects.map(({ subject }) => subject)).toContainEqual({
    key: owner.viewer.userId,
    kind: 'user',
    name: owner.viewer.username,
  })
  const mine = await served.as(owner).budget.mine()
  expect(mine.sent).toBe(image.bytes.length)
  expect(mine.calls).toBe(1)
  expect(mine.added.bytes).toBeGreaterThanOrEqual(image.bytes.length)
})

it('does not reveal through usage figures that another user has the same file', async () => {
  const [first, second, third] = [await served.person(), await served.person(), await served.person()]
  const file = await picture({ width: 33, height: 30, seed: 1 })
  for (const [person, bytes] of [
    [first, file],
    [second, file],
    [third, await picture({ width: 33, height: 30, seed: 2 })],
  ] as const)
    await uploadAccepted(served, person, bytes)
  await served.app.usage.flush()
  const [duplicate, unique] = [await served.as(second).budget.mine(), await served.as(third).budget.mine()]
  expect(duplicate).toEqual({ ...unique, added: { images: 1, bytes: expect.any(Number) } })
  const { calls, sent, days } = duplicate
  expect({ calls, sent, days }).toEqual({ calls: 0, sent: 0, days: [] })
})
