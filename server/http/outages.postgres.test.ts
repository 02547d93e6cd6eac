import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ObjectStoreUnavailable } from '#server/storage/object-store.ts'
import { behindProxy, read, sendUpload } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import type { FaultMode, FaultProxy } from '#testing/servers/fault-proxy.ts'
import { type PostgresBehindProxy, startPostgresBehindProxy } from '#testing/servers/postgres-behind-proxy.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let postgres: PostgresBehindProxy
let direct: string
let proxy: FaultProxy
let served: TestApp
let owner: Person
let image: StoredImage

beforeAll(async () => {
  postgres = await startPostgresBehindProxy()
  direct = postgres.direct
  proxy = postgres.proxy
  served = await startApp({ ...behindProxy, DATABASE_URL: postgres.url })
  owner = await served.person()
  image = await storeImageFor(served, owner, { visibility: 'private' })
})
afterAll(async () => {
  await proxy.set('pass')
  await served[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})

/** Connects directly, without the proxy. */
async function connect() {
  const client = new Client({ connectionString: direct })
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

const call = (path: string, person: Person | null = owner) => read(`${served.origin}/api/trpc/${path}`, person)

/** One request for each way to the database. */
const routes = {
  'the byte route as owner': () => read(image.url, owner),
  'the byte route as guest': () => read(image.url),
  'a query as owner': () => call('image.list'),
  'a query as guest': () => call(`image.get?input=${encodeURIComponent(JSON.stringify({ slug: image.slug }))}`, null),
  'an upload': () => sendUpload(served, owner, Buffer.from('never read')),
}

beforeEach(async () => {
  await proxy.set('pass')
  await expectAllWell()
})

/** Expects even the first call after an outage to succeed. */
async function expectAllWell(): Promise<void> {
  expect((await read(image.url, owner)).status).toBe(200)
  expect((await read(image.url)).status).toBe(404)
  expect((await call('image.list')).status).toBe(200)
  expect((await sendUpload(served, owner, Buffer.from('no image'))).status).toBe(415)
  await expect.poll(async () => (await fetch(`${served.origin}/readyz`)).status).toBe(200)
}

const DETAILS =
  /postgres|127\.0\.0\.1|ECONN|SELECT|prisma|node_modules|\bat [\w.]+ \(|sluice_|terminat|57P|P\d{4}|socket/i

/** Expects 503 with Retry-After and without details of the database. */
async function expectUnavailable(name: string, answer: Response): Promise<void> {
  const body = await answer.text()
  expect([name, answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
    name,
    503,
    '5',
    'no-store',
  ])
  expect(body).toContain('The database is unavailable. Try again in a few seconds.')
  expect(body).toContain(`"requestId":"${answer.headers.get('x-request-id')}"`)
  expect(body).not.toMatch(DETAILS)
  expect(JSON.stringify([...answer.headers])).not.toMatch(/postgres|prisma|sluice_/i)
}

async function expectOut(): Promise<void> {
  const answers = Object.entries(routes).map(async ([name, ask]) => expectUnavailable(name, await ask()))
  await Promise.all(answers)
}

describe('the database', () => {
  test.each<FaultMode>(['refuse', 'reset'])('%s: 503 on every route, until it recovers', async (mode) => {
    const log = vi.spyOn(served.app, 'logFailure')
    await proxy.set(mode)
    await expectOut()
    await expectOut()
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ requestId: expect.any(String) }), expect.any(String))
    await expect.poll(async () => (await fetch(`${served.origin}/readyz`)).status).toBe(503)
    const ready = await fetch(`${served.origin}/readyz`)
    expect(ready.headers.get('retry-after')).toBe('5')
    expect(await ready.json()).toMatchObject({ status: 'unavailable', database: 'unavailable', objects: 'ready' })
    await proxy.set('pass')
    await expectAllWell()
  })

  test('silent: 503 within its deadline, and sooner on /readyz', async () => {
    await proxy.set('blackhole')
    const out = expectOut()
    await expect.poll(async () => (await fetch(`${served.origin}/readyz`)).status, { timeout: 8_000 }).toBe(503)
    await out
    await proxy.set('pass')
    await expectAllWell()
  })

  test('slow: no outage', async () => {
    await proxy.set(300)
    expect((await read(image.url, owner)).status).toBe(200)
  })

  test('all connections ended by the server: the next calls succeed', async () => {
    await using killer = await connect()
    await killer.client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    )
    // A call on a connection that has just ended may be an outage, but never a 500.
    for (const ask of Object.values(routes)) expect((await ask()).status).not.toBe(500)
    await expectAllWell()
  })

  test('an exhausted connection pool: 503', async () => {
    await using blocker = await connect()
    await using watcher = await connect()
    await blocker.client.query('BEGIN; LOCK TABLE "Image" IN ACCESS EXCLUSIVE MODE')
    const held = Promise.all(Array.from({ length: 10 }, () => served.app.db.image.count()))
    // Not within the transaction, which would keep seeing its first snapshot.
    const waiting = async () => {
      const { rowCount } = await watcher.client.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
      return rowCount
    }
    await expect.poll(waiting).toBe(10)
    await expectOut()
    await blocker.client.query('ROLLBACK')
    expect(await held).toEqual(Array(10).fill(1))
    await expectAllWell()
  })

  test('in a batch: each call has its own error', async () => {
    await proxy.set('refuse')
    const answer = await call('image.list,account.me?batch=1&input=%7B%7D')
    const parts: { error: { message: string; data: object } }[] = await answer.json()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    for (const { error } of parts) {
      expect(error.data).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        httpStatus: 503,
        requestId: answer.headers.get('x-request-id'),
      })
    }
    expect(parts).toHaveLength(2)
  })

  test('in a server-side call, as from pages: SERVICE_UNAVAILABLE', async () => {
    await proxy.set('refuse')
    await expect(served.as(owner).image.list({})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('an upload', () => {
  const failWith = (error: Error) => vi.spyOn(served.app.images, 'receive').mockRejectedValue(error)
  const upload = () => sendUpload(served, owner, Buffer.from('x'))

  test('without the store: 503', async () => {
    failWith(new ObjectStoreUnavailable('bucket secret at 10.0.0.1'))
    const answer = await upload()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    const body = await answer.text()
    expect(body).toContain('The image store is unavailable. Try again in a few seconds.')
    expect(body).not.toContain('secret')
  })

  test('without space for the file: 503', async () => {
    failWith(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }))
    const answer = await upload()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.text()).toContain('The server has no disk space left. Try again later.')
  })

  test('with a bug: 500 without details', async () => {
    failWith(new Error('secret'))
    const answer = await upload()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, null])
    expect(await answer.text()).not.toContain('secret')
  })
})
