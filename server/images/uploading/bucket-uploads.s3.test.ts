import { createHash } from 'node:crypto'
import { request } from 'node:http'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { everythingKept, read, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import type { CountedFault } from '#testing/servers/counting-s3.ts'
import { type BucketApp, startBucketApp } from '#testing/sluice/bucket-app.ts'
import type { Person } from '#testing/sluice/sluice-app.ts'
import { cutAfter, refusal } from '#testing/storage/metered-scene.ts'

let served: BucketApp
let owner: Person
beforeAll(async () => {
  served = await startBucketApp()
  owner = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())
beforeEach(async () => {
  await expect.poll(() => everythingKept(served)).toMatchObject({ unfinished: [] })
})

const heal = () => {
  served.s3.fault = () => null
}
const requests = () => new Map(served.s3.requests)
/** Multipart uploads that have not been completed or aborted. */
const unfinished = () => served.app.images.store.removeUnfinished(new Date(Date.now() + 60_000))

async function expectReadable(url: string, sha256: string): Promise<void> {
  const bytes = Buffer.from(await (await read(url, owner)).arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
}

/** An upload whose client disconnects on demand. */
function begin(length: number) {
  const headers = { 'Content-Type': 'application/octet-stream', Cookie: owner.cookie, 'Content-Length': length }
  const sending = request(`${served.origin}/api/trpc/image.upload`, { method: 'POST', headers })
  return sending.on('error', () => undefined)
}

const wrongEtag: CountedFault = {
  answer: { at: 'end', status: 200, headers: { etag: `"${'0'.repeat(32)}"` }, body: '' },
}
const putFaults: [string, CountedFault, number][] = [
  ['500', refusal(500, 'InternalError'), 3],
  ['503 SlowDown', refusal(503, 'SlowDown'), 3],
  ['a reset after all bytes', cutAfter(null), 3],
  ['a wrong ETag', wrongEtag, 1],
]
test.each(putFaults)(
  'an upload whose put meets %s is refused, leaves nothing, and may be sent again',
  async (_, fault, puts) => {
    const bytes = await picture({ format: 'png', width: 60, height: 40, seed: puts + _.length })
    const kept = await everythingKept(served)
    const before = requests()
    served.s3.fault = (operation) => (operation === 'put' ? fault : null)
    const answer = await sendUpload(served, owner, bytes)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.text()).toContain('The image store is unavailable. Try again in a few seconds.')
    expect((served.s3.requests.get('put') ?? 0) - (before.get('put') ?? 0)).toBe(puts)
    heal()
    await jobsDone(served.app)
    expect(await everythingKept(served)).toEqual(kept)
    await served.compare('but for buffers')
    const { url, sha256 } = await uploadAccepted(served, owner, bytes)
    await expectReadable(url, sha256)
  },
)

test('each of twenty concurrent uploads is stored or refused if every fifth put fails', async () => {
  const files = await Promise.all(
    Array.from({ length: 20 }, (_, at) => picture({ format: 'png', width: 20, height: 20, seed: 100 + at })),
  )
  const kept = await everythingKept(served)
  let puts = 0
  served.s3.fault = (operation) => {
    if (operation !== 'put') return null
    puts += 1
    return puts % 5 === 0 ? refusal(403, 'AccessDenied') : null
  }
  const answers = await Promise.all(files.map((bytes) => sendUpload(served, owner, bytes)))
  heal()
  const stored = answers.filter(({ status }) => status === 200).length
  const refused = answers.filter(({ status }) => status === 503).length
  expect([stored + refused, refused]).toEqual([20, Math.floor(puts / 5)])
  await jobsDone(served.app)
  const now = await everythingKept(served)
  expect([now.images - kept.images, now.objectRows - kept.objectRows]).toEqual([stored, stored])
  await served.compare()
})

describe('a client that disconnects', () => {
  test.each([0.01, 0.5, 0.99])('at %d of its file causes no request to the bucket', async (share) => {
    const bytes = await picture({ format: 'png', width: 900, height: 900, seed: 7 })
    const [kept, before] = [await everythingKept(served), requests()]
    const sending = begin(bytes.length)
    await new Promise((resolve) => sending.write(bytes.subarray(0, Math.floor(bytes.length * share)), resolve))
    await expect.poll(async () => (await everythingKept(served)).unfinished.length).toBe(1)
    sending.destroy()
    await expect.poll(() => everythingKept(served)).toEqual(kept)
    expect(await askedSince(before)).toEqual({})
    await served.compare('but for buffers')
  })

  test('while its file is sent to the bucket in parts leaves all of it or nothing, and no single parts', async () => {
    const raw = { width: 1_800, height: 1_600, channels: 3 } as const
    const flat = sharp({ create: { ...raw, background: '#357' } })
    const bytes = await flat.png({ compressionLevel: 0 }).toBuffer()
    const kept = await everythingKept(served)
    const sending = begin(bytes.length)
    served.s3.fault = (operation) => {
      if (operation === 'part') sending.destroy()
      return null
    }
    sending.end(bytes)
    await expect.poll(() => sending.destroyed).toBe(true)
    await expect.poll(async () => (await everythingKept(served)).unfinished).toEqual([])
    heal()
    await jobsDone(served.app)
    expect(await unfinished()).toBe(0)
    const now = await everythingKept(served)
    const images = await served.app.db.image.findMany({ where: { size: { gt: 8 * 1024 ** 2 } } })
    expect([images.length, now.images - kept.images]).toEqual([1, 1])
    const [{ slug, sha256 } = expect.unreachable()] = images
    await expectReadable(`${served.origin}/i/${slug}.png`, sha256)
    await served.compare()
  })

  /** Requests to the bucket since then, without lists, which the tests themselves make. */
  async function askedSince(before: ReadonlyMap<string, number>) {
    const since = [...served.s3.requests].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
    return Object.fromEntries(since.filter(([name, count]) => count > 0 && name !== 'list'))
  }
})
