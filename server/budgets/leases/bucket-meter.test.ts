import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import { paidBy } from '#server/storage/payer.ts'
import { askMeter, BudgetScene } from '#testing/budgets/budget-scene.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { published } from '../bill/prices.ts'

let database: Database
let scene: BudgetScene
beforeAll(async () => {
  database = await openEmbeddedDatabase()
  scene = new BudgetScene(database.db)
})
afterAll(() => database.close())
beforeEach(() => scene.clear())

const zero = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0, nanos: 0 }

describe('a lease', () => {
  it('is counted at once, used from memory, and its rest returned', async () => {
    const { meter } = scene.member()
    await meter.request('reads')
    expect(await scene.spent()).toEqual({ ...zero, reads: 10 })
    const query = vi.spyOn(scene.db, '$queryRaw')
    for (let asked = 0; asked < 9; asked += 1) await meter.request('reads')
    expect(query).not.toHaveBeenCalled()
    await meter.request('reads')
    expect(query).toHaveBeenCalledTimes(1)
    expect(await scene.spent()).toEqual({ ...zero, reads: 30 })
    await meter.close()
    expect(await scene.spent()).toEqual({ ...zero, reads: 11 })
    expect(await scene.spent('month')).toEqual({ ...zero, reads: 11 })
  })

  it('is small in a new process and doubles each time', async () => {
    const { meter } = scene.member()
    const leased: number[] = []
    for (let asked = 0; asked < 300; asked += 1) {
      const { reads } = await scene.spent()
      await meter.request('reads')
      const more = (await scene.spent()).reads - reads
      if (more > 0) leased.push(more)
    }
    expect(leased).toEqual([10, 20, 40, 80, 100, 100])
    const mib = 1024 * 1024
    for (const total of [0.25, 0.75, 1.75, 3.75, 7.75, 15.75, 23.75]) {
      await meter.reserve('out', total * mib - (await scene.spent()).bytesOut - 1)
      await meter.reserve('out', 1)
      expect((await scene.spent()).bytesOut).toBe(total * mib)
    }
  })

  it('of bytes is as large as needed if a portion is too small', async () => {
    const { meter } = scene.member()
    const large = await meter.reserve('in', 20_000_000)
    expect(await scene.spent()).toEqual({ ...zero, bytesIn: 20_000_000 })
    large.moved(5_000_000)
    large.moved(5_000_000)
    large.end()
    large.end()
    const small = await meter.reserve('out', 10)
    small.moved(10)
    small.end()
    expect(await scene.spent()).toEqual({ ...zero, bytesIn: 20_000_000, bytesOut: 262_144 })
    await meter.close()
    expect(await scene.spent()).toEqual({ ...zero, bytesIn: 10_000_000, bytesOut: 10 })
  })

  it('counts bytes moved without a reservation or after its end', async () => {
    const { meter } = scene.member()
    const none = await meter.reserve('out', 0)
    none.moved(7)
    none.end()
    const room = await meter.reserve('out', 100)
    room.moved(150)
    room.end()
    room.moved(3)
    await meter.close()
    expect(await scene.spent()).toEqual({ ...zero, bytesOut: 160 })
  })

  it('is returned when unused', async () => {
    const { meter } = scene.member()
    await meter.request('writes')
    scene.pass(29_999)
    meter.tidy()
    expect(await scene.spent()).toEqual({ ...zero, writes: 10 })
    scene.pass(1)
    meter.tidy()
    await meter.close()
    expect(await scene.spent()).toEqual({ ...zero, writes: 1 })
  })

  it('on close counts bytes moved without a reservation during another request', async () => {
    const { meter } = scene.member()
    const none = await meter.reserve('out', 0)
    const asking = meter.reserve('out', 5)
    for (let turn = 0; turn < 3; turn += 1) await null
    none.moved(7_000_000_000)
    await Promise.all([meter.close(), asking])
    expect((await scene.spent()).bytesOut).toBe(7_000_000_005)
  })

  it('of a killed process stays counted', async () => {
    await scene.member().meter.request('reads')
    await scene.member().meter.request('reads')
    expect(await scene.spent()).toEqual({ ...zero, reads: 20 })
  })
})

describe('a budget', () => {
  it('allows its limit, and not one request more', async () => {
    await scene.budget('day', 'reads', 250)
    const { meter } = scene.member()
    const { passed, errors } = await askMeter(meter, 300)
    expect(passed).toBe(250)
    expect(errors).toHaveLength(50)
    expect(errors[0]).toBeInstanceOf(BudgetSpent)
    expect(errors[0]).toMatchObject({
      until: new Date('2026-11-22T00:00:00Z'),
      message: 'a budget is used up until 2026-11-22T00:00:00.000Z',
    })
    expect(await scene.spent()).toEqual({ ...zero, reads: 250 })
    await meter.close()
    expect(await scene.spent()).toEqual({ ...zero, reads: 250 })
  })

  it('does not refuse what it does not count', async () => {
    await scene.budget('day', 'reads', 0)
    await scene.budget('month', 'bytesOut', 0)
    const { meter } = scene.member()
    expect((await askMeter(meter, 5, 'writes')).passed).toBe(5)
    await (await meter.reserve('in', 1_000)).end()
    await expect(meter.request('reads')).rejects.toThrow(BudgetSpent)
    await expect(meter.reserve('out', 1)).rejects.toMatchObject({ until: new Date('2026-12-01T00:00:00Z') })
    const none = await meter.reserve('out', 0)
    none.end()
  })

  it('never refuses deletes, but counts them', async () => {
    for (const unit of ['requests', 'writes', 'reads', 'bytes', 'money'] as const) await scene.budget('day', unit, 0)
    const { meter } = scene.member()
    expect((await askMeter(meter, 150, 'deletes')).passed).toBe(150)
    await meter.close()
    expect(await scene.spent()).toEqual({ ...zero, deletes: 150 })
  })

  it('of requests is shared by writes and reads, and of bytes by both directions', async () => {
    await scene.budget('month', 'requests', 10)
    await scene.budget('day', 'bytes', 100)
    const { meter } = scene.member()
    expect([(await askMeter(meter, 6, 'writes')).passed, (await askMeter(meter, 6, 'reads')).passed]).toEqual([6, 4])
    const first = await meter.reserve('in', 60)
    await expect(meter.reserve('out', 41)).rejects.toThrow(BudgetSpent)
    first.moved(20)
    first.end()
    // A returned amount is available to its own kind only, until the lease is idle.
    scene.pass(30_000)
    meter.tidy()
    await expect.poll(async () => (await scene.spent()).bytesIn).toBe(20)
    const second = await meter.reserve('out', 80)
    second.moved(80)
    second.end()
  })

  it('of money costs each request and byte by the price table', async () => {
    scene.prices = published.s3
    const { meter } = scene.member()
    // 5 USD per million is 5,000 nanos per write; 0.4 USD is 400 per read.
    await askMeter(meter, 3, 'writes')
    await askMeter(meter, 2, 'reads')
    const room = await meter.reserve('out', 1024 ** 3)
    room.moved(1024 ** 3)
    room.end()
    await meter.close()
    expect(await scene.spent()).toEqual({
      ...zero,
      writes: 3,
      reads: 2,
      bytesOut: 1024 ** 3,
      nanos: 3 * 5_000 + 2 * 400 + 90_000_000,
    })
  })

  it('of money is never exceeded', async () => {
    scene.prices = published.s3
    await scene.budget('day', 'money', 10_000)
    const { meter } = scene.member()
    expect((await askMeter(meter, 30)).passed).toBe(25)
    expect((await scene.spent()).nanos).toBe(10_000)
    // What is free is still allowed.
    await (await meter.reserve('in', 1_000_000)).end()
    await expect(meter.reserve('out', 100)).rejects.toThrow(BudgetSpent)
  })

  it('below its use refuses everything until the next day', async () => {
    const { meter } = scene.member()
    await askMeter(meter, 100)
    await scene.budget('day', 'reads', 50)
    await expect(meter.request('reads')).rejects.toThrow(BudgetSpent)
    scene.pass(12 * 3_600_000)
    expect((await askMeter(meter, 60)).passed).toBe(50)
  })

  it('that is raised applies at once in that process, and within a second in others', async () => {
    await scene.budget('day', 'reads', 5)
    const [here, there] = [scene.member(), scene.member()]
    expect((await askMeter(here.meter, 6)).passed).toBe(5)
    await expect(there.meter.request('reads')).rejects.toThrow(BudgetSpent)
    await scene.budget('day', 'reads', 7)
    here.meter.forgetRefusals()
    await here.meter.request('reads')
    await expect(there.meter.request('reads')).rejects.toThrow(BudgetSpent)
    scene.pass(1_000)
    await there.meter.request('reads')
    expect((await scene.spent()).reads).toBe(7)
  })

  it('is checked at most once a second when it is spent', async () => {
    await scene.budget('day', 'reads', 0)
    const { meter } = scene.member()
    await askMeter(meter, 10)
    const query = vi.spyOn(scene.db, '$queryRaw')
    expect((await askMeter(meter, 1_000)).passed).toBe(0)
    expect(query).not.toHaveBeenCalled()
    scene.pass(1_000)
    expect((await askMeter(meter, 1_000)).passed).toBe(0)
    expect(query).toHaveBeenCalledTimes(1)
  })

  it('too small for a large request refuses it and larger ones, and is not spent', async () => {
    await scene.budget('day', 'bytes', 10_000_000)
    const { meter, events, notified } = scene.member()
    const together = [meter.reserve('out', 25_000_000), meter.reserve('out', 1_000), meter.reserve('out', 30_000_000)]
    expect((await Promise.allSettled(together)).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
    ])
    const query = vi.spyOn(scene.db, '$queryRaw')
    await expect(meter.reserve('out', 25_000_000)).rejects.toThrow(BudgetSpent)
    expect(query).not.toHaveBeenCalled()
    // A smaller amount is checked, and becomes the smallest amount refused.
    await expect(meter.reserve('out', 12_000_000)).rejects.toThrow(BudgetSpent)
    await expect(meter.reserve('out', 13_000_000)).rejects.toThrow(BudgetSpent)
    expect(query).toHaveBeenCalledTimes(1)
    await meter.reserve('out', 8_000_000)
    await events.idle()
    expect(notified.map(({ state }) => state)).toEqual(['near'])
  })

  it.each([
    { left: 1_048_576, state: 'near' },
    { left: 1_048_575, state: 'spent' },
  ])('is spent once it refuses and has less than 1 MiB left: $left is $state', async ({ left, state }) => {
    await scene.budget('day', 'bytes', 20_000_000)
    const { meter, events, notified } = scene.member()
    await meter.reserve('out', 20_000_000 - left)
    await expect(meter.reserve('in', left + 1)).rejects.toThrow(BudgetSpent)
    await events.idle()
    expect(notified.at(-1)?.state).toBe(state)
  })

  it('announced as spent is not announced as near afterwards, by any process', async () => {
    const use = { period: 'day', unit: 'bytes', limit: 100, used: 99, isFree: false } as const
    const [one, other] = [scene.member(), scene.member()]
    one.events.seen([use], [use], '2026-11-21')
    await one.events.idle()
    for (const { events } of [one, other]) {
      events.seen([use], [], '2026-11-21')
      await events.idle()
    }
    expect([one, other].flatMap(({ notified }) => notified.map(({ state }) => state))).toEqual(['spent'])
    other.events.seen([use], [], '2026-11-22')
    await other.events.idle()
    expect(other.notified.map(({ state }) => state)).toEqual(['near'])
  })

  it('of the free tier comes from the price table, and the lower limit applies', async () => {
    scene.prices = { ...published.r2, free: [{ period: 'month', unit: 'reads', limit: 3 }] }
    await scene.db.spendingTerms.create({ data: { freeTier: true } })
    const { meter } = scene.member()
    expect((await askMeter(meter, 5)).passed).toBe(3)
    const reads = { period: 'month', unit: 'reads', used: 3, storage: 0 }
    await scene.budget('month', 'reads', 2)
    expect((await scene.read()).budgets).toEqual([{ ...reads, limit: 2, isFree: false, ownLimit: 2 }])
    await scene.budget('month', 'reads', 20)
    // The owner's limit is reported too: it applies again when the free tier is turned off.
    expect((await scene.read()).budgets).toEqual([{ ...reads, limit: 3, isFree: true, ownLimit: 20 }])
    await scene.db.budget.deleteMany()
    expect((await scene.read()).budgets).toEqual([{ ...reads, limit: 3, isFree: true, ownLimit: null }])
  })
})

describe('the end', () => {
  it('of a day returns leases to that day, and the month continues', async () => {
    await scene.budget('day', 'reads', 10)
    await scene.budget('month', 'reads', 15)
    const { meter } = scene.member()
    expect((await askMeter(meter, 12)).passed).toBe(10)
    scene.pass(12 * 3_600_000)
    const { passed, errors } = await askMeter(meter, 12)
    expect(passed).toBe(5)
    expect(errors[0]).toMatchObject({ until: new Date('2026-12-01T00:00:00Z') })
    await meter.close()
    expect([await scene.spent('day', '2026-11-21'), await scene.spent('day', '2026-11-22')]).toEqual([
      { ...zero, reads: 10 },
      { ...zero, reads: 5 },
    ])
    expect(await scene.spent('month')).toEqual({ ...zero, reads: 15 })
  })

  it('of a month starts a new count', async () => {
    scene.time = new Date('2026-11-30T23:59:59.500Z')
    const { meter } = scene.member()
    await meter.request('reads')
    const room = await meter.reserve('out', 1_000)
    scene.pass(499)
    await meter.request('reads')
    scene.pass(1)
    await meter.request('reads')
    room.moved(400)
    room.end()
    await meter.close()
    expect(await scene.spent('month', '2026-11')).toEqual({ ...zero, reads: 2, bytesOut: 400 })
    expect(await scene.spent('month', '2026-12')).toEqual({ ...zero, reads: 1 })
    expect(await scene.spent('day', '2026-12-01')).toEqual({ ...zero, reads: 1 })
  })
})

describe('usage', () => {
  it('is counted by day, procedure, subject and image', async () => {
    scene.prices = published.s3
    const { meter, usage } = scene.member()
    const payer = { procedure: 'image bytes', subject: '192.0.2.1', object: 'abc' }
    await paidBy(payer, async () => {
      await meter.request('reads')
      const room = await meter.reserve('out', 3_000)
      room.moved(2_000)
      room.end()
    })
    await meter.request('writes')
    usage.sent(payer, { id: 'one', sha256: 'abc' }, 2_000)
    await usage.flush()
    usage.sent(payer, { id: 'two', sha256: 'abc' }, 1_000)
    await usage.flush()
    const day = new Date('2026-11-21')
    const none = { writes: 0n, reads: 0n, deletes: 0n, bytesIn: 0n, bytesOut: 0n, nanos: 0n, calls: 0n, sent: 0n }
    expect(await scene.db.usageDay.findMany({ orderBy: { subject: 'asc' } })).toEqual([
      {
        ...none,
        day,
        procedure: 'image bytes',
        subject: '192.0.2.1',
        reads: 1n,
        bytesOut: 2_000n,
        // A read at 400, and 2,000 bytes at 90,000,000 nanos per GiB.
        nanos: 568n,
        calls: 2n,
        sent: 3_000n,
      },
      { ...none, day, procedure: 'other', subject: 'site', writes: 1n, nanos: 5_000n },
    ])
    expect(await scene.db.objectUsageDay.findMany()).toEqual([
      { day, sha256: 'abc', reads: 1n, bytesOut: 2_000n, nanos: 568n, sent: 3_000n },
    ])
    expect(await scene.db.imageUsageDay.findMany({ orderBy: { image: 'asc' } })).toEqual([
      { day, image: 'one', reads: 1n, sent: 2_000n },
      { day, image: 'two', reads: 1n, sent: 1_000n },
    ])
  })
})
