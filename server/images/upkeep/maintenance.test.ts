import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openEmbeddedDatabase } from '#testing/embedded-database.ts'
import { Maintenance, type Task, type TaskReport } from './maintenance.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())
beforeEach(() => database.db.maintenanceTask.deleteMany())

const hour = 60 * 60_000
const past = (ms: number) => new Date(Date.now() - ms)

function process(run: Task['run'], everyMs = hour) {
  const logged: object[] = []
  const note = (details: object) => logged.push(details)
  const log = { info: note, error: note }
  const maintenance = new Maintenance({ db: database.db, log }, [{ name: 'task', everyMs, run }])
  return { maintenance, logged }
}

test('a task that is due runs once, in one of many processes, and its report is kept', async () => {
  let runs = 0
  const run = async () => {
    runs += 1
    return { found: 7 }
  }
  const processes = Array.from({ length: 5 }, () => process(run))
  await Promise.all(processes.map(({ maintenance }) => maintenance.runDue()))
  expect(runs).toBe(1)
  const [first] = processes
  expect(await first?.maintenance.states()).toEqual([
    {
      name: 'task',
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      finishedAt: expect.stringMatching(/Z$/),
      report: { found: 7 },
    },
  ])
  expect(processes.flatMap(({ logged }) => logged)).toEqual([{ task: 'task', found: 7 }])
})

test('it is due again when its time has passed since the last beginning', async () => {
  let runs = 0
  const { maintenance } = process(async () => ({ runs: ++runs }))
  await maintenance.runDue()
  await database.db.maintenanceTask.updateMany({ data: { startedAt: past(hour - 60_000) } })
  await maintenance.runDue()
  expect(runs).toBe(1)
  await database.db.maintenanceTask.updateMany({ data: { startedAt: past(hour) } })
  await maintenance.runDue()
  expect(await maintenance.states()).toMatchObject([{ report: { runs: 2 } }])
})

test('the claim of a process that died lapses, that of one that lives does not', async () => {
  const data = { name: 'task', startedAt: past(2 * hour), aliveAt: past(60_000) }
  await database.db.maintenanceTask.create({ data })
  const { maintenance } = process(async () => ({ found: 1 }))
  await maintenance.runDue()
  expect(await maintenance.states()).toMatchObject([{ finishedAt: null, report: null }])
  await database.db.maintenanceTask.updateMany({ data: { aliveAt: past(6 * 60_000) } })
  await maintenance.runDue()
  expect(await maintenance.states()).toMatchObject([{ report: { found: 1 } }])
})

test('one that fails is logged and says so, and comes again when it is due', async () => {
  const { maintenance, logged } = process(() => Promise.reject(new Error('The store is away')))
  await maintenance.runDue()
  expect(logged[0]).toMatchObject({ task: 'task', err: { message: 'The store is away' } })
  expect(await maintenance.states()).toMatchObject([{ report: { failed: 'The log says why.' } }])
})

test('one that the end of its process breaks off begins anew in the next', async () => {
  const begun = Promise.withResolvers<void>()
  const { maintenance, logged } = process(async (signal): Promise<TaskReport> => {
    begun.resolve()
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const running = maintenance.runDue()
  await begun.promise
  await maintenance.close()
  await running
  expect([await maintenance.states(), logged]).toEqual([[], []])
  const next = process(async () => ({ found: 2 }))
  await next.maintenance.runDue()
  expect(await next.maintenance.states()).toMatchObject([{ report: { found: 2 } }])
})
