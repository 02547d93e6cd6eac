import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everythingKept, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { mountSmallDisk } from '#testing/servers/small-disk.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const ROOM = 1024 ** 2

const temp = await mountSmallDisk(ROOM)
const objects = await mountSmallDisk(ROOM)

/** Makes a PNG of about this many bytes. */
function makePng(bytes: number, shade: number): Promise<Buffer> {
  const create = { width: 500, height: Math.ceil(bytes / 1_500), channels: 3, background: { r: shade, g: 1, b: 1 } }
  return sharp({ create: { ...create, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

describe.skipIf(!temp || !objects)('a disk without space', () => {
  let served: TestApp
  let owner: Person
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sluice-full-disk-'))
    await symlink(temp?.path ?? '', join(dataDir, 'tmp'))
    await symlink(objects?.path ?? '', join(dataDir, 'objects'))
    served = await startApp({ SLUICE_DATA: dataDir })
    owner = await served.person({ role: 'superadmin' })
  })
  afterAll(async () => {
    await served[Symbol.asyncDispose]()
    await temp?.[Symbol.asyncDispose]()
    await objects?.[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true })
  })

  async function expectRefused(bytes: Buffer): Promise<void> {
    const kept = await everythingKept(served)
    const answer = await sendUpload(served, owner, bytes)
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
      503,
      '5',
      expect.stringContaining('The server has no disk space left. Try again later.'),
    ])
    await jobsDone(served.app)
    expect(await everythingKept(served)).toEqual(kept)
    await expect.poll(() => readdir(temp?.path ?? '')).toEqual([])
    expect(await readdir(join(objects?.path ?? '', 'tmp'))).toEqual([])
  }

  test('refuses an upload that it has no space to receive or clean, and keeps running', async () => {
    await expectRefused(await makePng(2 * ROOM, 1))
    await expectRefused(await makePng(0.7 * ROOM, 2))
    await uploadAccepted(served, owner, await makePng(10_000, 3))
  })

  test('refuses an image that it has no space to store, and accepts it once there is room', async () => {
    const bytes = await Promise.all([4, 5, 6].map((shade) => makePng(0.4 * ROOM, shade)))
    const [first, second, third] = bytes
    if (!first || !second || !third) return expect.unreachable()
    const { id } = await uploadAccepted(served, owner, first)
    await uploadAccepted(served, owner, second)
    await expectRefused(third)
    await served.as(owner).image.delete({ id })
    await served.as(owner).image.purge({ id })
    await jobsDone(served.app)
    await uploadAccepted(served, owner, third)
  })
})
