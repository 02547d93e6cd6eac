import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { newSlug } from '#server/images/slug.ts'
import { reachControl } from '#server/owner/control-socket.ts'
import { signedIn } from '#testing/accounts/signed-in.ts'
import { behindProxy } from '#testing/http/image-client.ts'
import { parseExposition } from '#testing/http/parse-exposition.ts'
import { picture } from '#testing/images/pictures.ts'
import { countedByRedis } from '#testing/limits/counted-by-redis.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'

const TOKEN = 'token-of-the-metrics'
const SECRET = 'a secret of the site, 32 or more of it'

const ended = new AsyncDisposableStack()
let sluice: SluiceServer
let cookie: string
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-workers-'))
  ended.defer(() => rm(dataDir, { recursive: true, force: true }))
  const redis = ended.use(await startRedisServer())
  const databaseUrl = await createPostgresDatabase()
  const env = { ...behindProxy, DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SLUICE_SECRET: SECRET }
  sluice = ended.use(
    await startSluiceServer({ dataDir, env: { ...env, SLUICE_PROCESSES: '2', SLUICE_METRICS_TOKEN: TOKEN } }),
  )
  const { db, close } = await openDatabase({ dataDir, databaseUrl })
  ended.defer(close)
  cookie = (await signedIn(db, { origin: sluice.origin, secret: SECRET }, { role: 'admin' })).cookie
  await vi.waitUntil(() => serving().length === 2, { timeout: 100_000 })
})
afterAll(() => ended.disposeAsync())

interface Line {
  readonly msg: string
  readonly worker?: number
  readonly pid?: number
  readonly address?: string
}
const lines = (msg: string): Line[] =>
  sluice.logs.map((line): Line => JSON.parse(line)).filter((line) => line.msg === msg)

/** The workers that have begun to serve, in this order. */
const serving = () => lines('a worker serves')

let visitors = 0
const newAddress = () => {
  visitors += 1
  return `198.18.${visitors >> 8}.${visitors & 255}`
}

interface Visit {
  readonly headers?: Record<string, string>
  /** Absent for a connection of its own, to either worker. */
  readonly agent?: Agent
}

/** Reads from an address of its own, unless told otherwise. */
async function visit(path: string, { headers = {}, agent }: Visit = {}): Promise<IncomingMessage> {
  const asked = { agent: agent ?? false, headers: { 'x-forwarded-for': newAddress(), ...headers } }
  const [answer] = await once(get(`${sluice.origin}${path}`, asked), 'response')
  return answer
}
const unknownImage = () => `/i/${newSlug()}.png`

async function status(path: string, about?: Visit): Promise<number | undefined> {
  const answer = await visit(path, about)
  await once(answer.resume(), 'end')
  return answer.statusCode
}

/** Opens connections until each of so many workers has accepted one. */
async function connectToEach(count: number): Promise<readonly Agent[]> {
  const found = new Map<number, Agent>()
  while (found.size < count) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    ended.defer(() => agent.destroy())
    const address = newAddress()
    await status(unknownImage(), { agent, headers: { 'x-forwarded-for': address } })
    const line = await vi.waitUntil(() => lines('request').find((each) => each.address === address), {
      timeout: 60_000,
    })
    if (line.worker !== undefined && !found.has(line.worker)) found.set(line.worker, agent)
  }
  return [...found.values()]
}

async function metrics(about: Visit = {}) {
  const answer = await visit('/metrics', { ...about, headers: { authorization: `Bearer ${TOKEN}` } })
  // Refuses a series that is there twice.
  const read = parseExposition(await text(answer))
  return (name: string, labels: Record<string, string> = {}): number => {
    const samples = read.get(name.replace(/_count$/, ''))?.samples ?? []
    return samples
      .filter(({ suffix = '' }) => !name.endsWith('_count') || suffix === '_count')
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((sum, { value }) => sum + value, 0)
  }
}
const READS = ['sluice_http_request_duration_seconds_count', { surface: 'bytes', status: '4xx' }] as const

test('both serve on one port, and count one limit', async () => {
  const workers = await connectToEach(2)
  let network = 0
  const answers = await countedByRedis([sluice], async () => {
    network += 1
    const headers = { 'x-forwarded-for': `192.0.2.${network}` }
    const statuses: (number | undefined)[] = []
    for (let index = 0; index < 60; index += 1)
      for (const agent of workers) statuses.push(await status(unknownImage(), { agent, headers }))
    return statuses
  })
  expect(answers).toEqual([...Array(100).fill(404), ...Array(20).fill(429)])
})

test('what is the same for both is said once', () => {
  const said = (part: string) => sluice.messages.filter((line) => line.includes(part))
  expect(said('Sluice serves')).toHaveLength(1)
  expect(said('Set up at')).toHaveLength(1)
  expect(said('processes: 2')).toHaveLength(1)
})

test('metrics are those of both, whichever answers', async () => {
  const workers = await connectToEach(2)
  const before = await metrics()
  for (const agent of workers) for (let index = 0; index < 3; index += 1) await status(unknownImage(), { agent })
  for (const agent of workers) {
    // A request is counted when its answer has been sent, of which the client may know first.
    await expect.poll(async () => (await metrics({ agent }))(...READS) - before(...READS)).toBe(6)
    const after = await metrics({ agent })
    expect([after('sluice_workers'), after('sluice_worker_failures_total')]).toEqual([2, 0])
    expect([after('sluice_database_up'), after('sluice_limit_store_up')]).toEqual([1, 1])
    // One of the site's 13 budgets, which nobody has set.
    expect(after('sluice_budget_left', { period: 'month', unit: 'money' })).toBe(Number.POSITIVE_INFINITY)
  }
  await expect.poll(async () => (await metrics())('sluice_limit_processes')).toBe(2)
})

test('a worker that is killed is replaced, its counts stay, and another serves the owner’s commands', async () => {
  const before = await metrics()
  const [holder] = serving()
  process.kill(holder?.pid ?? 0, 'SIGKILL')
  await expect.poll(() => lines('a worker ended; another replaces it')).toMatchObject([{ worker: 1 }])
  for (let index = 0; index < 20; index += 1) expect(await status(unknownImage())).toBe(404)
  const ask = async () => {
    const socket = await reachControl(dataDir)
    if (!socket) return null
    socket.end('GET / HTTP/1.1\r\nHost: sluice\r\nConnection: close\r\n\r\n')
    return (await text(socket)).split('\r\n')[0]
  }
  await expect.poll(ask).toBe('HTTP/1.1 404 Not Found')
  await expect.poll(serving).toHaveLength(3)
  await expect.poll(async () => (await metrics())(...READS) - before(...READS)).toBe(20)
  const after = await metrics()
  expect([after('sluice_workers'), after('sluice_worker_failures_total')]).toEqual([2, 1])
})

test('a stop lets the requests under way finish, and leaves no process', async () => {
  const body = await picture()
  const headers = {
    ...{ cookie, 'content-type': 'application/octet-stream', 'content-length': body.length },
    ...{ 'x-file-name': 'a.jpg', expect: '100-continue' },
  }
  const uploads = await Promise.all(
    serving().map(async () => {
      const upload = request(`${sluice.origin}/api/trpc/image.upload`, { method: 'POST', agent: false, headers })
      upload.flushHeaders()
      await once(upload, 'continue')
      return upload
    }),
  )
  const stopped = sluice.stop()
  // One that connects at that moment is answered or refused, and never left waiting.
  const meanwhile = await status('/healthz').catch((error) => error.code)
  expect([200, 'ECONNREFUSED', 'ECONNRESET']).toContain(meanwhile)
  await expect.poll(() => status('/healthz').catch((error) => error.code)).toBe('ECONNREFUSED')
  const answers = await Promise.all(
    uploads.map(async (upload) => {
      upload.end(body)
      const [answer] = await once(upload, 'response')
      return [answer.statusCode, await text(answer)]
    }),
  )
  expect(answers.map(([code]) => code)).toEqual([200, 200, 200])
  expect(await stopped).toBe(0)
  for (const { pid = 0 } of serving()) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a site that cannot start says why, once, and ends', async () => {
  const env = {
    DATABASE_URL: `postgres://sluice@127.0.0.1:${await freePort()}/sluice`,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    SLUICE_PROCESSES: '2',
  }
  const failure: unknown = await startSluiceServer({ env }).catch((error: unknown) => error)
  const message = failure instanceof Error ? failure.message : ''
  expect(message.match(/Sluice cannot start\.\nDATABASE_URL: /g)).toHaveLength(1)
})
