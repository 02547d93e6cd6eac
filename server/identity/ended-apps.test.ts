import { expect, test } from 'vitest'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { listEndedApps } from './ended-apps.ts'
import { sealSecret } from './seal.ts'

test('lists whose app does not work with a secret of the site', async () => {
  await using started = await startApp()
  const { db, config } = started.app
  const [one, two] = [await started.person(), await started.person()]
  for (const [{ viewer }, secret] of [[one, config.secret] as const, [two, 'another secret'] as const]) {
    const sealedSecret = sealSecret({ secret }, 'JBSWY3DPEHPK3PXP', `totp/${viewer.userId}`)
    await db.totpFactor.create({ data: { userId: viewer.userId, sealedSecret } })
  }
  const names = [one.viewer.username, two.viewer.username]
  expect(await listEndedApps(db, config.secret)).toEqual([two.viewer.username])
  expect(await listEndedApps(db, 'another secret')).toEqual([one.viewer.username])
  expect((await listEndedApps(db, null)).toSorted()).toEqual(names.toSorted())
})
