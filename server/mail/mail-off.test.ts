import { expect, test } from 'vitest'
import { isQueueFull } from '#server/jobs/job-rows.ts'
import { waitingJob } from '#testing/jobs/waiting-job.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

test('without a mail server nothing is queued, and what needs one says so', async () => {
  await using served = await startApp({ SLUICE_MAIL_FROM: 'sluice@example.org' })
  const { db, mail } = served.app
  const [root, person] = [await served.person({ role: 'superadmin' }), await served.person()]
  const off = { code: 'PRECONDITION_FAILED', message: 'This site sends no mail.' }
  await expect(served.as(null).account.forgotPassword({ login: 'ada' })).rejects.toMatchObject(off)
  await expect(served.as(person).account.setEmail({ email: 'ada@example.org' })).rejects.toMatchObject(off)
  await expect(served.as(root).invite.create({ email: 'ada@example.org' })).rejects.toMatchObject(off)
  await expect(served.as(root).mail.test({ to: 'ada@example.org' })).rejects.toMatchObject(off)
  const email = { email: 'ada@example.org', emailKey: 'ada@example.org', emailVerifiedAt: new Date() }
  await db.user.update({ where: { id: person.viewer.userId }, data: email })
  await db.$transaction((tx) => mail.note(tx, { userId: person.viewer.userId }, 'password'))
  expect(await served.as(root).invite.create({})).toMatchObject({ email: null })
  expect((await served.as(root).site.public()).hasMail).toBe(false)
  const rows: unknown[] = await db.$queryRaw`SELECT 1 FROM "jobs"."job" WHERE "name" = 'mail'`
  expect(rows).toEqual([])

  for (let at = 0; at < 2; at += 1) await waitingJob(db, 'mail')
  expect(await Promise.all([2, 3].map((most) => isQueueFull(db, 'mail', most)))).toEqual([true, false])
})
