import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { sweeping, trash } from './maintenance-jobs.ts'
import { purgeDue, purgeTime } from './trash-purge.ts'

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp()
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())

const day = 24 * 60 * 60_000
const now = new Date('2026-03-31T12:00:00.000Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * day)

async function trashed(trashedAt: Date): Promise<string> {
  const { id } = await insertBareImage(served.app.db, owner.viewer.userId)
  await served.app.db.image.update({ where: { id }, data: { trashedAt } })
  await served.app.db.user.update({ where: { id: owner.viewer.userId }, data: { usedBytes: { increment: 1 } } })
  return id
}

test.each([
  [null, 30, null],
  [now, 0, null],
  [now, 30, new Date('2026-04-30T12:00:00.000Z')],
] as const)('what is in the trash since %o is purged after %i days at %o', (trashedAt, days, purgeAt) => {
  expect(purgeTime(trashedAt, days)).toEqual(purgeAt)
})

test('images in the trash have the time of their purge', async () => {
  const { id } = await insertBareImage(served.app.db, owner.viewer.userId)
  const { image } = served.as(owner)
  expect(await image.get({ id })).toMatchObject({ trashedAt: null, purgeAt: null })
  const { trashedAt, purgeAt } = await image.delete({ id })
  expect(Date.parse(purgeAt ?? '') - Date.parse(trashedAt ?? '')).toBe(30 * day)
  expect(await image.restore({ id })).toMatchObject({ trashedAt: null, purgeAt: null })
})

test('the trash is listed by time of deletion, with pagination', async () => {
  const person = await served.person()
  const ids: string[] = []
  for (let image = 0; image < 6; image += 1) {
    ids.push((await insertBareImage(served.app.db, person.viewer.userId, { trashed: true })).id)
  }
  // The oldest image was deleted last, and three at one instant.
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = ids
  const at = { [a]: 1, [b]: 2, [c]: 2, [d]: 2, [e]: 4, [f]: 3 }
  for (const [id, days] of Object.entries(at)) {
    await served.app.db.image.update({ where: { id }, data: { trashedAt: daysAgo(days) } })
  }
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await served.as(person).image.list({ trash: true, limit: 2, ...(cursor && { cursor }) })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual([a, ...[b, c, d].sort().reverse(), f, e])
})

test('purges images that are due and not restored, and frees their owner’s storage', async () => {
  const { db } = served.app
  const usedBefore = (await db.user.findUniqueOrThrow({ where: { id: owner.viewer.userId } })).usedBytes
  const [due, later, restored] = [await trashed(daysAgo(30)), await trashed(daysAgo(29)), await trashed(daysAgo(31))]
  await served.as(owner).image.restore({ id: restored })
  const removed: string[] = []
  const removals = { add: async (_: unknown, sha256s: readonly string[]) => void removed.push(...sha256s) }
  const count = await purgeDue(db, { days: 30, now, removals })
  expect([count, removed.length]).toEqual([1, 1])
  const left = await db.image.findMany({ where: { id: { in: [due, later, restored] } }, select: { id: true } })
  expect(left.map(({ id }) => id).sort()).toEqual([later, restored].sort())
  const user = await db.user.findUniqueOrThrow({ where: { id: owner.viewer.userId } })
  expect(user.usedBytes).toBe(usedBefore + 2n)
  expect(await purgeDue(db, { days: 0, now: new Date(8.64e15), removals: { add: () => expect.unreachable() } })).toBe(0)
})

test('maintenance purges and sweeps, and superadmins see the results', async () => {
  const root = await served.person({ role: 'superadmin' })
  await trashed(new Date(Date.now() - 31 * day))
  const due = await served.app.db.image.count({ where: { trashedAt: { lte: new Date(Date.now() - 30 * day) } } })
  await served.app.jobs.send(null, trash, [{ data: {} }])
  await jobsDone(served.app)
  await served.app.jobs.send(null, sweeping, [{ data: {} }])
  await jobsDone(served.app)
  expect(await served.as(root).site.maintenance()).toMatchObject([
    { name: 'trash', report: { purged: due } },
    { name: 'sweep', report: { listed: 0, orphans: 0, remaining: 0 } },
  ])
})
