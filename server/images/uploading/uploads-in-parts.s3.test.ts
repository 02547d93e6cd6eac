import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everythingKept, read, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import type { CountedFault, SeenOperation } from '#testing/servers/counting-s3.ts'
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

type Fault = (operation: SeenOperation) => CountedFault | null

/** A fault of these operations, from the `first` on. */
function faultOf(operations: readonly SeenOperation[], first: number, fault: CountedFault): Fault {
  let seen = 0
  return (operation) => {
    if (!operations.includes(operation)) return null
    seen += 1
    return seen >= first ? fault : null
  }
}

/** No request reaches the bucket, and none is answered. */
const dead = { ...refusal(500, 'InternalError', 'head'), ...cutAfter(null) }

/** The last column is how many multipart uploads a bucket keeps until they are removed as unfinished. */
const faults: [string, Fault, number][] = [
  ['whose beginning is refused', faultOf(['create upload'], 1, refusal(500, 'InternalError')), 0],
  ['whose second part is refused', faultOf(['part'], 2, refusal(503, 'SlowDown')), 0],
  ['whose second part is cut in the middle', faultOf(['part'], 2, { cutIn: 100_000 }), 0],
  ['whose end is refused', faultOf(['complete upload'], 1, refusal(500, 'InternalError')), 0],
  ['to a bucket that dies halfway', faultOf(['part', 'abort upload', 'complete upload', 'head'], 2, dead), 1],
]
test.each(faults)('an upload in parts %s leaves nothing, and may be sent again', async (name, fault, left) => {
  const size = { width: 1_800, height: 1_600, channels: 3 } as const
  const background = { r: name.length, g: 0, b: 9 }
  const bytes = await sharp({ create: { ...size, background } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const before = await everythingKept(served)
  served.s3.fault = fault
  const answer = await sendUpload(served, owner, bytes)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  served.s3.fault = () => null
  await jobsDone(served.app)
  expect(await everythingKept(served)).toEqual(before)
  const removeUnfinished = () => served.app.images.store.removeUnfinished(new Date(Date.now() + 60_000))
  expect(await removeUnfinished()).toBe(left)
  expect(await removeUnfinished()).toBe(0)
  const { url, sha256 } = await uploadAccepted(served, owner, bytes)
  const stored = Buffer.from(await (await read(url, owner)).arrayBuffer())
  expect(createHash('sha256').update(stored).digest('hex')).toBe(sha256)
})
