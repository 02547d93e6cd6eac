import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeS3Scene, type S3Scene } from '#testing/servers/s3-scene.ts'
import { listCacheFiles } from '#testing/storage/cache-scene.ts'
import { createCachedStore } from './cached.ts'

const SIZE = 3_000_000

// Every test starts processes, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let scene: S3Scene
let folder: string
beforeEach(async () => {
  scene = await makeS3Scene()
  folder = await mkdtemp(join(tmpdir(), 'sluice-cache-processes-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await scene[Symbol.asyncDispose]()
})

const reads = () => scene.proxy.requests.filter(({ method }) => method === 'GET').length
const sum = (sizes: Iterable<number>) => [...sizes].reduce((all, size) => all + size, 0)

async function stored(size = SIZE) {
  const file = await scene.file(size)
  await scene.store.put(file.key, file, file.size)
  return file
}

/** Starts a process with a cache in the shared folder. */
async function start(maxBytes = 100e6) {
  const child = fork(
    join(import.meta.dirname, '../../testing/storage/cache-worker.ts'),
    [JSON.stringify({ folder, maxBytes, settings: scene.settings })],
    { execArgv: ['--disable-warning=ExperimentalWarning'] },
  )
  const said: unknown[] = []
  child.on('message', (message) => said.push(message))
  const exited = once(child, 'exit')
  const heard = (expected: Record<string, unknown>) =>
    vi.waitFor(() => expect(said).toContainEqual(expect.objectContaining(expected)), { timeout: 20_000 })
  await heard({ ready: true })
  return {
    read: (key: string, killAt?: string) => child.send({ read: key, killAt }),
    heard,
    kill: () => child.kill('SIGKILL'),
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Holds back the bodies of reads after `after` bytes until `heal`. */
function holdBack(after: number) {
  scene.proxy.fault = ({ method }) => (method === 'GET' ? { end: { how: 'silence', after } } : null)
}
const heal = () => {
  scene.proxy.fault = () => null
}

test('reads the store once for readers in several processes', async () => {
  const { key, sha256 } = await stored().then((file) => ({ ...file, sha256: file.key }))
  await using one = await start()
  await using two = await start()
  for (let time = 0; time < 10; time += 1) for (const process of [one, two]) process.read(key)
  for (const process of [one, two]) await process.heard({ read: key, sha256, bytes: SIZE })
  expect(reads()).toBe(1)
  await using three = await start()
  three.read(key)
  await three.heard({ read: key, sha256 })
  expect(reads()).toBe(1)
})

test.each(['create', 'chunk'])(
  'takes over a fetch whose process is killed (%s), without interrupting its reader',
  async (killAt) => {
    const { key } = await stored()
    await using one = await start()
    await using two = await start()
    one.read(key, killAt)
    // Only the fetching process is killed; another takes over.
    if (killAt === 'create') await one.exited
    else await vi.waitFor(() => expect(reads()).toBe(1), { timeout: 20_000 })
    two.read(key)
    await one.exited
    await two.heard({ read: key, sha256: key, bytes: SIZE })
    expect(reads()).toBe(2)
    expect([...(await listCacheFiles(join(folder, 'objects'))).values()]).toEqual([SIZE])
  },
)

test('continues a read that began on the file of a killed process', async () => {
  const { key } = await stored()
  await using one = await start()
  await using two = await start()
  holdBack(1_000_000)
  one.read(key)
  await one.heard({ read: key, begun: true })
  two.read(key)
  await two.heard({ read: key, begun: true })
  heal()
  one.kill()
  await two.heard({ read: key, sha256: key, bytes: SIZE })
  expect(reads()).toBe(2)
})

test('leaves a consistent cache when a process is killed during an eviction', async () => {
  const maxBytes = 30 * 300_000
  const objects = []
  for (let at = 0; at < 33; at += 1) objects.push(await stored(300_000))
  await using one = await start(maxBytes)
  for (const { key } of objects.slice(0, 30)) {
    one.read(key)
    await one.heard({ read: key, sha256: key })
  }
  const [, , , late] = objects.slice(-4)
  one.read(late?.key ?? '', 'removal')
  await one.exited
  const before = await listCacheFiles(join(folder, 'objects'))
  expect(sum(before.values())).toBeLessThanOrEqual(maxBytes)
  await using two = await start(maxBytes)
  for (const { key } of objects) {
    two.read(key)
    await two.heard({ read: key, sha256: key })
    expect(sum((await listCacheFiles(join(folder, 'objects'))).values())).toBeLessThanOrEqual(maxBytes)
  }
  const store = createCachedStore(scene.store, {
    folder,
    maxBytes,
    trouble: (error) => expect.unreachable(String(error)),
  })
  await vi.waitFor(
    async () => {
      const files = await listCacheFiles(join(folder, 'objects'))
      expect(store.figures()).toMatchObject({ objects: files.size, bytes: sum(files.values()) })
    },
    { timeout: 60_000 },
  )
  await store.close()
})

test('leaves a working index, and no files outside of it, when processes are killed at random moments', async () => {
  const maxBytes = 20 * 100_000
  const objects = []
  for (let at = 0; at < 30; at += 1) objects.push(await stored(100_000))
  for (let round = 0; round < 4; round += 1) {
    await using one = await start(maxBytes)
    for (let at = 0; at < 40; at += 1) one.read(objects[(at * 7 + round) % objects.length]?.key ?? '')
    // At a random moment among its reads: after this many.
    for (let at = 0; at < round * 6; at += 1) await one.heard({ read: objects[(at * 7 + round) % objects.length]?.key })
    one.kill()
    await one.exited
    expect(sum((await listCacheFiles(join(folder, 'objects'))).values())).toBeLessThanOrEqual(maxBytes)
  }
  await using last = await start(maxBytes)
  for (const { key } of objects) {
    last.read(key)
    await last.heard({ read: key, sha256: key, bytes: 100_000 })
  }
  const store = createCachedStore(scene.store, {
    folder,
    maxBytes,
    trouble: (error) => expect.unreachable(String(error)),
  })
  await vi.waitFor(
    async () => {
      const files = await listCacheFiles(join(folder, 'objects'))
      expect(store.figures()).toMatchObject({ objects: files.size, bytes: sum(files.values()) })
    },
    { timeout: 60_000 },
  )
  await store.close()
})
