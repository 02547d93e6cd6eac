import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeToken } from '#server/accounts/tokens/api-token.ts'
import type { Role } from '#server/accounts/viewer.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { newSlug } from '#server/images/slug.ts'
import { signedIn } from '#testing/accounts/signed-in.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { flatPng } from '#testing/images/pictures.ts'
import { countedByRedis } from '#testing/limits/counted-by-redis.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'
import { within } from '#testing/within.ts'
import { BELIEVED_MS } from './bytes/guest-images.ts'

const SECRET = 'a secret of the site, 32 or more of it'
const origin = 'http://127.0.0.1'

const ended = new AsyncDisposableStack()
let one: SluiceServer
let other: SluiceServer
let db: Database['db']
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-two-'))
  ended.defer(() => rm(dataDir, { recursive: true, force: true }))
  const redis = ended.use(await startRedisServer())
  const databaseUrl = await createPostgresDatabase()
  const env = {
    ...{ ...behindProxy, DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SLUICE_SECRET: SECRET },
    ...{ SLUICE_ORIGIN: origin, SLUICE_LOG: 'warn' },
  }
  one = ended.use(await startSluiceServer({ dataDir, env }))
  other = ended.use(await startSluiceServer({ dataDir, env }))
  const database = await openDatabase({ dataDir, databaseUrl })
  ended.defer(() => database.close())
  db = database.db
})
afterAll(() => ended.disposeAsync())

const at = ({ port }: SluiceServer, path: string) => `http://127.0.0.1:${port}${path}`
const person = async (role: Role = 'user') => {
  const { sessionId, cookie } = await signedIn(db, { origin, secret: SECRET }, { role })
  const { userId } = await db.session.findUniqueOrThrow({ where: { id: sessionId } })
  return { cookie, userId }
}
type Someone = Awaited<ReturnType<typeof person>>

async function call(server: SluiceServer, { cookie }: Someone, procedure: string, input: object): Promise<void> {
  const headers = { cookie, 'content-type': 'application/json' }
  const answer = await fetch(at(server, `/api/trpc/${procedure}`), {
    method: 'POST',
    headers,
    body: JSON.stringify(input),
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
}

const uploaded = z.object({ result: z.object({ data: z.object({ id: z.string(), url: z.string() }) }) })
let shade = 0
/** Uploads an image by the first process. Returns its path. */
async function upload({ cookie }: Someone, visibility: string) {
  shade += 1
  const headers = {
    cookie,
    'content-type': 'application/octet-stream',
    'x-file-name': 'a.png',
    'x-visibility': visibility,
  }
  const body = new Uint8Array(flatPng(8, 8 + shade))
  const answer = await fetch(at(one, '/api/trpc/image.upload'), { method: 'POST', headers, body })
  const { id, url } = uploaded.parse(await answer.json()).result.data
  return { id, path: new URL(url).pathname }
}
const status = async (...of: Parameters<typeof read>) => {
  const answer = await read(...of)
  await answer.body?.cancel()
  return answer.status
}

test.each([
  ['becomes private', 'image.update', { visibility: 'private' }],
  ['is moved to the trash', 'image.delete', {}],
])(
  'an image that %s in one process is gone from the guests of the other within a second',
  async (_, procedure, change) => {
    const owner = await person()
    const { id, path } = await upload(owner, 'public')
    const url = at(other, path)
    for (let round = 0; round < 20; round += 1) expect(await status(url)).toBe(200)
    await call(one, owner, procedure, { id, ...change })
    const changedAt = performance.now()
    // Kept in use, so that its look-up would be refreshed for as long as it is believed.
    let begun = changedAt
    while (begun - changedAt < 2 * BELIEVED_MS) {
      begun = performance.now()
      const seen = await status(url)
      if (begun - changedAt >= BELIEVED_MS) expect(seen).toBe(404)
    }
    expect(await status(at(one, path))).toBe(404)
  },
)

test('a revoked token and a banned user are refused by the other process at once', async () => {
  const [owner, admin] = [await person(), await person('superadmin')]
  const { path } = await upload(owner, 'private')
  const { token, ...kept } = makeToken()
  const { id } = await db.apiToken.create({
    data: { ...kept, name: 'a program', scopes: ['read'], userId: owner.userId },
  })
  const url = at(other, path)
  const byToken = () => status(url, null, { headers: { authorization: `Bearer ${token}` } })
  const bySession = () => status(url, null, { headers: { cookie: owner.cookie } })
  for (let round = 0; round < 5; round += 1) expect([await byToken(), await bySession()]).toEqual([200, 200])
  await call(one, owner, 'token.revoke', { id })
  expect([await byToken(), await bySession()]).toEqual([401, 200])
  await call(one, admin, 'user.ban', { id: owner.userId })
  expect([await byToken(), await bySession()]).toEqual([401, 404])
})

test('both processes count one limit', async () => {
  let network = 0
  const answers = await countedByRedis([one, other], async () => {
    network += 1
    const headers = { 'x-forwarded-for': `192.0.2.${network}` }
    const statuses: number[] = []
    for (let index = 0; index < 120; index += 1) {
      const url = at(index % 2 ? one : other, `/i/${newSlug()}.png`)
      statuses.push(await status(url, null, { headers }))
    }
    return statuses
  })
  expect(answers).toEqual([...Array(100).fill(404), ...Array(20).fill(429)])
})

test('an image that one process blocks by hand is refused by the other within a second, whoever asks, until it is lifted', async () => {
  const [owner, admin] = [await person(), await person('superadmin')]
  const [blocked, free] = [await upload(owner, 'public'), await upload(owner, 'public')]
  const slugOf = ({ path }: typeof blocked) => basename(path, extname(path))
  const statuses = () => {
    const asked = [one, other].flatMap((server) => [at(server, blocked.path), at(server, free.path)])
    return Promise.all(asked.map((url) => status(url, null)))
  }
  expect(await statuses()).toEqual([200, 200, 200, 200])
  const place = { ruleSet: 'download-of-one', target: { kind: 'argument', value: slugOf(blocked) } }
  const blockedUntil = new Date(Date.now() + 3_600_000).toISOString()
  await call(one, admin, 'limits.override', { ...place, terms: { blockedUntil } })
  await within(1_000, async () => expect(await statuses()).toEqual([429, 200, 429, 200]))
  const refused = await read(at(other, blocked.path), null, { headers: { cookie: owner.cookie } })
  expect([refused.status, Number(refused.headers.get('retry-after')) > 3_000]).toEqual([429, true])
  await call(other, admin, 'limits.clear', place)
  await within(1_000, async () => expect(await statuses()).toEqual([200, 200, 200, 200]))
})

test('an address that one process blocks is blocked by the other', async () => {
  const admin = await person('superadmin')
  const headers = { 'x-forwarded-for': '2001:db8:7::1' }
  const url = at(other, `/i/${newSlug()}.png`)
  expect(await status(url, null, { headers })).toBe(404)
  await call(one, admin, 'access.setRule', { cidr: '2001:db8:7::/48', verdict: 'deny' })
  expect(await status(at(one, '/healthz'), null, { headers })).toBe(403)
  await expect.poll(() => status(url, null, { headers })).toBe(403)
})
