import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#server/database/database.ts'
import { newSlug } from '#server/images/slug.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import { countJobs } from '#server/jobs/job-rows.ts'
import { signedIn } from '#testing/accounts/signed-in.ts'
import { type Asked, ask, dataOf, json, sha256 } from '#testing/http/ask.ts'
import { behindProxy } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { countedByRedis } from '#testing/limits/counted-by-redis.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { startNginx } from '#testing/servers/nginx.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { startS3Server } from '#testing/servers/s3-server.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'
import { buildVersionBefore, type OtherVersion } from '#testing/sluice/version-before.ts'

const SECRET = 'a secret of the site, 32 or more of it'
const ORIGIN = 'http://127.0.0.1'
/** Answers of each kind of request that are awaited in each stage. */
const ROUNDS = 15
const SLOW_MS = 3_600_000

const ended = new AsyncDisposableStack()
let before: OtherVersion
let env: Record<string, string>
let places: { readonly port: string; readonly dataDir: string; server: SluiceServer }[]
let site: string
const logs: string[] = []

beforeAll(async () => {
  before = ended.use(await buildVersionBefore())
  const root = await mkdtemp(join(tmpdir(), 'sluice-upgrade-'))
  ended.defer(() => rm(root, { recursive: true, force: true }))
  const s3 = ended.use(await startS3Server())
  env = {
    ...{ ...behindProxy, SLUICE_SECRET: SECRET, SLUICE_ORIGIN: ORIGIN, SLUICE_LOG: 'warn' },
    ...{ DATABASE_URL: await createPostgresDatabase(), REDIS_URL: ended.use(await startRedisServer()).url },
    ...{ S3_BUCKET: s3.bucket, S3_ENDPOINT: s3.endpoint },
    ...{ S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey },
  }
  places = []
  for (const name of ['one', 'other']) {
    const place = { port: String(await freePort()), dataDir: join(root, name) }
    places.push({ ...place, server: await start(place, before.folder) })
  }
  ended.defer(async () => {
    for (const { server } of places) await server.stop()
  })
  const nginx = ended.use(await startNginx(...places.map(({ port }) => port)))
  site = nginx.origin
}, SLOW_MS)
afterAll(() => ended.disposeAsync())

const start = ({ port, dataDir }: { port: string; dataDir: string }, program?: string) =>
  startSluiceServer({ dataDir, env: { ...env, PORT: port }, ...(program !== undefined && { program }) })

/** Replaces the processes by those of a version, one after the other, and does something while there are both. */
async function roll(program: string | undefined, sideBySide: () => Promise<void>): Promise<void> {
  for (const [at, place] of places.entries()) {
    await place.server.stop()
    logs.push(...place.server.logs)
    place.server = await start(place, program)
    if (at === 0) await sideBySide()
  }
}

let addresses = 0
/** A client's address that no other request has. */
function address(): string {
  addresses += 1
  return `10.8.${addresses >> 8}.${addresses & 255}`
}

const failures: string[] = []
const answered = new Map<string, number>()
/** Sends a request that must succeed. */
async function get(kind: string, path: string, asked: Asked = {}, at = site) {
  const answer = await ask(at, path, address(), asked)
  if (answer.outcome !== 'done')
    failures.push(`${kind} ${path}: ${answer.status} ${answer.body.toString().slice(0, 200)}`)
  answered.set(kind, (answered.get(kind) ?? 0) + 1)
  return answer
}

/** What was uploaded and not deleted, with the cookie of its owner. */
const kept = new Map<UploadAnswer, string>()
const created = z.object({ url: z.string() })
const opened = z.object({ images: z.array(z.object({ url: z.string() })) })

async function upload(cookie: string, seed: number): Promise<UploadAnswer | null> {
  const body = await picture({ width: 900, height: 600, seed })
  const headers = { cookie, 'content-type': 'application/octet-stream', 'x-file-name': 'a.jpg' }
  const answer = await get('upload', '/api/trpc/image.upload', { method: 'POST', headers, body })
  if (answer.outcome !== 'done') return null
  const image = dataOf(z.custom<UploadAnswer>(), answer)
  kept.set(image, cookie)
  return image
}

async function readBack(kind: string, image: UploadAnswer, cookie: string, at = site): Promise<void> {
  const { outcome, body } = await get(kind, new URL(image.url).pathname, { headers: { cookie } }, at)
  if (outcome === 'done' && sha256(body) !== image.sha256) failures.push(`${image.id} has other bytes`)
}

async function share(image: UploadAnswer, cookie: string): Promise<void> {
  const input = { target: { images: [image.id] }, originals: true }
  const answer = await get('share', '/api/trpc/share.create', json(input, cookie))
  if (answer.outcome !== 'done') return
  const token = dataOf(created, answer).url.split('/').at(-1) ?? ''
  const visit = await get('open a share', '/api/trpc/share.open', json({ token }))
  const [shown] = visit.outcome === 'done' ? dataOf(opened, visit).images : []
  if (shown) await get('read a share', new URL(shown.url).pathname)
}

/** Loads a page with all its scripts and styles. */
async function page(path: string, cookie: string): Promise<void> {
  const { body } = await get('page', path, { headers: { cookie, accept: 'text/html' } })
  const assets = new Set(body.toString().match(/\/_next\/static\/[^"'\\?]+\.(?:js|css)/g))
  if (assets.size === 0) failures.push(`${path} has no script`)
  for (const asset of assets) await get('asset', asset)
}

async function work(cookie: string, until: AbortSignal): Promise<void> {
  for (let round = 1; !until.aborted; round += 1) {
    const image = await upload(cookie, round)
    if (image) {
      await readBack('read', image, cookie)
      await share(image, cookie)
    }
    await get('list', '/api/trpc/image.list', { headers: { cookie } })
    await page('/', cookie)
    await page('/signin', '')
    if (image && round % 2 === 0) {
      await get('delete', '/api/trpc/image.delete', json({ id: image.id }, cookie))
      kept.delete(image)
    }
  }
}

const KINDS = ['upload', 'read', 'share', 'open a share', 'read a share', 'list', 'page', 'asset', 'delete']

/** Waits until this many more of each kind were answered. */
async function answers(): Promise<void> {
  const begun = new Map(KINDS.map((kind) => [kind, answered.get(kind) ?? 0]))
  await expect
    .poll(() => [...begun].every(([kind, count]) => (answered.get(kind) ?? 0) >= count + ROUNDS), { timeout: SLOW_MS })
    .toBe(true)
}

/** Both versions count one limit. */
async function shareLimits(): Promise<void> {
  const statuses = await countedByRedis(
    places.map(({ server }) => server),
    async () => {
      const from = address()
      const seen: (number | null)[] = []
      for (let turn = 0; turn < 120; turn += 1) {
        const at = `http://127.0.0.1:${places[turn % 2]?.port}`
        seen.push((await ask(at, `/i/${newSlug()}.png`, from)).status)
      }
      return seen
    },
  )
  expect(statuses).toEqual([...Array(100).fill(404), ...Array(20).fill(429)])
}

test(
  'this version replaces the one before under load, and is replaced by it, without a failed request',
  async () => {
    const database = await openDatabase({ dataDir: '', databaseUrl: env.DATABASE_URL ?? '' })
    ended.defer(database.close)
    const person = () => signedIn(database.db, { origin: ORIGIN, secret: SECRET }, { role: 'superadmin' })
    const [{ cookie }, other] = [await person(), await person()]
    const over = new AbortController()
    const load = [work(cookie, over.signal), work(other.cookie, over.signal)]
    const sideBySide = async () => {
      await answers()
      await shareLimits()
    }

    await answers()
    await roll(undefined, sideBySide)
    await answers()
    await roll(before.folder, sideBySide)
    await answers()
    over.abort()
    await Promise.all(load)

    for (const [image, owner] of kept)
      for (const { port } of places) await readBack('read at the end', image, owner, `http://127.0.0.1:${port}`)
    expect(failures).toEqual([])
    expect(answered.get('read at the end')).toBeGreaterThan(2 * ROUNDS)
    logs.push(...places.flatMap(({ server }) => server.logs))
    expect(logs.filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([])
    expect((await countJobs(database.db)).filter(({ state }) => state === 'failed')).toEqual([])
  },
  SLOW_MS,
)
