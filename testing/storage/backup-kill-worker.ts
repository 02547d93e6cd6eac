// A process of storage-kills: checks that every snapshot that earlier ones have left is whole, stores an image and deletes another,
// then backs up until it kills itself before a given step. Exits with 0 if it reaches the end, with the number of steps.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { openDestination } from '#server/backups/destination.ts'
import type { BackupDestination } from '#server/backups/destination-settings.ts'
import { readSnapshot } from '#server/backups/read-snapshot.ts'
import { listSnapshots } from '#server/backups/snapshots.ts'
import { removeObject } from '#server/images/storing/object-removal.ts'
import { purgeRow } from '#server/images/storing/purge-rows.ts'
import { gatedDatabase, gatedStore } from '../gated.ts'
import { openPlaceIn, storeOne } from './backup-scene.ts'
import { backUpTo } from './destination-scene.ts'
import { makeOwner } from './storage-pieces.ts'

const { dataDir, killAt } = z
  .object({ dataDir: z.string(), killAt: z.number() })
  .parse(JSON.parse(process.argv[2] ?? ''))
const path = join(dataDir, 'destination')
await mkdir(path, { recursive: true })
const to: BackupDestination = { kind: 'folder', path }
const TWO_DAYS_AGO = new Date(Date.now() - 2 * 24 * 60 * 60_000)

await using place = await openPlaceIn(dataDir)
const { db, store } = place
// What a killed process leaves ends by the clock.
await db.backupRun.updateMany({ where: { endedAt: null }, data: { aliveUntil: TWO_DAYS_AGO } })
await db.removalPause.deleteMany()
await expectWhole()
// Completes what was interrupted, so that each process takes the same steps.
const keep = { count: 1, days: 0 }
await backUpTo(place, to, { keep })
const owner = await makeOwner(db)
await storeOne(place, owner)
const images = await db.image.findMany({ orderBy: { createdAt: 'asc' } })
const [oldest] = images
if (oldest && images.length > 2) {
  const image = await db.image.update({ where: { id: oldest.id }, data: { trashedAt: new Date() } })
  await db.$transaction((tx) => purgeRow(tx, image))
  await removeObject(db, store, image.sha256)
}
await db.backupLeftover.updateMany({ data: { since: TWO_DAYS_AGO } })

let steps = 0
const gate = () => {
  steps += 1
  if (steps === killAt) process.kill(process.pid, 'SIGKILL')
}
const open: typeof openDestination = async (destination) => {
  const opened = await openDestination(destination)
  return {
    ...opened,
    objects: gatedStore(opened.objects, gate),
    snapshots: gatedStore(opened.snapshots, gate),
  }
}
const parts = { db: gatedDatabase(db, gate), store, temp: place.temp }
const report = await backUpTo(parts, to, { keep, open })
if (report.unpruned) throw report.unpruned
const left = await expectWhole()
if (left !== 1) throw new Error(`${left} snapshots are left`)
console.log(steps)

/** Reads every snapshot with all its objects. Returns how many there are. */
async function expectWhole(): Promise<number> {
  await using destination = await openDestination(to)
  const snapshots = await listSnapshots(destination.snapshots)
  for (const { key } of snapshots) {
    await using folder = await place.temp.create()
    await readSnapshot(destination, key, { folder: folder.path, object: async () => undefined })
  }
  return snapshots.length
}
