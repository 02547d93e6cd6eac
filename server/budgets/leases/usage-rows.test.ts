import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { BudgetScene } from '#testing/budgets/budget-scene.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { readUsage } from '../usage-report.ts'
import { dropImageUsage, type ImageUsageRow } from './image-usage-rows.ts'
import { UsageBook } from './usage-book.ts'
import { foldUsage, fullDays, type ObjectRow, type UsageBatch, type UsageRow, writeUsage } from './usage-rows.ts'

let database: Database
let scene: BudgetScene
beforeAll(async () => {
  database = await openEmbeddedDatabase()
  scene = new BudgetScene(database.db)
})
afterAll(() => database.close())
beforeEach(() => scene.clear())

const none = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0, nanos: 0, calls: 0, sent: 0 }
const row = (day: string, subject: string, nanos: number, procedure = 'image bytes'): UsageRow => {
  return { ...none, day, procedure, subject, nanos }
}
const object = (day: string, sha256: string, nanos: number): ObjectRow => {
  return { day, sha256, reads: 0, bytesOut: 0, nanos, sent: 0 }
}
const image = (day: string, id: string, reads: number): ImageUsageRow => ({ day, image: id, reads, sent: reads * 100 })
const nowhere = { ofSubjects: [], ofObjects: [], ofImages: [] }
const write = (batch: Partial<UsageBatch>, full?: Parameters<typeof writeUsage>[2]) =>
  writeUsage(database.db, { rows: [], objects: [], images: [], ...batch }, full)

const rows = async () => {
  const found = await database.db.usageDay.findMany({
    orderBy: [{ day: 'asc' }, { procedure: 'asc' }, { nanos: 'desc' }],
  })
  return found.map(({ day, procedure, subject, nanos }) => [
    day.toISOString().slice(0, 10),
    procedure,
    subject,
    Number(nanos),
  ])
}

describe('usage', () => {
  it('is kept individually for the most expensive rows of a past day, and folded for the others', async () => {
    await write({
      rows: [
        row('2026-11-20', 'a', 5),
        row('2026-11-20', 'b', 9),
        row('2026-11-20', 'c', 7, 'image.upload'),
        row('2026-11-20', 'd', 1),
        row('2026-11-20', 'site', 0, 'sweep'),
        row('2026-11-21', 'a', 2),
      ],
      objects: [object('2026-11-20', 'x', 1), object('2026-11-20', 'y', 3), object('2026-11-20', 'z', 2)],
    })
    expect(await foldUsage(database.db, '2026-11-21', 2)).toBe(3)
    expect(await foldUsage(database.db, '2026-11-21', 2)).toBe(0)
    const folded = [
      ['2026-11-20', 'image bytes', 'b', 9],
      ['2026-11-20', 'image bytes', 'others', 6],
      ['2026-11-20', 'image.upload', 'c', 7],
      ['2026-11-20', 'sweep', 'site', 0],
      ['2026-11-21', 'image bytes', 'a', 2],
    ]
    expect(await rows()).toEqual(folded)
    // Rows written later for that day are folded too.
    await write({ rows: [row('2026-11-20', 'a', 1), row('2026-11-20', 'b', 1)] })
    await foldUsage(database.db, '2026-11-21', 2)
    expect(await rows()).toEqual(
      folded.map((each, index) =>
        index === 0 ? [...each.slice(0, 3), 10] : index === 1 ? [...each.slice(0, 3), 7] : each,
      ),
    )
    const objects = await database.db.objectUsageDay.findMany({ orderBy: { nanos: 'desc' } })
    expect(objects.map(({ sha256, nanos }) => [sha256, Number(nanos)])).toEqual([
      ['y', 3],
      ['z', 2],
      ['others', 1],
    ])
  })

  it('adds no new subjects to a full day', async () => {
    const day = '2026-11-21'
    await write({ rows: [row(day, 'a', 1), row(day, 'b', 1)], objects: [object(day, 'x', 1)] })
    expect(await fullDays(database.db, [day, '2026-11-22'], 3)).toEqual(nowhere)
    const full = await fullDays(database.db, [day, '2026-11-22'], 2)
    expect(full).toEqual({ ...nowhere, ofSubjects: [day] })
    const more = [row(day, 'a', 2), row(day, 'c', 4), row(day, 'd', 8), row(day, 'site', 16), row('2026-11-22', 'c', 1)]
    for (let time = 0; time < 2; time += 1) await write({ rows: more }, full)
    expect(await rows()).toEqual([
      [day, 'image bytes', 'site', 32],
      [day, 'image bytes', 'others', 24],
      [day, 'image bytes', 'a', 5],
      [day, 'image bytes', 'b', 1],
      ['2026-11-22', 'image bytes', 'c', 2],
    ])
  })

  it('adds no new hashes to a full day', async () => {
    const day = '2026-11-21'
    await write({ objects: [object(day, 'x', 1), object(day, 'y', 1)] })
    const full = await fullDays(database.db, [day], 2)
    expect(full).toEqual({ ...nowhere, ofObjects: [day] })
    const more = [object(day, 'x', 2), object(day, 'z', 4), object(day, 'v', 8), object('2026-11-22', 'z', 1)]
    for (let time = 0; time < 2; time += 1) await write({ objects: more }, full)
    const objects = await database.db.objectUsageDay.findMany({ orderBy: [{ day: 'asc' }, { nanos: 'desc' }] })
    expect(objects.map(({ sha256, nanos }) => [sha256, Number(nanos)])).toEqual([
      ['others', 24],
      ['x', 5],
      ['y', 1],
      ['z', 2],
    ])
  })

  it('adds no new images to a full day, and keeps images for 30 days', async () => {
    const [day, old] = ['2026-11-21', '2026-10-22']
    await write({ images: [image(day, 'x', 1), image(day, 'y', 1), image(old, 'x', 1), image('2026-10-23', 'x', 1)] })
    const full = await fullDays(database.db, [day], 2)
    expect(full).toEqual({ ...nowhere, ofImages: [day] })
    for (let time = 0; time < 2; time += 1) await write({ images: [image(day, 'x', 2), image(day, 'z', 4)] }, full)
    expect(await dropImageUsage(database.db, day)).toBe(1)
    const kept = await database.db.imageUsageDay.findMany({ orderBy: [{ day: 'asc' }, { reads: 'desc' }] })
    expect(kept.map((each) => [each.day.toISOString().slice(0, 10), each.image, each.reads, each.sent])).toEqual([
      ['2026-10-23', 'x', 1n, 100n],
      [day, 'others', 8n, 800n],
      [day, 'x', 5n, 500n],
      [day, 'y', 1n, 100n],
    ])
  })

  it('names no subject after 92 days', async () => {
    await write({ rows: [row('2026-08-20', '192.0.2.1', 5), row('2026-08-21', '192.0.2.1', 5)] })
    await foldUsage(database.db, '2026-11-21')
    expect(await rows()).toEqual([
      ['2026-08-20', 'image bytes', 'others', 5],
      ['2026-08-21', 'image bytes', '192.0.2.1', 5],
    ])
  })

  it('that cannot be written is kept in memory, up to a bound', async () => {
    const { db } = database
    const logged: object[] = []
    const log = { error: (details: object) => logged.push(details) }
    const usage = new UsageBook({ db, log, today: () => '2026-11-21' })
    const down = vi.spyOn(db, '$transaction').mockRejectedValue(new Error('down'))
    for (let subject = 0; subject < 6_000; subject += 1)
      usage.sent({ procedure: 'image bytes', subject: `s${subject}` }, { id: `i${subject}`, sha256: `h${subject}` }, 10)
    await usage.flush()
    usage.sent({ procedure: 'image bytes', subject: 's0' }, { id: 'i0', sha256: 'h0' }, 5)
    await usage.flush()
    expect(logged).toHaveLength(2)
    down.mockRestore()
    await usage.flush()
    expect(await db.usageDay.count()).toBe(5_001)
    expect(await db.usageDay.findFirst({ where: { subject: 's0' } })).toMatchObject({ calls: 2n, sent: 15n })
    expect(await db.usageDay.findFirst({ where: { subject: 'others' } })).toMatchObject({
      calls: 1_000n,
      sent: 10_000n,
    })
    expect(await db.objectUsageDay.findFirst({ where: { sha256: 'others' } })).toMatchObject({ sent: 10_000n })
    expect(await db.imageUsageDay.count()).toBe(5_001)
    expect(await db.imageUsageDay.findFirst({ where: { image: 'i0' } })).toMatchObject({ reads: 2n, sent: 15n })
    expect(await db.imageUsageDay.findFirst({ where: { image: 'others' } })).toMatchObject({
      reads: 1_000n,
      sent: 10_000n,
    })
  })

  it('is written in batches: after a failure the rest waits, and no row is written twice', async () => {
    const { db } = database
    const usage = new UsageBook({ db, log: { error: () => undefined }, today: () => '2026-11-21' })
    for (let subject = 0; subject < 250; subject += 1)
      usage.sent({ procedure: 'image bytes', subject: `s${subject}` }, { id: 'i', sha256: 'h' }, 10)
    let batches = 0
    const transact = db.$transaction.bind(db)
    const failing = vi.spyOn(db, '$transaction').mockImplementation((asked) => {
      batches += 1
      return batches === 2 ? Promise.reject(new Error('down')) : transact(asked)
    })
    await usage.flush()
    expect(await db.usageDay.count()).toBe(100)
    await usage.flush()
    failing.mockRestore()
    expect(batches).toBe(4)
    expect(await db.usageDay.count({ where: { calls: 1, sent: 10 } })).toBe(250)
    expect(await db.objectUsageDay.findMany()).toMatchObject([{ sha256: 'h', sent: 2_500n }])
    expect(await db.imageUsageDay.findMany()).toMatchObject([{ image: 'i', reads: 250n, sent: 2_500n }])
  })

  it('is reported by procedure with every day of the month', async () => {
    await write({ rows: [row('2026-11-01', 'a', 5), row('2026-11-30', 'b', 9), row('2026-12-01', 'a', 7)] })
    const { procedures, subjects } = await readUsage(database.db, '2026-11')
    const days = Array.from({ length: 30 }, (_, day) => (day === 0 ? 5 : day === 29 ? 9 : 0))
    expect(procedures).toMatchObject([{ procedure: 'image bytes', nanos: 14, days }])
    const writes = row('2026-11-01', 'a', 5).writes
    expect(subjects.map((each) => [each.subject, each.nanos, each.writes])).toEqual([
      ['b', 9, writes],
      ['a', 5, writes],
    ])
  })
})
