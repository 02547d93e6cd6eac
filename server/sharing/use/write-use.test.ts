import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebhookEvent } from '#server/webhooks/events.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import type { UseRow } from './use-book.ts'
import { addVisitor, estimateVisitors, newSketch } from './visitor-sketch.ts'
import { writeUse } from './write-use.ts'

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp()
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())

const DAY = '2026-11-23'

async function createShare(): Promise<string> {
  const { id } = await insertBareImage(served.app.db, owner.viewer.userId)
  return (await served.as(owner).share.create({ target: { images: [id] } })).id
}

function rowOf(shareId: string, from: number, more: Partial<UseRow> = {}): UseRow {
  const visitors = newSketch()
  for (let at = from; at < from + 3; at += 1) addVisitor(visitors, 'a day', `192.0.2.${at}`)
  return { shareId, day: DAY, requests: 2, bytes: 10, refused: 0, visitors, near: null, spent: null, ...more }
}

const daysOf = (shareId: string) => served.app.db.shareDay.findMany({ where: { shareId } })

test('what several processes have noted is added up, and visitors of both count once', async () => {
  const id = await createShare()
  const parts = { db: served.app.db, announce: async () => undefined }
  await Promise.all([0, 1, 2].map((from) => writeUse(parts, [rowOf(id, from)])))
  const [day] = await daysOf(id)
  expect(day).toMatchObject({ requests: 6n, bytes: 30n, nearAt: null, spentAt: null })
  expect(estimateVisitors(day?.visitors ?? newSketch())).toBe(5)
})

test('a limit that is nearly or fully used is reported once a day, without the title of the share', async () => {
  const id = await createShare()
  const events: WebhookEvent[] = []
  const announce = async (_: unknown, event: WebhookEvent) => void events.push(event)
  const parts = { db: served.app.db, announce }
  const near = { name: 'bytesPerDay', limit: 100, used: 80 } as const
  const spent = { name: 'requestsPerHour', limit: 4, used: 4 } as const
  await writeUse(parts, [rowOf(id, 0, { near })])
  await writeUse(parts, [rowOf(id, 0, { near, spent, refused: 1 })])
  await writeUse(parts, [rowOf(id, 0, { near, spent, refused: 2 })])
  const { userId, username } = owner.viewer
  const common = { id, owner: { id: userId, username } }
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    ['share.near', { ...common, limit: 'bytesPerDay', amount: 100, used: 80 }],
    ['share.spent', { ...common, limit: 'requestsPerHour', amount: 4, used: 4 }],
  ])
  expect(await daysOf(id)).toMatchObject([{ refused: 3n, nearAt: expect.any(Date), spentAt: expect.any(Date) }])
})

test('the use of a share that was revoked meanwhile is left out, and that of others written', async () => {
  const [gone, stays] = [await createShare(), await createShare()]
  await served.as(owner).share.revoke({ id: gone })
  const parts = { db: served.app.db, announce: async () => undefined }
  await writeUse(parts, [rowOf(gone, 0), rowOf(stays, 0)])
  expect([await daysOf(gone), (await daysOf(stays)).length]).toEqual([[], 1])
})
