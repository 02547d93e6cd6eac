import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultMode, FaultProxy } from '#testing/servers/fault-proxy.ts'
import { type PostgresBehindProxy, startPostgresBehindProxy } from '#testing/servers/postgres-behind-proxy.ts'
import { type Database, openDatabase } from './database.ts'
import { isDatabaseOutage } from './outage.ts'
import { Conflict } from './transact.ts'

let postgres: PostgresBehindProxy
let direct: string
let proxy: FaultProxy
let database: Database
beforeAll(async () => {
  postgres = await startPostgresBehindProxy()
  direct = postgres.direct
  proxy = postgres.proxy
  database = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  const names = ['ann', 'bob'].map((name) => ({ username: name, usernameKey: name, passwordHash: '' }))
  await database.db.user.createMany({ data: names })
})
afterAll(async () => {
  await database.close()
  await postgres[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await proxy.set('pass')
  expect(await database.db.user.count()).toBe(2)
})

/** Returns whether a call succeeded, failed, or met an outage. */
const fate = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => 'done',
    (error: unknown) => (isDatabaseOutage(error) ? 'outage' : error),
  )

/** Runs calls one after another on each of several connections, for a while. */
const occupy = (count: number, seconds: number) =>
  Array.from({ length: count }, () => database.db.$queryRaw`SELECT pg_sleep(${seconds})::text`)

async function terminateAll(): Promise<void> {
  const killer = new Client({ connectionString: direct })
  await killer.connect()
  await killer.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  )
  await killer.end()
}

describe('an outage, and the next call after it', () => {
  test.each<FaultMode>(['reset', 'refuse'])(
    '%s: queries, raw ones, transactions begun and about to begin',
    async (mode) => {
      const { db } = database
      const inside = db.$transaction(async (tx) => {
        await tx.user.count()
        await proxy.set(mode)
        return tx.user.count()
      })
      expect(await fate(inside)).toBe('outage')
      expect(await fate(db.user.count())).toBe('outage')
      expect(await fate(db.$queryRaw`SELECT 1`)).toBe('outage')
      expect(await fate(db.$transaction((tx) => tx.user.count()))).toBe('outage')
      await proxy.set('pass')
      expect(await fate(db.user.count())).toBe('done')
    },
  )

  test('a connection closed by the server', async () => {
    const { db } = database
    const inside = db.$transaction(async (tx) => {
      await tx.user.count()
      await terminateAll()
      return tx.user.count()
    })
    expect(await fate(inside)).toBe('outage')
    expect(await fate(db.user.count())).toBe('done')
    const [asleep] = occupy(1, 20).map(fate)
    const sleeping = () => db.$queryRaw`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`
    await expect.poll(sleeping).toHaveLength(1)
    await terminateAll()
    expect(await asleep).toBe('outage')
    // Idle connections were closed too. A caller that gets one before the pool notices sees that as well.
    const ask = () => Promise.all(Array.from({ length: 5 }, () => fate(db.user.count())))
    await expect.poll(ask).toEqual(Array.from({ length: 5 }, () => 'done'))
  })

  test('a pool whose connections are all in use', async () => {
    const held = occupy(10, 6).map(fate)
    const waited = [database.db.user.count(), database.db.$transaction((tx) => tx.user.count())]
    expect(await Promise.all(waited.map(fate))).toEqual(['outage', 'outage'])
    expect(new Set(await Promise.all(held))).toEqual(new Set(['done']))
  })

  test('a deadlock, a serialization failure, a transaction that takes too long', async () => {
    const { db } = database
    const touch = (first: string, then: string, mine: () => void, others: Promise<void>) =>
      db.$transaction(
        async (tx) => {
          await tx.user.update({ where: { usernameKey: first }, data: { usedBytes: 1 } })
          mine()
          await others
          await tx.user.update({ where: { usernameKey: then }, data: { usedBytes: 1 } })
        },
        { timeout: 20_000 },
      )
    const [a, b] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const both = [touch('ann', 'bob', a.resolve, b.promise), touch('bob', 'ann', b.resolve, a.promise)]
    expect((await Promise.all(both.map(fate))).sort()).toEqual(['done', 'outage'])

    const barrier = Promise.withResolvers<void>()
    let counted = 0
    const count = () =>
      db.$transaction(
        async (tx) => {
          const data = { usedBytes: await tx.user.count() }
          counted += 1
          if (counted === 2) barrier.resolve()
          await barrier.promise
          await tx.user.updateMany({ data })
        },
        { isolationLevel: 'Serializable' },
      )
    expect((await Promise.all([fate(count()), fate(count())])).sort()).toEqual(['done', 'outage'])

    const slow = db.$transaction((tx) => tx.$queryRaw`SELECT pg_sleep(0.5)::text`, { timeout: 100 })
    expect(await fate(slow)).toBe('outage')
  })

  test('silence, after which the silent connection is not used again', async () => {
    const { db } = database
    const inside = db.$transaction(
      async (tx) => {
        await tx.user.count()
        await proxy.set('blackhole')
        return tx.user.count()
      },
      { timeout: 60_000 },
    )
    expect(await fate(inside)).toBe('outage')
    const before = proxy.accepted
    await proxy.set('pass')
    expect(await fate(db.user.count())).toBe('done')
    expect(proxy.accepted).toBeGreaterThan(before)
  })
})

test('driver errors that do not pass through an adapter', async () => {
  const client = new Client({ connectionString: direct })
  client.on('error', () => undefined)
  await client.connect()
  expect(await fate(client.query("SET statement_timeout = '1ms'; SELECT pg_sleep(1)"))).toBe('outage')
  expect(await fate(client.query('SELECT 1/0'))).toBeInstanceOf(Error)
  await client.end()
})

test('a conflict in all five attempts', () => {
  expect(isDatabaseOutage(new Conflict('again'))).toBe(true)
})

test('errors that are not an outage', async () => {
  const { db } = database
  const data = { username: 'Ann', usernameKey: 'ann', passwordHash: '' }
  for (const call of [db.user.create({ data }), db.$queryRaw`SELECT 1/0`, db.$queryRaw`SELECT * FROM nowhere`]) {
    expect(await fate(call)).toBeInstanceOf(Error)
  }
  for (const odd of [
    null,
    undefined,
    'P1001',
    new Error('x'),
    { code: 'ENOENT', syscall: 'open' },
    { code: '57P01' },
  ]) {
    expect(isDatabaseOutage(odd)).toBe(false)
  }
  const circular = new Error('round')
  circular.cause = circular
  expect(isDatabaseOutage(circular)).toBe(false)
})
