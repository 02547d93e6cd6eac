import { expect, test } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { gatedDatabase } from '#testing/gated.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { makeDeletionLink } from './deletion-link.ts'

test('a link created during the ban of its account is deleted with the others', async () => {
  await using served = await startApp({ DATABASE_URL: await createPostgresDatabase() })
  const { db } = served.app
  const [root, owner] = [await served.person({ role: 'superadmin' }), await served.person()]
  const token = await insertToken(served, owner, ['upload'])
  const image = await insertBareImage(db, owner.viewer.userId)
  const [reached, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gate = async (next: string) => {
    if (next !== 'deletionLink.create') return
    reached.resolve()
    await mayGo.promise
  }
  const making = makeDeletionLink(gatedDatabase(db, gate, { inside: true }), image.id, token.id)
  await reached.promise
  const banning = served.as(root).user.ban({ id: owner.viewer.userId })
  await expect.poll(() => db.$queryRaw`SELECT DISTINCT 1 FROM pg_locks WHERE NOT granted`).toHaveLength(1)
  mayGo.resolve()
  expect(await making).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await banning).toMatchObject({ banned: true })
  expect(await db.deletionLink.count()).toBe(0)
})
