import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/database/database.ts'
import { isDatabaseOutage } from '#server/database/outage.ts'
import { transact } from '#server/database/transact.ts'
import { type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import { gatedDatabase } from '#testing/gated.ts'
import { everythingKept, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import type { FaultMode, FaultProxy } from '#testing/servers/fault-proxy.ts'
import { type PostgresBehindProxy, startPostgresBehindProxy } from '#testing/servers/postgres-behind-proxy.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { expectSound, makeScene } from '#testing/storage/storage-scene.ts'
import { removeObject } from '../storing/object-removal.ts'

let postgres: PostgresBehindProxy
let direct: string
let proxy: FaultProxy
let database: Database
beforeAll(async () => {
  postgres = await startPostgresBehindProxy()
  direct = postgres.direct
  proxy = postgres.proxy
  database = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
})
afterAll(async () => {
  await database.close()
  await postgres[Symbol.asyncDispose]()
})

const outage = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (isDatabaseOutage(error) ? 'outage' : error),
  )

/** Waits until the pool knows that its connections have ended: a query on one of them would fail. */
async function untilConnected(): Promise<void> {
  const ask = () => Promise.all(Array.from({ length: 5 }, () => database.db.$queryRaw`SELECT 1::text`))
  const answers = () =>
    ask().then(
      () => true,
      () => false,
    )
  await expect.poll(answers).toBe(true)
}

async function terminateAll(): Promise<void> {
  const killer = new Client({ connectionString: direct })
  await killer.connect()
  await killer.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  )
  await killer.end()
  await untilConnected()
}

test.each(['image.findFirst', '$queryRaw', '$executeRaw', 'image.create', 'committed'])(
  'a connection that is ended before %s costs an upload at most, and never bytes',
  async (step) => {
    await using scene = await makeScene(database.db)
    const [one, file] = [await scene.owner(), await scene.file()]
    let isEnded = false
    const gate = async (next: string) => {
      if (next !== step || isEnded) return
      isEnded = true
      await terminateAll()
    }
    const db = gatedDatabase(scene.db, gate, { inside: true })
    const fate = await outage(scene.upload(one, file, { db }))
    expect(isEnded).toBe(true)
    expect(fate).toBe(step === 'committed' ? 'done' : 'outage')
    await scene.upload(one, file)
    await expectSound(scene, [file.original.sha256])
  },
)

test.each<FaultMode>(['reset', 'refuse', 'blackhole'])(
  'a database that is gone (%s) while bytes are put leaves nothing that a sweep does not remove',
  async (mode) => {
    await using scene = await makeScene(database.db)
    const [one, file] = [await scene.owner(), await scene.file()]
    const store: ObjectStore = {
      ...scene.store,
      put: async (key, ...given) => {
        await scene.store.put(key, ...given)
        if (key === originalKey(file.original.sha256)) await proxy.set(mode)
      },
    }
    expect(await outage(scene.upload(one, file, { store }))).toBe('outage')
    await proxy.set('pass')
    await untilConnected()
    expect(await scene.db.image.count()).toBe(0)
    // Until the hold expires, the bytes are kept for the upload, which may still succeed.
    expect(await scene.sweep()).toMatchObject({ orphans: 0, remaining: 1 })
    await scene.lapse()
    expect(await scene.sweep()).toMatchObject({ leftovers: 1, remaining: 0 })
    await expectSound(scene, [])
    await scene.upload(one, file)
    await expectSound(scene, [file.original.sha256])
  },
)

test('a removal whose connection is terminated while it deletes still blocks uploads of the same bytes', async () => {
  await using scene = await makeScene(database.db)
  const [one, file] = [await scene.owner(), await scene.file()]
  await scene.purge(await scene.upload(one, file))
  const outcomes: unknown[] = []
  const pause = async () => undefined
  const store: ObjectStore = {
    ...scene.store,
    delete: async (...given) => {
      if (outcomes.length === 0) await terminateAll()
      outcomes.push(await scene.upload(one, file, { pause }).catch(({ message }: Error) => message))
      await scene.store.delete(...given)
    },
  }
  expect(await removeObject(scene.db, store, file.original.sha256)).toBe(true)
  expect(outcomes).toEqual(['busy', 'busy', 'busy'])
  await scene.upload(one, file, { pause })
  await expectSound(scene, [file.original.sha256])
})

test('transactions that deadlock are retried', async () => {
  await using scene = await makeScene(database.db)
  const owners = [await scene.owner(), await scene.owner()] as const
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const touch = (id: string, then: string, mine: () => void, others: Promise<void>) =>
    transact(scene.db, async (tx) => {
      await tx.user.update({ where: { id }, data: { shared: true } })
      mine()
      await others
      await tx.user.update({ where: { id: then }, data: { shared: true } })
    })
  await Promise.all([
    touch(owners[0], owners[1], first.resolve, second.promise),
    touch(owners[1], owners[0], second.resolve, first.promise),
  ])
  const counted = scene.db.$queryRaw`SELECT "deadlocks" FROM pg_stat_database WHERE "datname" = current_database()`
  await expect.poll(() => counted).toEqual([{ deadlocks: 1n }])
})

test('uploads while all connections are in use are refused with a retry time, and leave nothing', async () => {
  await using served = await startApp({ DATABASE_URL: await createPostgresDatabase() })
  const owner = await served.person({ role: 'superadmin' })
  const before = await everythingKept(served)
  const files = await Promise.all([1, 2, 3].map((seed) => picture({ width: 40, height: 30, seed })))
  // Prisma sends nothing before its promise is awaited.
  const held = Array.from({ length: 10 }, async () => served.app.db.$queryRaw`SELECT pg_sleep(8)::text`.then(() => 1))
  const statuses = await Promise.all(files.map(async (bytes) => (await sendUpload(served, owner, bytes)).status))
  expect(statuses).toEqual([503, 503, 503])
  await Promise.all(held)
  expect(await everythingKept(served)).toEqual(before)
  for (const bytes of files) await uploadAccepted(served, owner, bytes)
  expect(await everythingKept(served)).toMatchObject({ images: 3, unfinished: [] })
})
