import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { markedObjects } from '#server/images/storing/object-removal.ts'
import { lockUserObjects, purgeRow, purgeUserRows } from '#server/images/storing/purge-rows.ts'
import { Removals, removal } from '#server/images/storing/removals.ts'
import { countJobs } from '#server/jobs/job-rows.ts'
import { type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import { openQueue } from '../jobs/job-queue-suite.ts'
import { expectSound, makeScene, type Scene } from './storage-scene.ts'

const settled = { interval: 20, timeout: 20_000 }

/** What removals as jobs guarantee on every database. */
export function keepsRemovals(name: string, openDatabase: () => Promise<Database>): void {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())

  /** Starts a process that removes from `store`. */
  async function removing(store: ObjectStore) {
    const { queue, logged } = await openQueue(database)
    const removals = new Removals(database.db, queue)
    await removals.work(store)
    return { removals, queue, logged }
  }
  const jobs = async () => (await countJobs(database.db)).map(({ state, count }) => [state, count])
  /** Purges an image as procedures do. */
  const purge = async ({ db }: Scene, image: { id: string; sha256: string }, removals: Removals) => {
    await db.image.update({ where: { id: image.id }, data: { trashedAt: new Date() } })
    await transact(db, async (tx) => {
      await purgeRow(tx, image)
      await removals.add(tx, [image.sha256])
    })
  }

  test(`${name}: bytes are removed after the transaction that purges them, and stay if it is rolled back`, async () => {
    await using scene = await makeScene(database.db)
    const { removals, queue } = await removing(scene.store)
    const [one, file] = [await scene.owner(), await scene.file()]
    await scene.upload(one, file)
    const undone = scene.db.$transaction(async (tx) => {
      await removals.add(tx, await purgeUserRows(tx, one, await lockUserObjects(tx, one)))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await jobs()).toEqual([])
    await expectSound(scene, [file.original.sha256])
    await scene.db.$transaction(async (tx) =>
      removals.add(tx, await purgeUserRows(tx, one, await lockUserObjects(tx, one))),
    )
    await expect.poll(jobs, settled).toEqual([])
    await expectSound(scene, [])
    await queue.close()
  })

  test(`${name}: a failing store delays no other object, and is retried until it works`, async () => {
    await using scene = await makeScene(database.db)
    const one = await scene.owner()
    const files = [await scene.file(), await scene.file()] as const
    let isAway = true
    const { removals, queue, logged } = await removing({
      ...scene.store,
      delete: async (key, signal) => {
        if (isAway && key === originalKey(files[0].original.sha256)) throw new Error('The store is away')
        await scene.store.delete(key, signal)
      },
    })
    for (const file of files) await purge(scene, await scene.upload(one, file), removals)
    await expect.poll(jobs, settled).toEqual([['retry', 1]])
    expect(await markedObjects(scene.db)).toEqual([files[0].original.sha256])
    expect(logged).toMatchObject([{ job: removal.name, err: { message: 'The store is away' } }])
    isAway = false
    // No earlier delete is in flight when the next attempt starts.
    const rows = await scene.db.$queryRaw`
      SELECT "start_after" > "removingUntil" AS "isLater" FROM "jobs"."job", "StoredObject"
      WHERE "name" = 'removal' AND "jobs"."job"."state" = 'retry' AND "singleton_key" = "sha256"`
    expect(rows).toEqual([{ isLater: true }])
    await scene.lapse()
    await scene.db.$executeRaw`UPDATE "jobs"."job" SET "start_after" = now() WHERE "state" = 'retry'`
    queue.wake(removal.name)
    await expect.poll(jobs, settled).toEqual([])
    await expectSound(scene, [])
    await queue.close()
  })

  test(`${name}: finds objects left marked by a crash, except those with an upload or a job`, async () => {
    await using scene = await makeScene(database.db)
    const [one, kept] = [await scene.owner(), await scene.file()]
    await scene.upload(one, kept)
    await scene.purge(await scene.upload(one, await scene.file()))
    const held = await scene.file()
    const heldUntil = new Date(Date.now() + 60_000)
    const data = { sha256: held.original.sha256, size: 1, state: 'deleting', holds: 1, heldUntil } as const
    await scene.db.storedObject.create({ data })
    const { promise: mayDelete, resolve: letDelete } = Promise.withResolvers<void>()
    const slow = {
      ...scene.store,
      delete: (...given: Parameters<ObjectStore['delete']>) => mayDelete.then(() => scene.store.delete(...given)),
    }
    const { removals, queue } = await removing(slow)
    await removals.addForgotten()
    await expect.poll(jobs, settled).toEqual([['active', 1]])
    await removals.addForgotten()
    expect(await jobs()).toEqual([['active', 1]])
    letDelete()
    await expect.poll(jobs, settled).toEqual([])
    expect(await markedObjects(scene.db)).toEqual([held.original.sha256])
    await scene.db.storedObject.delete({ where: { sha256: held.original.sha256 } })
    await expectSound(scene, [kept.original.sha256])
    await queue.close()
  })
}
