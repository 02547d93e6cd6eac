import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Database, openDatabase } from '#server/database/database.ts'
import { signedIn } from '#testing/accounts/signed-in.ts'
import { behindProxy } from '#testing/http/image-client.ts'
import { flatPng } from '#testing/images/pictures.ts'
import { countedByRedis } from '#testing/limits/counted-by-redis.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'

const SECRET = 'a secret of the site, 32 or more of it'
const origin = 'http://127.0.0.1'

const ended = new AsyncDisposableStack()
let processes: readonly SluiceServer[]
let db: Database['db']
let cookie: string
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-shares-'))
  ended.defer(() => rm(dataDir, { recursive: true, force: true }))
  const redis = ended.use(await startRedisServer())
  const databaseUrl = await createPostgresDatabase()
  const env = {
    ...{ ...behindProxy, DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SLUICE_SECRET: SECRET },
    ...{ SLUICE_ORIGIN: origin, SLUICE_LOG: 'info' },
  }
  processes = [
    ended.use(await startSluiceServer({ dataDir, env })),
    ended.use(await startSluiceServer({ dataDir, env })),
  ]
  const database = await openDatabase({ dataDir, databaseUrl })
  ended.defer(() => database.close())
  db = database.db
  cookie = (await signedIn(db, { origin, secret: SECRET }, {})).cookie
})
afterAll(() => ended.disposeAsync())

let addresses = 0
/** Sends a request to a process, each from an address of its own. */
function ask(server: SluiceServer | undefined, path: string, init: RequestInit = {}): Promise<Response> {
  addresses += 1
  const from = { 'x-forwarded-for': `10.9.${addresses >> 8}.${addresses & 255}` }
  return fetch(`http://127.0.0.1:${server?.port}${path}`, { ...init, headers: { ...from, ...init.headers } })
}

const post = (server: SluiceServer | undefined, procedure: string, input: object, headers = {}) =>
  ask(server, `/api/trpc/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
  })

const data = async <T>(schema: z.ZodType<T>, answer: Response): Promise<T> =>
  z.object({ result: z.object({ data: schema }) }).parse(await answer.json()).result.data

const created = z.object({ id: z.string(), url: z.string() })
const opened = z.object({ visit: z.string(), images: z.array(z.object({ url: z.string() })) })

async function createShare(settings: object) {
  const [one] = processes
  const image = await ask(one, '/api/trpc/image.upload', {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/octet-stream', 'x-file-name': 'a.png', 'x-visibility': 'private' },
    body: new Uint8Array(flatPng(8, 8)),
  })
  const { id } = await data(z.object({ id: z.string() }), image)
  const share = await data(
    created,
    await post(one, 'share.create', { target: { images: [id] }, ...settings }, { cookie }),
  )
  return { id: share.id, path: new URL(share.url).pathname, token: share.url.split('/').at(-1) ?? '' }
}

const pathIn = ({ images }: z.infer<typeof opened>) => images[0]?.url.slice(origin.length) ?? ''
const statusOf = async (answer: Promise<Response>) => {
  const { status, body } = await answer
  await body?.cancel()
  return status
}

test('a share that is revoked in one process has ended in the other with its next request', async () => {
  const [one, other] = processes
  const { id, path, token } = await createShare({ originals: true })
  const bytes = pathIn(await data(opened, await post(other, 'share.open', { token })))
  for (let round = 0; round < 3; round += 1)
    for (const each of [path, bytes]) expect(await statusOf(ask(other, each))).toBe(200)
  expect(await statusOf(post(one, 'share.revoke', { id }, { cookie }))).toBe(200)
  for (const each of [path, bytes, bytes.replace(/[^/]*$/, 'zip')]) expect(await statusOf(ask(other, each))).toBe(404)
  expect(await statusOf(post(other, 'share.open', { token }))).toBe(404)
})

test('two processes give the last view to one guest, and count the limits of a share together', async () => {
  const { token } = await createShare({ maxViews: 3 })
  const opening = Array.from({ length: 12 }, (_, at) => statusOf(post(processes[at % 2], 'share.open', { token })))
  expect((await Promise.all(opening)).filter((status) => status === 200)).toHaveLength(3)

  const statuses = await countedByRedis(processes, async () => {
    const { id, path } = await createShare({ limits: { requestsPerHour: 10 } })
    const loading = await Promise.all(Array.from({ length: 30 }, (_, at) => statusOf(ask(processes[at % 2], path))))
    // A raised limit applies at once, also where the refusal is remembered.
    const raised = await statusOf(
      post(processes[0], 'share.update', { id, limits: { requestsPerHour: 12 } }, { cookie }),
    )
    const after: number[] = []
    for (let time = 0; time < 3; time += 1) after.push(await statusOf(ask(processes[1], path)))
    return { loading: loading.toSorted(), raised, after }
  })
  expect(statuses).toEqual({
    loading: [...Array(10).fill(200), ...Array(20).fill(429)],
    raised: 200,
    after: [200, 200, 429],
  })
})

test('no log has a token, a key or a visit', async () => {
  const { token, path } = await createShare({ password: 'open sesame' })
  const answer = await data(opened, await post(processes[0], 'share.open', { token, password: 'open sesame' }))
  const bytes = pathIn(answer)
  for (const each of [path, bytes, `${path}?at=1`]) await statusOf(ask(processes[0], each))
  await expect.poll(() => processes[0]?.logs.some((line) => line.includes('"/i/s/…'))).toBe(true)
  const logs = processes.flatMap(({ logs }) => logs).join('\n')
  for (const secret of [token, bytes.split('/')[3] ?? '', answer.visit, 'sesame']) expect(logs).not.toContain(secret)
})
