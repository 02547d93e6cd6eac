import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Database } from '#server/database/database.ts'
import { defineJob, type Job } from '#server/jobs/job.ts'
import { JobQueue } from '#server/jobs/job-queue.ts'
import { countJobs, mostUrgentJobs } from '#server/jobs/job-rows.ts'
import { listRuns } from '#server/jobs/runs.ts'

const data = z.strictObject({ id: z.number() })
type Data = z.infer<typeof data>

/** Retried twice, each time within a second. */
const retries = { limit: 2, delaySeconds: 1, delayMaxSeconds: 1 }
const quick = { pollSeconds: 0.5, superviseSeconds: 1 }
let made = 0

/** Returns a job with a queue of its own. */
export function someJob(more: Partial<Job<Data>> = {}): Job<Data> {
  made += 1
  return defineJob({ name: `job-${made}`, data, retries, expireSeconds: 30, ...more })
}

/** A job that counts as lost after a second. */
export const slowJob = defineJob({ name: 'slow', data, retries, expireSeconds: 1 })

/** Opens a queue that polls constantly; `logged` collects failures. */
export async function openQueue({ connection }: Database): Promise<{ queue: JobQueue; logged: object[] }> {
  const logged: object[] = []
  const note = (details: object) => void logged.push(details)
  const log = { debug: () => undefined, warn: note, error: note }
  return { queue: await JobQueue.open({ connection, log, pace: quick }), logged }
}

/** What the job queue guarantees on every database. */
export function keepsJobs(name: string, openDatabase: () => Promise<Database>): void {
  let database: Database
  let queue: JobQueue
  beforeAll(async () => {
    database = await openDatabase()
    queue = (await openQueue(database)).queue
  })
  afterAll(async () => {
    await queue.close()
    await database.close()
  })
  const countStates = async (job: Job<Data>) =>
    Object.fromEntries(
      (await countJobs(database.db)).filter((row) => row.name === job.name).map(({ state, count }) => [state, count]),
    )
  const settled = { interval: 20, timeout: 20_000 }

  test(`${name}: a job exists once its transaction is committed, and only then`, async () => {
    const job = someJob()
    const done: number[] = []
    await queue.work(job, async ({ id }) => void done.push(id))
    const undone = database.db.$transaction(async (tx) => {
      await queue.send(tx, job, [{ data: { id: 1 } }])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await database.db.$transaction((tx) => queue.send(tx, job, [{ data: { id: 2 } }]))
    await expect.poll(() => done, settled).toEqual([2])
    await expect.poll(() => countStates(job), settled).toEqual({})
  })

  test(`${name}: jobs with one key are queued once; all others run, up to the allowed number at a time`, async () => {
    const job = someJob({ atOnce: 3 })
    const begun: number[] = []
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const sent = (id: number) => ({ data: { id }, key: `key ${id % 5}` })
    await queue.work(someJob(), async () => undefined)
    const work = async ({ id }: Data) => {
      begun.push(id)
      await mayEnd
      return { id }
    }
    await queue.work(job, work)
    await queue.send(
      null,
      job,
      Array.from({ length: 10 }, (_, id) => sent(id)),
    )
    await expect.poll(() => begun, settled).toHaveLength(3)
    end()
    await expect.poll(() => countStates(job), settled).toEqual({})
    expect(begun.sort()).toEqual([0, 1, 2, 3, 4])
  })

  test(`${name}: a failing job is retried, and ends as failed with its last error when it always fails`, async () => {
    const job = someJob({ atOnce: 2 })
    const attempts: number[] = []
    await queue.work(job, async ({ id }) => {
      attempts.push(id)
      if (id === 1 || attempts.filter((each) => each === 2).length < 2) throw new Error(`The store is away, ${id}`)
      return { attempts: 2 }
    })
    await queue.send(null, job, [{ data: { id: 1 } }, { data: { id: 2 } }])
    await expect.poll(() => countStates(job), settled).toEqual({ failed: 1 })
    expect(attempts.sort()).toEqual([1, 1, 1, 2, 2])
    const row = (await mostUrgentJobs(database.db, 100)).find((each) => each.name === job.name)
    expect(row).toMatchObject({ state: 'failed', attempts: 3, limit: 3, output: { message: 'The store is away, 1' } })
    await database.db.$transaction((tx) => queue.discard(tx, row ?? expect.unreachable()))
    expect(await countStates(job)).toEqual({})
  })

  test(`${name}: a job of a newer version that this one does not understand fails with an error`, async () => {
    const job = someJob({ retries: { ...retries, limit: 0 } })
    await queue.work(job, async () => expect.unreachable())
    const other = { ...job, data: z.looseObject({}) }
    await queue.send(null, other, [{ data: { name: 'x' } }])
    await expect.poll(() => countStates(job), settled).toEqual({ failed: 1 })
  })

  test(`${name}: each job runs in one of two processes, and a scheduled one in one at a time`, async () => {
    const two = await openQueue(database)
    const [job, scheduled] = [someJob({ atOnce: 4 }), someJob({ data: z.any(), schedule: '0 0 1 1 *' })]
    const done: number[] = []
    let [underWay, most, runs] = [0, 0, 0]
    for (const each of [queue, two.queue]) {
      await each.work(job, async ({ id }) => void done.push(id))
      await each.work(scheduled, async () => {
        underWay += 1
        most = Math.max(most, underWay)
        await wait(50)
        underWay -= 1
        runs += 1
        return { runs }
      })
    }
    const ids = Array.from({ length: 40 }, (_, id) => id)
    await Promise.all(ids.map((id) => (id % 2 ? queue : two.queue).send(null, job, [{ data: { id } }])))
    for (const each of [queue, two.queue]) await each.send(null, scheduled, [{ data: { id: 0 } }])
    await expect.poll(() => countStates(job), settled).toEqual({})
    await expect.poll(() => countStates(scheduled), settled).toEqual({})
    expect(done.sort((a, b) => a - b)).toEqual(ids)
    expect(most).toBe(1)
    const told = await listRuns(database.db, { scheduled: [scheduled.name] })
    expect(told).toMatchObject([{ name: scheduled.name, report: { runs } }])
    await two.queue.close()
    expect(two.logged).toEqual([])
  })

  test(`${name}: closing aborts a running job and waits for it, and another process repeats it`, async () => {
    const { queue: first, logged } = await openQueue(database)
    const job = someJob()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let hasEnded = false
    await first.work(job, async (_, { signal }) => {
      begin()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await wait(20)
      hasEnded = true
      signal.throwIfAborted()
      return {}
    })
    await first.send(null, job, [{ data: { id: 1 } }])
    await begun
    await first.close()
    expect([hasEnded, logged]).toEqual([true, []])
    expect(await countStates(job)).toEqual({ retry: 1 })
    const again: number[] = []
    await queue.work(job, async ({ id }) => void again.push(id))
    await expect.poll(() => again, settled).toEqual([1])
  })

  test(`${name}: a declaration that differs from the database is updated there`, async () => {
    const job = someJob()
    const { queue: older } = await openQueue(database)
    await older.work(job, async () => ({}))
    await older.close()
    const { queue: newer } = await openQueue(database)
    const changed = { ...job, retries: { ...retries, limit: 0 }, schedule: '1 1 1 1 *' }
    await newer.work(changed, async () => Promise.reject(new Error('no')))
    await newer.send(null, changed, [{ data: { id: 1 } }])
    await expect.poll(() => countStates(job), settled).toEqual({ failed: 1 })
    await newer.close()
  })
}
