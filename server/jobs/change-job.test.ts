import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { waitingJob } from '#testing/jobs/waiting-job.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { defineJob } from './job.ts'

const failing = defineJob({
  name: 'failing',
  data: z.strictObject({}),
  retries: { limit: 0, delaySeconds: 1, delayMaxSeconds: 1 },
  expireSeconds: 30,
})
const settled = { interval: 20 }

let served: TestApp
let root: Person
let isBroken = true
beforeAll(async () => {
  served = await startApp()
  root = await served.person({ role: 'superadmin' })
  await served.app.jobs.work(failing, async () => {
    if (isBroken) throw new Error('It is broken')
    return {}
  })
})
afterAll(() => served[Symbol.asyncDispose]())

const list = () => served.as(root).job.list()
const listItems = async (name: string) => (await list()).items.filter((item) => item.name === name)
const audited = () =>
  served.app.db.auditEntry.findMany({
    where: { action: { startsWith: 'job.' } },
    select: { action: true, target: true, before: true },
    orderBy: { id: 'desc' },
    take: 1,
  })

test('lists a failed job with its error, retries it and completes it', async () => {
  await served.app.jobs.send(null, failing, [{ data: {} }])
  await expect
    .poll(() => listItems('failing'), settled)
    .toMatchObject([{ state: 'failed', attempts: 1, limit: 1, nextAt: null, error: 'It is broken' }])
  const [{ id } = expect.unreachable()] = await listItems('failing')
  isBroken = false
  await served.as(root).job.retry({ id })
  await expect.poll(() => listItems('failing'), settled).toEqual([])
  const before = { state: 'failed', attempts: 1, error: 'It is broken' }
  expect(await audited()).toEqual([{ action: 'job.retry', target: `failing/${id}`, before }])
  await expect(served.as(root).job.retry({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('runs a job early, or discards it', async () => {
  const id = await waitingJob(served.app.db, 'failing')
  const other = await waitingJob(served.app.db, 'failing')
  const waits = { state: 'waiting', attempts: 0, error: null, nextAt: expect.stringMatching(/Z$/) }
  expect(await listItems('failing')).toMatchObject([waits, waits])
  await served.as(root).job.discard({ id: other })
  expect(await audited()).toMatchObject([{ action: 'job.discard', target: `failing/${other}` }])
  expect(await listItems('failing')).toMatchObject([{ id }])
  await served.as(root).job.retry({ id })
  await expect
    .poll(async () => (await listItems('failing')).some(({ state }) => state === 'waiting'), settled)
    .toBe(false)
})

test('leaves a running job alone', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const slow = { ...failing, name: 'slow' }
  await served.app.jobs.work(slow, async () => {
    await mayEnd
    return {}
  })
  await served.app.jobs.send(null, slow, [{ data: {} }])
  await expect.poll(() => listItems('slow'), settled).toMatchObject([{ state: 'active', nextAt: null }])
  const [{ id } = expect.unreachable()] = await listItems('slow')
  await expect(served.as(root).job.discard({ id })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' })
  expect((await list()).counts.find(({ name }) => name === 'slow')).toEqual({
    ...{ name: 'slow', waiting: 0, active: 1, retrying: 0, failed: 0 },
  })
  end()
})

test('does not retry a job that runs one at a time beside another run', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const scheduled = { ...failing, name: 'scheduled', schedule: '0 0 1 1 *' }
  let runs = 0
  await served.app.jobs.work(scheduled, async () => {
    runs += 1
    if (runs === 1) throw new Error('It is broken')
    await mayEnd
    return {}
  })
  await served.app.jobs.send(null, scheduled, [{ data: {} }])
  await expect.poll(() => listItems('scheduled'), settled).toMatchObject([{ state: 'failed' }])
  const [{ id } = expect.unreachable()] = await listItems('scheduled')
  await served.app.jobs.send(null, scheduled, [{ data: {} }])
  await expect(served.as(root).job.retry({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
  end()
})
