import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { makeS3Scene, type S3Scene } from '#testing/servers/s3-scene.ts'
import { ObjectStoreUnavailable, originalKey, variantKey } from './object-store.ts'

let scene: S3Scene
afterEach(() => scene[Symbol.asyncDispose]())

const signed = ['amz-sdk-invocation-id', 'amz-sdk-request', 'authorization', 'host', 'user-agent']
const always = [...signed, 'x-amz-content-sha256', 'x-amz-date', 'x-amz-user-agent']
const withBody = [...always, 'content-length', 'content-type']
const upload = (name: string) => expect.stringMatching(new RegExp(`^${name}$`))

/** Returns method, path with query and header names of every request since the last call. */
function requests() {
  return scene.proxy.requests.splice(0).map(({ method, url, headers }) => [method, url, Object.keys(headers).sort()])
}

test('sends exactly these requests: keys are paths; no ACL, condition or trailing checksum', async () => {
  scene = await makeS3Scene()
  const { store } = scene
  const { path, key: original } = await scene.file(1_000)
  const hash = 'ab'.repeat(32)
  const key = variantKey(original, 400, hash)
  const name = `/sluice-test/images/${original}/w400.${hash}.webp`

  await store.put(key, { path }, 1_000)
  expect(requests()).toEqual([['PUT', `${name}?x-id=PutObject`, [...withBody, 'content-md5'].sort()]])
  await buffer((await store.open(key, { start: 2, end: 4 })).body)
  expect(requests()).toEqual([['GET', `${name}?x-id=GetObject`, [...always, 'range'].sort()]])
  ;(await store.open(key)).body.destroy()
  expect(requests()).toEqual([['GET', `${name}?x-id=GetObject`, [...always].sort()]])
  await store.readSize(key)
  expect(requests()).toEqual([['HEAD', name, [...always].sort()]])
  await Array.fromAsync(store.list(original.slice(0, 4)))
  const prefix = `images%2F${original.slice(0, 4)}`
  expect(requests()).toEqual([['GET', `/sluice-test/?list-type=2&max-keys=1000&prefix=${prefix}`, [...always].sort()]])
  await store.delete(key)
  expect(requests()).toEqual([['DELETE', `${name}?x-id=DeleteObject`, [...always].sort()]])
  await store.removeUnfinished(new Date())
  expect(requests()).toEqual([['GET', '/sluice-test/?prefix=images%2F&uploads=', [...always].sort()]])
})

test('uploads a large object in parts of 8 MiB', async () => {
  scene = await makeS3Scene()
  const { key, path, size } = await scene.file(8 * 1024 * 1024 + 1)
  await scene.store.put(key, { path }, size)
  const sizes = scene.proxy.requests.map(({ method, body }) => [method, body.length]).sort()
  expect(sizes.filter(([method]) => method === 'PUT')).toEqual([
    ['PUT', 1],
    ['PUT', 8_388_608],
  ])
  const id = '[0-9a-f-]+'
  const name = `/sluice-test/images/${key}`
  expect(requests().sort()).toEqual([
    ['POST', upload(`${name}\\?uploadId=${id}`), [...withBody].sort()],
    ['POST', `${name}?uploads=`, expect.arrayContaining(always)],
    ['PUT', upload(`${name}\\?partNumber=1&uploadId=${id}&x-id=UploadPart`), [...withBody, 'content-md5'].sort()],
    ['PUT', upload(`${name}\\?partNumber=2&uploadId=${id}&x-id=UploadPart`), [...withBody, 'content-md5'].sort()],
  ])
  expect(scene.store.attempts).toEqual({ put: 0, get: 0, head: 0, list: 0, delete: 0, multipart: 4 })
})

test("sends the SDK's checksums in a header when configured", async () => {
  scene = await makeS3Scene({ checksums: 'when-supported' })
  const { key, path } = await scene.file(1_000)
  await scene.store.put(key, { path }, 1_000)
  const more = ['x-amz-checksum-crc32', 'x-amz-sdk-checksum-algorithm']
  expect(requests()).toEqual([['PUT', `/sluice-test/images/${key}?x-id=PutObject`, [...withBody, ...more].sort()]])
})

test('lists all pages and only its own objects', async () => {
  scene = await makeS3Scene()
  const { path } = await scene.file(3)
  const keys = Array.from({ length: 1_234 }, (_, index) => originalKey(index.toString(16).padStart(64, '0')))
  const { server } = scene
  await mkdir(dirname(server.objectPath('images/x')), { recursive: true })
  for (const key of keys) await copyFile(path, server.objectPath(`images/${key}`))
  await writeFile(server.objectPath('images/notes.txt'), 'foreign')
  await writeFile(server.objectPath('images/sluice-probe-1'), 'probe')
  await writeFile(server.objectPath(`${keys[0]}`), 'outside the prefix')
  const listed = await Array.fromAsync(scene.store.list(''))
  expect(listed.map(({ key }) => key)).toEqual(keys)
  expect(new Set(listed.map(({ size }) => size))).toEqual(new Set([3]))
  expect(scene.store.attempts.list).toBe(2)
})

test.each([
  ['objects', 2, () => Array.fromAsync(scene.store.list('')), '<NextContinuationToken>x</NextContinuationToken>'],
  ['uploads', 2, () => scene.store.removeUnfinished(new Date()), '<NextKeyMarker>x</NextKeyMarker>'],
  ['uploads without a mark', 1, () => scene.store.removeUnfinished(new Date()), ''],
] as const)('stops a list of %s that repeats a page after %i requests', async (_, times, list, mark) => {
  scene = await makeS3Scene()
  const body = `<?xml version="1.0"?><Result><IsTruncated>true</IsTruncated>${mark}</Result>`
  scene.proxy.fault = () => ({ answer: { status: 200, headers: { 'content-type': 'application/xml' }, body } })
  await expect(list()).rejects.toThrow(new ObjectStoreUnavailable('bucket repeated a page of its list'))
  expect(scene.store.attempts.list).toBe(times)
})
