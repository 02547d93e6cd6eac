import { expect, test, vi } from 'vitest'
import { insertBareImage } from '#testing/insert-image.ts'
import { startApp } from '#testing/sluice-app.ts'

test('allows two minutes for the deletion of an account', async () => {
  await using served = await startApp()
  const { db } = served.app
  const [owner, person] = [await served.person({ role: 'superadmin' }), await served.person()]
  await insertBareImage(db, person.viewer.userId)
  using transactions = vi.spyOn(db, '$transaction')
  await served.as(owner).user.delete({ id: person.viewer.userId })
  expect(transactions.mock.calls[0]?.[1]).toEqual({ timeout: 120_000, maxWait: 120_000 })
  expect([await db.user.count({ where: { id: person.viewer.userId } }), await db.image.count()]).toEqual([0, 0])
})
