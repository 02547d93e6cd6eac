import { type APIRequestContext, request } from '@playwright/test'
import { Client } from 'pg'
import { landscape } from '../images/landscape.ts'
import { startPostgresServer } from '../servers/postgres-server.ts'
import { startSluiceServer } from '../sluice/sluice-server.ts'

const owner = { username: 'ada', password: 'a lock on the old canal' }

/** The shapes of photographs, screenshots and panoramas. */
const sizes = [
  [900, 600],
  [600, 900],
  [800, 600],
  [600, 800],
  [700, 700],
  [960, 540],
  [390, 844],
  [1200, 400],
] as const

export interface TimelineScene extends AsyncDisposable {
  readonly origin: string
  /** The headers that sign the owner in. */
  readonly cookie: string
}

/** Starts a server, over a PostgreSQL of its own, whose owner has `count` images of eight years, and a few of today. Their rows share
 *  the objects of these. */
export async function startTimelineScene(count: number): Promise<TimelineScene> {
  const postgres = await startPostgresServer()
  const url = await postgres.createDatabase()
  const account = { SLUICE_ADMIN_USERNAME: owner.username, SLUICE_ADMIN_PASSWORD: owner.password }
  const server = await startSluiceServer({ env: { ...account, DATABASE_URL: url }, isMeasured: true })
  const client = await request.newContext({ baseURL: server.origin })
  const { csrfToken } = await (await client.get('/api/auth/csrf')).json()
  await client.post('/api/auth/callback/credentials', { form: { ...owner, csrfToken, json: 'true' } })
  await upload(client)
  await fill(url, count)
  const { cookies } = await client.storageState()
  await client.dispose()
  return {
    origin: server.origin,
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

async function upload(client: APIRequestContext): Promise<void> {
  for (const [seed, [width, height]] of sizes.entries()) {
    const answer = await client.post('/api/trpc/image.upload', {
      headers: { 'content-type': 'application/octet-stream', 'x-file-name': `Weir ${seed}.jpg` },
      data: await landscape(seed, { width, height }),
    })
    if (!answer.ok()) throw new Error(`image ${seed + 1} was answered ${answer.status()}: ${await answer.text()}`)
  }
}

async function fill(url: string, count: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `
    WITH "seeds" AS (SELECT *, row_number() OVER (ORDER BY "createdAt") - 1 AS "at", count(*) OVER () AS "of" FROM "Image")
    INSERT INTO "Image" ("id", "slug", "ownerId", "sha256", "mime", "width", "height", "size", "filename", "title", "visibility", "createdAt")
    SELECT gen_random_uuid(), substr(encode(sha256(n::text::bytea), 'hex'), 1, 22), "ownerId", "sha256", "mime", "width", "height", "size",
      'photo.jpg', 'Photograph ' || n, 'link', now() - interval '1 day' - (8 * 365.0 * n / $1) * interval '1 day'
    FROM generate_series(1, $1::int) AS n JOIN "seeds" ON "at" = (n * 7919 % 104729) % "of"`,
    [count],
  )
  await client.query('VACUUM ANALYZE')
  await client.end()
}
