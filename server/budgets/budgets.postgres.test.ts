import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase, type Transaction } from '#server/database/database.ts'
import { removeObject } from '#server/images/storing/object-removal.ts'
import { findOutage } from '#server/outage.ts'
import { createS3Store } from '#server/storage/s3/s3.ts'
import { awayFromMidnight } from '#testing/away-from-midnight.ts'
import { askMeter, BudgetScene, type MeterMember } from '#testing/budgets/budget-scene.ts'
import { type PostgresBehindProxy, startPostgresBehindProxy } from '#testing/servers/postgres-behind-proxy.ts'
import { makeS3Scene } from '#testing/servers/s3-scene.ts'
import { makeCacheScene } from '#testing/storage/cache-scene.ts'
import { expectSound, makeScene } from '#testing/storage/storage-scene.ts'
import { monthBounds } from './bill/month.ts'
import { published } from './bill/prices.ts'
import { budgetSpentError } from './budget-spent.ts'
import { countStored as countStoredBytes } from './stored-bytes.ts'

let postgres: PostgresBehindProxy
let database: Database
let behind: Database
let scene: BudgetScene
beforeAll(async () => {
  postgres = await startPostgresBehindProxy()
  database = await openDatabase({ dataDir: '', databaseUrl: postgres.direct })
  behind = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  scene = new BudgetScene(database.db)
})
afterAll(async () => {
  await postgres.proxy.set('pass')
  await behind.close()
  await database.close()
  await postgres[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await postgres.proxy.set('pass')
  await scene.clear()
})

const zero = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0, nanos: 0 }
const members = (count: number): MeterMember[] => Array.from({ length: count }, () => scene.member())

describe('concurrent processes', () => {
  it('never exceed a budget by a single request, and use it up except for open leases', async () => {
    await scene.budget('day', 'requests', 2_000)
    await scene.budget('month', 'reads', 1_500)
    const fleet = members(8)
    const results = await Promise.all(
      fleet.flatMap(({ meter }) => [askMeter(meter, 300, 'reads'), askMeter(meter, 150, 'writes')]),
    )
    const passed = results.reduce((sum, each) => sum + each.passed, 0)
    const spent = await scene.spent()
    expect(spent.reads + spent.writes).toBe(2_000)
    expect(spent.reads).toBeLessThanOrEqual(1_500)
    for (const { meter } of fleet) await meter.close()
    const used = await scene.spent()
    expect(used.reads + used.writes).toBe(passed)
    expect(await scene.spent('month')).toEqual(used)
    // Returned leases can be used again.
    scene.pass(1_000)
    const [last] = members(1)
    await askMeter(last?.meter ?? expect.unreachable(), 2_000 - passed, 'writes')
    const whole = await scene.spent()
    expect(whole.reads + whole.writes).toBe(2_000)
  })

  it('never exceed a budget of bytes or of money', async () => {
    scene.prices = published.s3
    await scene.budget('day', 'bytes', 50_000_000)
    await scene.budget('month', 'money', 2_000_000)
    const fleet = members(6)
    let moved = 0
    const work = fleet.flatMap(({ meter }, member) =>
      Array.from({ length: 20 }, async (_, call) => {
        const bytes = 1 + ((member * 7_919 + call * 104_729) % 900_000)
        await meter.request('reads')
        const room = await meter.reserve('out', bytes)
        room.moved(bytes)
        room.end()
        moved += bytes
      }),
    )
    const refused = (await Promise.allSettled(work)).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    const spent = await scene.spent('month')
    expect(spent.nanos).toBeLessThanOrEqual(2_000_000)
    for (const { meter } of fleet) await meter.close()
    const used = await scene.spent()
    expect(used.bytesOut).toBe(moved)
    // The cost of each lease is rounded up to a nano.
    const exact = used.reads * 400 + (moved * 90_000_000) / 1024 ** 3
    expect(used.nanos).toBeGreaterThanOrEqual(exact)
    expect(used.nanos - exact).toBeLessThan(200)
  })

  it('lose no count at midnight and never deadlock', async () => {
    scene.time = new Date('2026-11-30T23:59:59.000Z')
    const fleet = members(6)
    const asked = fleet.map(async ({ meter }) => {
      for (let round = 0; round < 20; round += 1) {
        await askMeter(meter, 30)
        scene.pass(20)
        meter.tidy()
      }
    })
    await Promise.all(asked)
    for (const { meter, logged } of fleet) {
      await meter.close()
      expect(logged).toEqual([])
    }
    const [before, after] = [await scene.spent('month', '2026-11'), await scene.spent('month', '2026-12')]
    expect(before.reads + after.reads).toBe(6 * 20 * 30)
    expect(await scene.spent('day', '2026-11-30')).toEqual(before)
    expect(await scene.spent('day', '2026-12-01')).toEqual(after)
    const rows = await database.db
      .$queryRaw`SELECT "deadlocks" FROM pg_stat_database WHERE datname = current_database()`
    expect(rows).toEqual([{ deadlocks: 0n }])
  })

  it('that are killed over-count by at most their leases, and never under-count', async () => {
    const fleet = members(3)
    for (const { meter } of fleet) {
      await askMeter(meter, 130)
      const room = await meter.reserve('out', 1_000)
      room.moved(1_000)
    }
    // No meter is closed, as if the processes were killed.
    const { reads, bytesOut } = await scene.spent()
    expect(reads).toBeGreaterThanOrEqual(3 * 130)
    expect(reads).toBeLessThanOrEqual(3 * 130 + 3 * 100)
    expect(bytesOut).toBe(3 * 256 * 1024)
  })

  it('announce a near or spent budget once', async () => {
    await scene.budget('day', 'reads', 100)
    const fleet = members(2)
    for (let asked = 0; asked < 60; asked += 1) for (const { meter } of fleet) await askMeter(meter, 1)
    for (const { events } of fleet) await events.idle()
    const first = fleet.flatMap(({ notified }) => notified)
    // Either process may announce it.
    expect(first.map(({ state, limit, resetsAt }) => [state, limit, resetsAt]).sort()).toEqual([
      ['near', 100, '2026-11-22T00:00:00.000Z'],
      ['spent', 100, '2026-11-22T00:00:00.000Z'],
    ])
    expect(await database.db.budgetEvent.count()).toBe(2)
    // A changed limit and a new day are announced again.
    await scene.budget('day', 'reads', 101)
    scene.pass(1_000)
    for (const { meter } of fleet) await askMeter(meter, 2)
    scene.pass(12 * 3_600_000)
    for (let asked = 0; asked < 60; asked += 1) for (const { meter } of fleet) await askMeter(meter, 1)
    for (const { events } of fleet) await events.idle()
    const all = fleet.flatMap(({ notified }) => notified)
    expect(all.map(({ state, limit }) => `${state} ${limit}`).sort()).toEqual([
      'near 100',
      'near 101',
      'spent 100',
      'spent 101',
      'spent 101',
    ])
  })
})

describe('a database that is down', () => {
  it('is an outage for a request that needs a lease, until it recovers', async () => {
    const { meter, logged } = scene.member(behind.db)
    await askMeter(meter, 100)
    await postgres.proxy.set('refuse')
    const error: unknown = await meter.request('reads').catch((reason: unknown) => reason)
    expect(findOutage(error)).toMatchObject({ message: 'The database is unavailable. Try again in a few seconds.' })
    await postgres.proxy.set('pass')
    await expect.poll(async () => (await askMeter(meter, 1)).passed).toBe(1)
    await meter.close()
    expect(logged).toEqual([])
    expect(await scene.spent()).toEqual({ ...zero, reads: 101 })
  })

  it('fails reads from the bucket but not from the cache, until it recovers', async () => {
    await using s3 = await makeS3Scene()
    const { meter } = scene.member(behind.db)
    const bucket = createS3Store(s3.settings, meter)
    await using cache = await makeCacheScene({ inner: bucket })
    const [kept, other] = [await cache.object(300_000), await cache.object(300_000)]
    expect((await cache.read(kept.key)).equals(kept.bytes)).toBe(true)
    await meter.close()
    await postgres.proxy.set('refuse')
    const error: unknown = await cache.store.open(other.key).catch((reason: unknown) => reason)
    expect(findOutage(error)).toMatchObject({ retrySeconds: 5, isFault: true })
    expect((await cache.read(kept.key)).equals(kept.bytes)).toBe(true)
    await postgres.proxy.set('pass')
    const again = () => cache.read(other.key).catch(() => null)
    await expect.poll(again).toEqual(other.bytes)
    await meter.close()
    await bucket.close()
  })

  it('makes a lease count as used that could not be returned', async () => {
    const { meter, logged } = scene.member(behind.db)
    await meter.request('reads')
    await postgres.proxy.set('refuse')
    await meter.close()
    expect(logged).toMatchObject([{ kind: 'reads', amount: 9 }])
    expect(await scene.spent()).toEqual({ ...zero, reads: 10 })
  })
})

describe('storage', () => {
  const countStored = async (tx: Transaction) => {
    const { outcome, spent, day } = await countStoredBytes(tx, scene.terms)
    if (outcome === 'full') throw budgetSpentError(spent, day)
    return outcome
  }

  it('never exceeds its budget under concurrent uploads, and refused uploads leave nothing', async () => {
    await using images = await makeScene(database.db)
    await scene.budget('standing', 'stored', 3 * 7_500 + 7_499)
    const owners = await Promise.all(Array.from({ length: 50 }, () => images.owner()))
    const uploads = owners.map(async (owner) => images.upload(owner, await images.file(), { countStored }))
    const results = await Promise.allSettled(uploads)
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refusals).toHaveLength(47)
    for (const refusal of refusals) expect(refusal).toMatchObject({ name: 'BudgetSpent', until: null })
    const stored = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect((await scene.read()).stored).toEqual({ bytes: 3 * 7_500, objects: 3 })
    await expectSound(images, stored.map(({ sha256 }) => sha256).sort())
    // Deleting one image and its bytes makes room for another.
    const [first, ...others] = stored
    if (!first) return expect.unreachable()
    await images.purge(first)
    await removeObject(database.db, images.store, first.sha256)
    const [owner] = owners
    const last = await images.upload(owner ?? expect.unreachable(), await images.file(), { countStored })
    await expectSound(images, [...others, last].map(({ sha256 }) => sha256).sort())
  })

  it('never exceeds a budget of money', async () => {
    await using images = await makeScene(database.db)
    await awayFromMidnight(5_000)
    // Forget today's peak.
    await database.db.storedDay.deleteMany()
    scene.time = new Date()
    scene.prices = { ...published.s3, stored: 1_000_000_000_000 }
    const { next, length } = monthBounds(scene.time.toISOString().slice(0, 7))
    const daysLeft = Math.ceil((Date.parse(next) - scene.time.getTime()) / 86_400_000)
    await scene.budget('month', 'money', Number.MAX_SAFE_INTEGER)
    const before = (await scene.read()).budgets[0]?.used ?? expect.unreachable()
    const limit = before + Math.ceil(((3 * 7_500 + 7_499) * daysLeft * scene.prices.stored) / (1024 ** 3 * length))
    await scene.budget('month', 'money', limit)
    const owners = await Promise.all(Array.from({ length: 20 }, () => images.owner()))
    const uploads = owners.map(async (owner) => images.upload(owner, await images.file(), { countStored }))
    const refusals = (await Promise.allSettled(uploads)).flatMap((each) =>
      each.status === 'rejected' ? [each.reason] : [],
    )
    expect(refusals).toHaveLength(17)
    for (const refusal of refusals) expect(refusal).toMatchObject({ name: 'BudgetSpent', until: new Date(next) })
    expect((await scene.read()).stored).toEqual({ bytes: 3 * 7_500, objects: 3 })
  })

  it('serializes no uploads if no budget bounds it', async () => {
    await using images = await makeScene(database.db)
    const [owner, other] = [await images.owner(), await images.owner()]
    const within = async (tx: Transaction) => {
      const outcome = await countStored(tx)
      await images.upload(other, await images.file(), { countStored })
      return outcome
    }
    await images.upload(owner, await images.file(), { countStored: within })
    expect((await scene.read()).stored).toEqual({ bytes: 2 * 7_500, objects: 2 })
  })
})
