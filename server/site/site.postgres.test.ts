import { expect, test } from 'vitest'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { within } from '#testing/within.ts'

test('a change applies in every process within a second, and a conflict between them is seen', async () => {
  const shared = { DATABASE_URL: await createPostgresDatabase(), SLUICE_SECRET: 'x'.repeat(40) }
  await using one = await startApp(shared)
  await using other = await startApp(shared)
  const root = await one.person({ role: 'superadmin' })
  const [here, there] = [one.as(root).site, other.as(root).site]
  await here.update({ version: 0, change: { SLUICE_NAME: 'Bilder', SLUICE_CACHE_SECONDS: '7' } })
  expect(one.app.site.read()).toMatchObject({ name: 'Bilder', cacheSeconds: 7 })
  await within(1_000, async () => expect(other.app.site.read()).toMatchObject({ name: 'Bilder', cacheSeconds: 7 }))
  const both = await Promise.allSettled([
    here.update({ version: 1, change: { SLUICE_NAME: 'Here' } }),
    there.update({ version: 1, change: { SLUICE_NAME: 'There' } }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const name = both[0]?.status === 'fulfilled' ? 'Here' : 'There'
  await expect.poll(() => [one, other].map(({ app }) => app.site.read().name)).toEqual([name, name])
})
