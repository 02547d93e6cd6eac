import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImageSpec, insertImages } from '#testing/library/bulk-scene.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp({ DATABASE_URL: await createPostgresDatabase() })
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
})

const shuffled = (ids: readonly string[], by: number) => ids.map((_, index) => ids[(index * 7 + by) % ids.length] ?? '')

test('concurrent purges of the same images in any order purge and count each once, without a deadlock', async () => {
  const { db } = served.app
  const [root, self, other, third] = [
    await served.person({ role: 'superadmin' }),
    await served.person(),
    await served.person(),
    await served.person(),
  ]
  const owners = { self: self.viewer.userId, other: other.viewer.userId, third: third.viewer.userId }
  const specs = Array.from({ length: 60 }, (_, index): ImageSpec => {
    return { owner: index % 3 ? 'self' : 'other', visibility: 'public', trashed: true, twin: index % 2 === 0 }
  })
  const ids = await insertImages(db, owners, specs)
  const calls = served.as(root)
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, by) => [
      calls.image.purgeMany({ ids: shuffled(ids, by) }),
      calls.image.setVisibilityMany({ ids: shuffled(ids, by + 3), visibility: 'private' }),
      calls.image.deleteMany({ ids: shuffled(ids, by + 11) }),
      served.as(self).image.purgeMany({ ids: shuffled(ids, by + 5).slice(0, 20) }),
    ]).flat(),
  )
  const purged = answers
    .flatMap(({ items }) => items)
    .filter((item) => item.outcome === 'done' && item.image === null)
    .map(({ id }) => id)
  expect(purged.toSorted()).toEqual([...ids].sort())
  expect(await db.image.count({ where: { id: { in: [...ids] } } })).toBe(0)
  const used = await db.user.findMany({
    where: { id: { in: [owners.self, owners.other] } },
    select: { usedBytes: true },
  })
  expect(used).toEqual([{ usedBytes: 0n }, { usedBytes: 0n }])
  // Objects shared with a third user stay; each of the others is marked and has a job.
  expect(await db.storedObject.count({ where: { images: { some: {} }, state: 'live' } })).toBe(30)
  const jobs: unknown = await db.$queryRaw`SELECT count(*)::int AS "jobs" FROM "jobs"."job" WHERE "name" = 'removal'`
  expect(jobs).toEqual([{ jobs: 30 }])
  const deadlocks: unknown = await db.$queryRaw`
    SELECT "deadlocks" FROM pg_stat_database WHERE "datname" = current_database()`
  expect(deadlocks).toEqual([{ deadlocks: 0n }])
})
