import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { MAX_SESSIONS_PER_ADDRESS, openSession } from './sessions.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp()
})
afterAll(() => served[Symbol.asyncDispose]())

test('repeated sign-ins end the oldest sessions from the same address only', async () => {
  const { db } = served.app
  const { viewer } = await served.person()
  const { userId, sessionId } = viewer
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { id: true, passwordHash: true } })
  const from = { address: '192.0.2.1', userAgent: 'a script' }
  const later = new Date(Date.now() + 60_000)
  const rows = Array.from({ length: MAX_SESSIONS_PER_ADDRESS }, (_, at) => {
    return { ...from, userId, expiresAt: later, createdAt: new Date(1_000 * at) }
  })
  const [oldest, second] = await db.session.createManyAndReturn({ data: rows, select: { id: true } })
  const opened = await openSession(db, user, from)
  const ids = new Set((await db.session.findMany({ where: { userId }, select: { id: true } })).map(({ id }) => id))
  expect(ids.size).toBe(MAX_SESSIONS_PER_ADDRESS + 1)
  expect([oldest, second, { id: opened?.sessionId }, { id: sessionId }].map((each) => ids.has(each?.id ?? ''))).toEqual(
    [false, true, true, true],
  )
})

test('a sign-in deletes expired sessions', async () => {
  const { db } = served.app
  const { viewer } = await served.person()
  const { userId } = viewer
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { id: true, passwordHash: true } })
  await db.session.create({ data: { userId, userAgent: '', address: '192.0.2.9', expiresAt: new Date(0) } })
  const opened = await openSession(db, user, { address: '192.0.2.9', userAgent: '' })
  const left = await db.session.findMany({ where: { userId }, select: { id: true } })
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([viewer.sessionId, opened?.sessionId]))
})
