import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { getConstructionPlans, getRollbackPlans } from 'pg-boss'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { openQueue, slowJob, someJob } from '#testing/jobs/job-queue-suite.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { countJobs } from './job-rows.ts'
import { SCHEMA } from './open-boss.ts'

const settled = { interval: 20 }

/** Runs SQL directly, as pg-boss would. */
async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('hands the job of a killed process to another', async () => {
  const url = await createPostgresDatabase()
  const database = await openDatabase({ dataDir: '', databaseUrl: url })
  const worker = join(import.meta.dirname, '../../testing/jobs/job-worker.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', worker, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('ready')
  const { queue } = await openQueue(database)
  const done: number[] = []
  const other = someJob()
  await queue.work(other, async () => undefined)
  await database.db.$transaction((tx) => queue.send(tx, slowJob, [{ data: { id: 7 } }]))
  expect((await lines.next()).value).toBe('begun 7')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await queue.work(slowJob, async ({ id }) => void done.push(id))
  await expect.poll(() => done, settled).toEqual([7])
  await expect.poll(() => countJobs(database.db), settled).toEqual([])
  await queue.close()
  await database.close()
})

test('creates the queue once when processes start together, and leaves no connections behind', async () => {
  const url = await createPostgresDatabase()
  const database = await openDatabase({ dataDir: '', databaseUrl: url })
  const opened = await Promise.all(Array.from({ length: 5 }, () => openQueue(database)))
  const [job, done] = [someJob({ schedule: '0 0 1 1 *' }), someJob({ atOnce: 2 })]
  const ids: number[] = []
  await Promise.all(
    opened.map(async ({ queue }) => {
      await queue.work(job, async () => undefined)
      await queue.work(done, async ({ id }) => void ids.push(id))
    }),
  )
  await opened[0]?.queue.send(
    null,
    done,
    Array.from({ length: 20 }, (_, id) => ({ data: { id } })),
  )
  await expect.poll(() => ids.length, settled).toBe(20)
  await Promise.all(opened.map(({ queue }) => queue.close()))
  expect(opened.flatMap(({ logged }) => logged)).toEqual([])
  expect(new Set(ids).size).toBe(20)
  await database.close()
  const left = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  await expect.poll(() => run(url, left), settled).toEqual([])
})

test('migrates a queue of an older schema together with its waiting jobs', async () => {
  const url = await createPostgresDatabase()
  await run(url, getConstructionPlans(SCHEMA))
  await run(url, getRollbackPlans(SCHEMA))
  const version = `SELECT version FROM ${SCHEMA}.version`
  const [older] = await run(url, version)
  const database = await openDatabase({ dataDir: '', databaseUrl: url })
  const { queue, logged } = await openQueue(database)
  expect(await run(url, version)).not.toEqual([older])
  const done: number[] = []
  const job = someJob()
  await queue.work(job, async ({ id }) => void done.push(id))
  await queue.send(null, job, [{ data: { id: 1 } }])
  await expect.poll(() => done, settled).toEqual([1])
  await queue.close()
  await database.close()
  expect(logged).toEqual([])
})
