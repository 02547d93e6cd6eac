import { expect, test } from 'vitest'
import { resetPassword } from '#testing/accounts/reset-password.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

test('recent activity names administrators by their display names, and never by their user names', async () => {
  await using scene = await startApp()
  await scene.person({ role: 'superadmin' })
  const [person, admin] = [await scene.person(), await scene.person({ role: 'admin' })]
  const { userId, username } = person.viewer
  await resetPassword(scene, admin, userId, 'quite another password')
  const { id } = await scene.app.db.session.create({
    data: { userId, userAgent: '', address: '', expiresAt: new Date(Date.now() + 60_000) },
  })
  const again = { ...person, viewer: { ...person.viewer, sessionId: id } }
  const read = async () => (await scene.as(again).audit.mine({})).items
  const names = async () => (await read()).filter(({ actor }) => actor.id === admin.viewer.userId)
  expect((await names()).map(({ actor }) => actor.name)).toEqual([''])
  await scene.as(admin).account.setDisplayName({ displayName: 'Ada' })
  expect((await names()).map(({ actor }) => actor.name)).toEqual(['Ada'])
  const text = JSON.stringify(await read())
  expect([text.includes(username), text.includes(admin.viewer.username)]).toEqual([true, false])
})
