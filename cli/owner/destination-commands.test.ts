import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backingUp, checking } from '#server/backups/backup-jobs.ts'
import { readStanding } from '#server/backups/standing.ts'
import type { ControlServer } from '#server/owner/control-server.ts'
import { serveOwner } from '#server/owner/serve-owner.ts'
import { uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { type CommandHome, commandHome } from '#testing/sluice/sluice-command.ts'

let destination: string
let served: TestApp
let control: ControlServer
let home: CommandHome
let owner: Person
beforeAll(async () => {
  destination = await mkdtemp(join(tmpdir(), 'sluice-destination-'))
  served = await startApp({
    SLUICE_BACKUP_FOLDER: destination,
    SLUICE_WEBHOOK: 'http://127.0.0.1:9/',
    SLUICE_WEBHOOK_PRIVATE: 'on',
  })
  control = await serveOwner(served.app)
  home = await commandHome({ SLUICE_DATA: served.dataDir, SLUICE_BACKUP_FOLDER: destination })
  owner = await served.person({ role: 'superadmin' })
  await uploadAccepted(served, owner, await picture({}))
})
afterAll(async () => {
  await control.close()
  await home[Symbol.asyncDispose]()
  await served[Symbol.asyncDispose]()
  await rm(destination, { recursive: true })
})

const show = () => served.as(owner).backup.show()
/** Runs the job that looks whether a backup is due, as its schedule does. */
async function check(): Promise<void> {
  await served.app.jobs.send(null, checking, [{ data: {} }])
  await jobsDone(served.app)
}
const { hour, day } = { hour: 60 * 60_000, day: 24 * 60 * 60_000 }
/** Lets all runs have happened earlier, or later. */
const moveRuns = (ms: number) =>
  served.app.db.$executeRaw`
    UPDATE "BackupRun" SET "startedAt" = "startedAt" - ${ms} * interval '1 millisecond',
      "endedAt" = "endedAt" - ${ms} * interval '1 millisecond'`

test('the schedule makes the first backup at once, and none until the next time', async () => {
  expect(await show()).toMatchObject({ destination, goodAt: null, isLate: false, runs: [] })
  await check()
  const { runs, goodAt, nextAt } = await show()
  expect(runs).toMatchObject([{ state: 'good', cause: 'schedule', damaged: 0, error: null }])
  expect(runs[0]?.sentObjects).toBe(runs[0]?.objects)
  expect(goodAt).toBe(runs[0]?.startedAt)
  expect(nextAt).toMatch(/T02:30:00.000Z$/)
  await check()
  expect((await show()).runs).toHaveLength(1)
  await moveRuns(day)
  await check()
  expect((await show()).runs).toHaveLength(2)
})

test('a superadmin starts one, which is recorded, and others cannot', async () => {
  await served.as(owner).backup.start()
  await jobsDone(served.app)
  expect((await show()).runs[0]).toMatchObject({ state: 'good', cause: 'page', sentObjects: 0 })
  const entry = await served.app.db.auditEntry.findFirstOrThrow({ where: { action: 'admin.backup' } })
  expect(entry).toMatchObject({ actorName: owner.viewer.username, after: { destination } })
  const admin = await served.person({ role: 'admin' })
  await expect(served.as(admin).backup.start()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('the alarm is raised once when the last good backup is too old', async () => {
  const { db, backups, jobs } = served.app
  // A failed one follows the last good one.
  await moveRuns(3 * day)
  const failed = { cause: 'schedule', destination, step: 'objects', failure: { message: 'no room' } }
  const now = new Date()
  await db.backupRun.create({ data: { ...failed, startedAt: now, aliveUntil: now, endedAt: now } })
  expect((await show()).isLate).toBe(true)
  await check()
  await check()
  const events = await db.$queryRaw<object[]>`SELECT "data" FROM "jobs"."job" WHERE "name" = 'webhook'`
  const data = { lastGoodAt: expect.any(String), error: 'no room' }
  expect(events).toMatchObject([{ data: { type: 'backup.late', data } }])
  await jobs.send(null, backingUp, [{ data: { cause: 'page' }, key: 'backup' }])
  await jobsDone(served.app)
  expect(await backups.readStanding()).toMatchObject({ isLate: false, late: null })
})

test('runs of a clock that was set back count for nothing', async () => {
  const { db } = served.app
  const settings = { times: [0], keep: { count: 1, days: 0 }, lateHours: 1 }
  await moveRuns(-365 * day)
  expect(await readStanding(db, settings)).toMatchObject({ goodAt: null, isDue: true, isLate: false })
  await moveRuns(365 * day + 2 * hour)
  expect(await readStanding(db, settings)).toMatchObject({ isLate: true })
  expect(await readStanding(db, { ...settings, times: [] })).toMatchObject({
    isDue: false,
    isLate: false,
    nextAt: null,
  })
})

test('commands make, list and verify backups, and restore one into an empty site', async () => {
  const { code, stdout, stderr } = await home.call(['backup', 'run'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  const [, name = ''] = /^Backup (\w+) is at .* and was read again: /m.exec(stderr) ?? []
  const listed = await home.call(['backup', 'list'])
  expect(listed.stdout.split('\n')[0]).toMatch(new RegExp(`^${name}\t`))
  expect(await home.call(['backup', 'verify'])).toMatchObject({ code: 0, stdout: '' })

  const { sha256 } = await served.app.db.storedObject.findFirstOrThrow()
  const copy = join(destination, 'objects', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  const bytes = await readFile(copy)
  await writeFile(copy, bytes.with(9, (bytes[9] ?? 0) ^ 1))
  expect(await home.call(['backup', 'verify', name])).toMatchObject({ code: 1, stdout: `${sha256}\n` })
  expect(await home.call(['backup', 'verify', '--repair'])).toMatchObject({ code: 1, stdout: `${sha256}\n` })
  expect((await home.call(['backup', 'run'])).stderr).toContain('of which 1 were new')
  expect(await home.call(['backup', 'verify'])).toMatchObject({ code: 0 })

  const data = join(home.folder, 'restored')
  const restored = await home.call(['backup', 'restore', '--snapshot', 'latest'], { env: { SLUICE_DATA: data } })
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.stderr).toMatch(/^Restored the backup: created .* 1 image, /m)
  expect(await home.call(['backup', 'restore', '--snapshot', 'x'], { env: { SLUICE_DATA: data } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no snapshot x. The newest are'),
  })
})

test.each([
  [{ SLUICE_BACKUP_FOLDER: '' }, 'Backups have no destination.'],
  [{ SLUICE_BACKUP_FOLDER: '/nonexistent/x' }, 'The folder /nonexistent/x does not exist.'],
  [{ SLUICE_BACKUP_S3_BUCKET: 'abc' }, 'SLUICE_BACKUP_S3_BUCKET needs SLUICE_BACKUP_S3_ACCESS_KEY_ID'],
])('%j is explained', async (env, reason) => {
  const { code, stderr } = await home.call(['backup', 'list'], { env })
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(reason) })
})
