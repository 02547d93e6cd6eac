import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { insertImage } from '#testing/insert-image.ts'
import { type PostgresServer, startPostgresServer } from '#testing/postgres-server.ts'
import { startApp } from '#testing/sluice-app.ts'
import { Maintenance, type Task } from './maintenance.ts'
import { imageTasks } from './maintenance-tasks.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgresServer()
})
afterAll(() => postgres[Symbol.asyncDispose]())
afterEach(() => void vi.useRealTimers())

const MINUTE = 60_000
const log = { info: () => undefined, error: () => undefined }

test('a process whose clock is behind keeps its claim while it lives', async () => {
  await using served = await startApp({ DATABASE_URL: await postgres.createDatabase() })
  const { db } = served.app
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() - 10 * MINUTE })
  let runs = 0
  const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const run: Task['run'] = async () => {
    runs += 1
    begun.resolve()
    await ending.promise
    return {}
  }
  const [one, other] = [1, 2].map(() => new Maintenance({ db, log }, [{ name: 'task', everyMs: MINUTE, run }]))
  const running = one?.runDue()
  await begun.promise
  const { startedAt } = await db.maintenanceTask.findFirstOrThrow()
  vi.advanceTimersByTime(MINUTE)
  await vi.waitFor(async () => {
    expect((await db.maintenanceTask.findFirstOrThrow()).aliveAt).not.toEqual(startedAt)
  })
  await other?.runDue()
  expect(runs).toBe(1)
  ending.resolve()
  await running
})

test('a process whose clock is far ahead purges nothing before its time', async () => {
  await using served = await startApp({ DATABASE_URL: await postgres.createDatabase() })
  const { db, images } = served.app
  const owner = await served.person()
  await insertImage(db, owner.viewer.userId, { trashed: true })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 24 * 60 * MINUTE })
  const temp = { removeOlder: async () => 0 }
  const tasks = imageTasks({ db, store: images.store, temp, log, removals: images.removals, trashDays: 30 })
  const reports = await Promise.all(tasks.map(({ run }) => run(new AbortController().signal)))
  expect(reports[0]).toEqual({ purged: 0 })
  expect(await db.image.count()).toBe(1)
})
