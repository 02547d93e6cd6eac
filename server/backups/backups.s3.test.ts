import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkData } from '#server/images/maintenance/check-data.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import type { S3Settings } from '#server/storage/s3/settings.ts'
import { makeS3Scene, type S3Scene, s3Error } from '#testing/servers/s3-scene.ts'
import { type DataPlace, fill, openPlace, readRows, storeOne } from '#testing/storage/backup-scene.ts'
import { backUpTo, restoreSnapshot } from '#testing/storage/destination-scene.ts'
import { makeOwner } from '#testing/storage/storage-pieces.ts'
import { openDestination } from './destination.ts'
import type { BackupDestination } from './destination-settings.ts'

let scene: S3Scene
let place: DataPlace
beforeAll(async () => {
  scene = await makeS3Scene()
  const { server } = scene
  // The images are in a bucket too, which the proxy does not disturb.
  place = await openPlace({
    ...{ S3_BUCKET: server.bucket, S3_ENDPOINT: server.endpoint, S3_PREFIX: 'site/' },
    ...{ S3_ACCESS_KEY_ID: server.accessKeyId, S3_SECRET_ACCESS_KEY: server.secretAccessKey },
  })
  await fill(place, 3)
})
afterAll(async () => {
  await place[Symbol.asyncDispose]()
  await scene[Symbol.asyncDispose]()
})
let to: BackupDestination & { readonly s3: S3Settings }
let runs = 0
beforeEach(() => {
  runs += 1
  to = { kind: 'bucket', s3: { ...scene.settings, prefix: `backups-${runs}/` } }
  scene.proxy.fault = () => null
})

const stored = async (kind: 'objects' | 'snapshots') => {
  await using destination = await openDestination(to)
  return (await Array.fromAsync(destination[kind].list(''))).length
}
const usedBy = async (procedure: string) => {
  await place.settle()
  const { _sum } = await place.db.usageDay.aggregate({ where: { procedure }, _sum: { reads: true } })
  return Number(_sum.reads ?? 0)
}
const lastFailure = async () => (await place.db.backupRun.findFirstOrThrow({ orderBy: { startedAt: 'desc' } })).failure

test('reads and sends only what is new, and restores from the bucket', async () => {
  const before = await usedBy('backup')
  const first = await backUpTo(place, to)
  expect(first).toMatchObject({ objects: 9, sentObjects: 9 })
  expect(await usedBy('backup')).toBe(before + 9)
  await storeOne(place, await makeOwner(place.db))
  expect(await backUpTo(place, to)).toMatchObject({ objects: 12, sentObjects: 3 })
  expect(await usedBy('backup')).toBe(before + 12)
  // Nine puts and reads, those of the snapshot, and the lists of the second look.
  expect(first.requests).toBeGreaterThanOrEqual(2 * 9 + 2 + 16)

  await using copy = await openPlace()
  await restoreSnapshot(copy, to)
  expect(await readRows(copy.db)).toEqual(await readRows(place.db))
  expect((await checkData(copy)).findings).toEqual([])
})

test('hostile keys in the bucket are neither read nor deleted, and stop neither a backup nor a restore', async () => {
  const { objects } = await backUpTo(place, to)
  const hash = '0'.repeat(64)
  // As XML, in which a bucket writes the key of an object whatever XML allows.
  const hostile = [
    '../../etc/passwd',
    `snapshots/../objects/${hash}`,
    `${hash}/../../../etc/passwd`,
    `${hash}%2f..%2f..%2fx`,
    `20261128T023000Z/../x/rows.${hash}.tar.gz`,
    `20261128T023000Z/rows.${hash}.tar.gz&#10;`,
    '/etc/passwd',
    '\\..\\x',
    '',
    'a&#0;b&#x1f;&#xffff;\u0001',
    '&lt;script&gt;&amp;&quot;',
    'x'.repeat(1_024),
  ].map((key) => `<Key>PREFIX${key}</Key><LastModified>2026-11-28T02:30:00.000Z</LastModified><Size>5</Size>`)
  const listed = hostile.map((key) => `<Contents>${key}</Contents>`).join('')
  let lists = 0
  scene.proxy.requests.length = 0
  scene.proxy.fault = ({ url }) => {
    const query = new URL(url, 'http://s3').searchParams
    if (!query.has('list-type')) return null
    lists += 1
    const added = `${listed.replaceAll('PREFIX', query.get('prefix') ?? '')}</ListBucketResult>`
    return {
      received: ({ headers, body, ...answer }) => {
        const text = Buffer.from(body.toString().replace('</ListBucketResult>', () => added))
        return { ...answer, headers: { ...headers, 'content-length': String(text.length) }, body: text }
      },
    }
  }
  const keep = { count: 1, days: 0 }
  expect(await backUpTo(place, to, { keep })).toMatchObject({ objects, sentObjects: 0, pruned: 0, unpruned: null })
  await using copy = await openPlace()
  await restoreSnapshot(copy, to)
  expect(await readRows(copy.db)).toEqual(await readRows(place.db))
  expect(lists).toBeGreaterThan(17)
  // The rows of two snapshots, and each object.
  const touched = new Set(scene.proxy.requests.map(({ url }) => new URL(url, 'http://s3').pathname))
  touched.delete(`/${to.s3.bucket}/`)
  expect(touched.size).toBe(2 + objects)
  const expected =
    /^\/[^/]+\/backups-\d+\/(?:objects\/[0-9a-f]{64}(?:\/w\d+\.[0-9a-f]{64}\.webp)?|snapshots\/2\d{7}T\d{6}Z\/rows\.[0-9a-f]{64}\.tar\.gz)$/
  for (const path of touched) expect(path).toMatch(expected)
  expect([...touched].join()).not.toContain(hash)
})

test('a budget that ends stops the backup', async () => {
  const spent = new BudgetSpent('used up', new Date('2101-01-01'))
  const store = { ...place.store, open: () => Promise.reject(spent) }
  await expect(backUpTo({ ...place, store }, to)).rejects.toBe(spent)
  expect(await lastFailure()).toMatchObject({ text: { code: 'budget-spent' } })
  expect(await stored('snapshots')).toBe(0)
})

test('a bucket that refuses is named with its reason', async () => {
  scene.proxy.fault = ({ method }) => (method === 'PUT' ? { answer: s3Error(403, 'AccessDenied') } : null)
  await expect(backUpTo(place, to)).rejects.toThrow('The destination of backups fails (AccessDenied).')
  expect(await lastFailure()).toMatchObject({ text: { code: 'backup-destination-fails' } })
  expect(await stored('snapshots')).toBe(0)
})

test('after a bucket that is gone in the middle, the next run sends the rest', async () => {
  let puts = 0
  scene.proxy.fault = ({ method }) => {
    puts += method === 'PUT' ? 1 : 0
    return puts > 4 ? { end: { how: 'reset', after: null }, answer: s3Error(500, 'x') } : null
  }
  await expect(backUpTo(place, to)).rejects.toThrow('The destination of backups fails')
  scene.proxy.fault = () => null
  const there = await stored('objects')
  expect(there).toBe(4)
  const { objects, sentObjects } = await backUpTo(place, to)
  expect(sentObjects).toBe(objects - there)
  expect(await stored('snapshots')).toBe(1)
})

test('a bucket that answers too late fails the run', async () => {
  scene.proxy.fault = ({ method }) => (method === 'PUT' ? { end: { how: 'silence', after: null } } : null)
  const hasty = { connect: 1_000, answer: 300, upload: 300, stall: 300, call: 5_000 }
  const open: typeof openDestination = (destination) => openDestination(destination, hasty)
  await expect(backUpTo(place, to, { open })).rejects.toThrow('The destination of backups fails')
  scene.proxy.fault = () => null
  expect(await stored('snapshots')).toBe(0)
})

test('a copy that reads differently makes no backup', async () => {
  const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 7 ? byte ^ 4 : byte)))
  scene.proxy.fault = ({ method, url }) =>
    method === 'GET' && url.includes('/objects/') && !url.includes('list-type')
      ? { received: (answer) => ({ ...answer, body: flipped(answer.body) }) }
      : null
  await expect(backUpTo(place, to)).rejects.toThrow('as it was written')
  scene.proxy.fault = () => null
  expect(await stored('snapshots')).toBe(0)
})
