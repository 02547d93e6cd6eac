import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkData } from '#server/images/maintenance/check-data.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { type S3Server, startS3Server } from '#testing/servers/s3-server.ts'
import {
  backUp,
  type DataPlace,
  fill,
  keysOfStore,
  openPlace,
  readRows,
  restoreTo,
} from '#testing/storage/backup-scene.ts'
import { expectStoredCounted } from '#testing/storage/storage-scene.ts'

let s3: S3Server
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-round-trip-'))
  s3 = await startS3Server()
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const onPostgres = async () => ({ DATABASE_URL: await createPostgresDatabase() })
const inBucket = (prefix: string) => ({
  ...{ S3_BUCKET: s3.bucket, S3_ENDPOINT: s3.endpoint, S3_PREFIX: prefix },
  ...{ S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey },
})

test('round-trips between every kind of database and store', async () => {
  await using places = new AsyncDisposableStack()
  const open = async (environment = {}): Promise<DataPlace> => places.use(await openPlace(environment))
  const first = await open()
  await fill(first, 3)
  const [rows, keys] = [await readRows(first.db), await keysOfStore(first.store)]
  expect(Object.keys(rows)).toContain('ApiToken')
  // Each table has rows, so that none is left out unseen.
  expect(Object.keys(rows).filter((table) => rows[table]?.join('') === '')).toEqual([])

  let from = first
  for (const environment of [
    { ...(await onPostgres()), ...inBucket('one/') },
    inBucket('two/'),
    await onPostgres(),
    {},
  ]) {
    const file = join(folder, 'backup.tar')
    await backUp(from, file)
    const to = await open(environment)
    await restoreTo(to, file)
    expect(await readRows(to.db)).toEqual(rows)
    expect(await keysOfStore(to.store)).toEqual(keys)
    expect((await checkData(to)).findings).toEqual([])
    await expectStoredCounted(to.db)
    expect(await to.db.session.count()).toBe(0)
    // New rows are numbered after the restored ones.
    const next = {
      at: new Date(),
      actorId: crypto.randomUUID(),
      actorName: 'a',
      action: 'b',
      target: 'c',
      requestId: 'd',
    }
    const last = await to.db.auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } })
    const { id } = await to.db.auditEntry.create({ data: next })
    expect(id).toBe(last.id + 1n)
    await to.db.auditEntry.delete({ where: { id } })
    from = to
  }
})

test('counts the bucket requests of the backup and of the restore at the target', async () => {
  await using source = await openPlace(inBucket('three/'))
  await fill(source, 2)
  const file = join(folder, 'metered.tar')
  await backUp(source, file)
  await source.settle()
  const usedBy = async ({ db }: DataPlace, procedure: string) => {
    const { _sum } = await db.usageDay.aggregate({ where: { procedure }, _sum: { reads: true, writes: true } })
    return _sum
  }
  // Each of two images has two variants.
  expect(await usedBy(source, 'backup')).toEqual({ reads: 6n, writes: 0n })

  await using copy = await openPlace(inBucket('four/'))
  await restoreTo(copy, file)
  // And sixteen lists that look for foreign objects.
  expect(await usedBy(copy, 'restore')).toEqual({ reads: 0n, writes: 6n + 16n })
  expect(await usedBy(copy, 'backup')).toEqual({ reads: null, writes: null })
})
