import { createHash, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { createDiskStore } from './disk.ts'
import { conformsToObjectStore, type StoreUnderTest } from './object-store.conformance.ts'
import { isObjectKey, ObjectCorrupt, ObjectStoreUnavailable, originalKey, variantKey } from './object-store.ts'

async function makeStore(): Promise<StoreUnderTest & { root: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-disk-'))
  const root = join(folder, 'objects')
  const store = await createDiskStore(root)
  return { store, folder, root, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

conformsToObjectStore('disk', makeStore)

const sha256 = `ab12${'e'.repeat(60)}`

test('stores files two folders deep and leaves no unfinished ones', async () => {
  await using under = await makeStore()
  const path = join(under.folder, 'file')
  await writeFile(path, 'bytes')
  await under.store.put(originalKey(sha256), { path }, 5)
  await under.store.put(variantKey(sha256, 400, sha256), { path }, 5)
  expect((await readdir(join(under.root, 'ab/12'))).sort()).toEqual([sha256, `${sha256}.w400.${sha256}.webp`])
  expect(await readdir(join(under.root, 'tmp'))).toEqual([])
})

test('keeps the file itself, also on a second put, without copying its bytes', async () => {
  await using under = await makeStore()
  const path = join(under.folder, 'file')
  await writeFile(path, 'bytes')
  const key = originalKey(sha256)
  for (let time = 0; time < 2; time += 1) await under.store.put(key, { path }, 5)
  await expect(under.store.put(key, { path }, 6)).rejects.toThrow('6 bytes')
  const kept = await stat(join(under.root, 'ab/12', sha256))
  expect([kept.ino, kept.nlink]).toEqual([(await stat(path)).ino, 2])
  expect(await readdir(join(under.root, 'tmp'))).toEqual([])
  await rm(path)
  expect(await under.store.readSize(key)).toBe(5)
})

test('replaces a file that has the same name', async () => {
  await using under = await makeStore()
  const key = originalKey(sha256)
  for (const text of ['first', 'second']) {
    const path = join(under.folder, text)
    await writeFile(path, text)
    await under.store.put(key, { path }, text.length)
  }
  expect(await readFile(join(under.root, 'ab/12', sha256), 'utf8')).toBe('second')
  expect(await readdir(join(under.root, 'tmp'))).toEqual([])
})

test('copies a file from another file system', async () => {
  await using under = await makeStore()
  // Temporary files are in memory or on disk (scripts/roomy-memory.ts).
  const { dev } = await stat(under.root)
  const other = ['/dev/shm', '/var/tmp'].find((place) => statSync(place).dev !== dev)
  const folder = await mkdtemp(`${other}/sluice-disk-`)
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  await writeFile(path, 'bytes')
  await under.store.put(originalKey(sha256), { path }, 5)
  const kept = join(under.root, 'ab/12', sha256)
  expect([await readFile(kept, 'utf8'), (await stat(kept)).nlink]).toEqual(['bytes', 1])
})

test('removes only unfinished objects that are an hour old at startup', async () => {
  await using under = await makeStore()
  for (const name of ['old', 'young']) await mkdir(join(under.root, 'tmp', name))
  const hourAgo = Date.now() / 1000 - 3600
  await utimes(join(under.root, 'tmp/old'), hourAgo, hourAgo)
  await createDiskStore(under.root)
  expect(await readdir(join(under.root, 'tmp'))).toEqual(['young'])
})

test('names a folder that cannot be written at startup, and reports an outage later', async () => {
  await using under = await makeStore()
  await rm(join(under.root, 'tmp'), { recursive: true })
  const sentence = `The folder ${under.root} is not writable. Check its owner, its permissions and the free space.`
  await expect(under.store.verify()).rejects.toThrow(new CannotStart(sentence))
  await expect(under.store.check()).rejects.toThrow(ObjectStoreUnavailable)
  const path = join(under.folder, 'file')
  await writeFile(path, 'bytes')
  await expect(under.store.put(originalKey(sha256), { path }, 5)).rejects.toThrow(ObjectStoreUnavailable)
})

test('fails a list as an outage instead of skipping an object that cannot be looked up', async () => {
  await using under = await makeStore()
  const path = join(under.folder, 'file')
  await writeFile(path, 'bytes')
  await under.store.put(originalKey(sha256), { path }, 5)
  // A link to itself exists, but stat() fails.
  const unreadable = `ab12${'f'.repeat(60)}`
  await symlink(unreadable, join(under.root, 'ab/12', unreadable))
  await expect(Array.fromAsync(under.store.list(''))).rejects.toThrow(ObjectStoreUnavailable)
})

test('reports an outage for a list and a cleanup when the folder is gone', async () => {
  await using under = await makeStore()
  await rm(under.root, { recursive: true })
  await expect(Array.fromAsync(under.store.list(''))).rejects.toThrow(ObjectStoreUnavailable)
  await expect(under.store.removeUnfinished(new Date())).rejects.toThrow(ObjectStoreUnavailable)
})

test('detects a flipped bit on disk when an object is read whole', async () => {
  await using under = await makeStore()
  const bytes = randomBytes(600_000)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const path = join(under.folder, 'file')
  await writeFile(path, bytes)
  await under.store.put(originalKey(hash), { path }, bytes.length)
  bytes[400_000] = (bytes[400_000] ?? 0) ^ 16
  await writeFile(join(under.root, hash.slice(0, 2), hash.slice(2, 4), hash), bytes)
  await expect(buffer((await under.store.open(originalKey(hash))).body)).rejects.toThrow(ObjectCorrupt)
})

test.each([
  ['..', false],
  ['../../etc/passwd', false],
  [sha256.toUpperCase(), false],
  [`${sha256}/`, false],
  [`${sha256}/../x`, false],
  [`${sha256}/w400.${sha256}.webp\n`, false],
  [`${sha256}/w400.webp`, false],
  [`${sha256}/w0400.${sha256}.webp`, false],
  [`${sha256}\0`, false],
  [`${sha256}?x=1`, false],
  [`${sha256}%2fw400.${sha256}.webp`, false],
  [sha256, true],
  [`${sha256}/w400.${sha256}.webp`, true],
])('%j is a key: %s', (text, expected) => {
  expect(isObjectKey(text)).toBe(expected)
  if (!expected) expect(() => originalKey(text)).toThrow(TypeError)
})
