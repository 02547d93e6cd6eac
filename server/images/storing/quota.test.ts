import { afterAll, beforeAll, expect, test } from 'vitest'
import { everythingKept, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { refuseOverQuota } from './quota.ts'

let served: TestApp
let root: Person
beforeAll(async () => {
  served = await startApp({ SLUICE_QUOTA: '1MB' })
  root = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

const setQuota = (person: Person, quotaBytes: number | null) =>
  served.as(root).user.update({ id: person.viewer.userId, quotaBytes })
const readRoom = async (person: Person) => (await served.as(person).account.me()).room
const message = async (answer: Response) => {
  const { error }: { error: { message: string } } = await answer.json()
  return error.message
}

test.each([
  [{ used: 0, quota: 0 }, 12, 'This image needs 12 B, but 0 B of your 0 B are used.'],
  [{ used: 5_242_880, quota: 5_368_709_120 }, null, 'Your storage is full: 5 MiB of 5 GiB are used.'],
  [{ used: 1_587, quota: 1_048_575 }, 150_000_000, 'This image needs 143 MiB, but 1.5 KiB of your 1 MiB are used.'],
])('describes a full quota for %o and %o', (room, size, text) => {
  const advice = 'Delete images and empty the trash, or ask a superadmin for more storage.'
  expect(refuseOverQuota(room, size).message).toBe(`${text} ${advice}`)
})

test('refuses an image that does not fit with the figures, and stores nothing', async () => {
  const owner = await served.person()
  const first = await uploadAccepted(served, owner, await picture({ seed: 1 }))
  await setQuota(owner, first.size + 100)
  expect(await readRoom(owner)).toEqual({ used: first.size, quota: first.size + 100 })
  const before = await everythingKept(served)
  const answer = await sendUpload(served, owner, await picture({ seed: 2 }))
  expect(answer.status).toBe(413)
  expect(await message(answer)).toMatch(
    /^This image needs [\d.]+ KiB, but [\d.]+ KiB of your [\d.]+ KiB are used\. Delete images/,
  )
  await jobsDone(served.app)
  expect(await everythingKept(served)).toEqual(before)
  expect(await uploadAccepted(served, owner, await picture({ seed: 1 }))).toMatchObject({ id: first.id })
})

test('refuses an upload before its body is received if the quota is used up', async () => {
  const owner = await served.person()
  await setQuota(owner, 0)
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  let pulled = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      pulled += 1
      if (pulled > 64) await mayEnd
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const headers = { 'Content-Type': 'application/octet-stream', Cookie: owner.cookie }
  const init = { method: 'POST', headers, body, duplex: 'half' } as const
  const answer = await fetch(`${served.origin}/api/trpc/image.upload`, init)
  end()
  expect(answer.status).toBe(413)
  // Only what the socket buffers took.
  expect(pulled).toBeLessThanOrEqual(65)
  expect(await message(answer)).toMatch(/^Your storage is full: 0 B of 0 B are used\. Delete images/)
})

test('shows admins the site’s quota and a user’s own', async () => {
  const [owner, admin] = [await served.person(), await served.person({ role: 'admin' })]
  const { size } = await uploadAccepted(served, owner, await picture({ seed: 3 }))
  expect(await readRoom(owner)).toEqual({ used: size, quota: 1_048_576 })
  expect(await setQuota(owner, 2_000_000_000_000)).toMatchObject({ usedBytes: size, quotaBytes: 2_000_000_000_000 })
  expect(await readRoom(owner)).toEqual({ used: size, quota: 2_000_000_000_000 })
  const { items } = await served.as(admin).user.list({ search: owner.viewer.username })
  expect(items).toMatchObject([{ usedBytes: size, quotaBytes: 2_000_000_000_000 }])
  expect(await setQuota(owner, null)).toMatchObject({ quotaBytes: null })
  expect((await served.as(null).account.me()).room).toBeNull()
})

test.each([-1, 1.5, Number.MAX_VALUE])('%s is not a valid quota', async (quotaBytes) => {
  await expect(setQuota(root, quotaBytes)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('keeps sessions when a quota changes', async () => {
  const owner = await served.person()
  await setQuota(owner, 7)
  expect(await served.app.findViewer({ cookie: owner.cookie })).toMatchObject({ userId: owner.viewer.userId })
})
