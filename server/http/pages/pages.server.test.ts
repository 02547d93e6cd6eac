import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { encode } from 'next-auth/jwt'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '#testing/http/raw-http.ts'
import type { FaultProxy } from '#testing/servers/fault-proxy.ts'
import { type PostgresBehindProxy, startPostgresBehindProxy } from '#testing/servers/postgres-behind-proxy.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'

const LONG_AGO = 'Thu, 01 Jan 1970 00:00:00 GMT'
const SECRET = randomBytes(32).toString('hex')

let postgres: PostgresBehindProxy
let proxy: FaultProxy
let sluice: SluiceServer
let client: Client

beforeAll(async () => {
  postgres = await startPostgresBehindProxy()
  const { direct } = postgres
  proxy = postgres.proxy
  sluice = await startSluiceServer({ env: { DATABASE_URL: postgres.url, SLUICE_SECRET: SECRET, SLUICE_GALLERY: 'on' } })
  client = new Client({ connectionString: direct })
  await client.connect()
})
afterAll(async () => {
  await proxy.set('pass')
  await client.end()
  await sluice[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})

const first = (rows: Record<string, string>[]): string => rows[0]?.id ?? expect.unreachable()

/** Inserts an account with a session, and returns its ID and cookie. */
async function createPerson(role: 'user' | 'admin' | 'superadmin') {
  const name = randomBytes(6).toString('hex')
  const user = `INSERT INTO "User" (id, username, "usernameKey", "passwordHash", role)
    VALUES (gen_random_uuid(), $1, $1, '', $2::"Role") RETURNING id`
  const id = first((await client.query(user, [name, role])).rows)
  const session = `INSERT INTO "Session" (id, "userId", "userAgent", address, "expiresAt", "provedAt")
    VALUES (gen_random_uuid(), $1, '', '', now() + '1 hour', now()) RETURNING id`
  const sessionId = first((await client.query(session, [id])).rows)
  return { id, cookie: `next-auth.session-token=${await encode({ token: { sub: id, sessionId }, secret: SECRET })}` }
}

/** Inserts a private image, and returns it with the texts that other users must not see. */
async function createPrivateImage(ownerId: string, isTrashed: boolean) {
  const [slug, sha256] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('hex')]
  const [title, placeholder] = [`title ${randomBytes(8).toString('hex')}`, randomBytes(21).toString('base64')]
  await client.query('INSERT INTO "StoredObject" (sha256, size, placeholder) VALUES ($1, 1, $2)', [sha256, placeholder])
  const image = `INSERT INTO "Image"
    (id, slug, "ownerId", sha256, mime, width, height, size, filename, title, visibility, "trashedAt")
    VALUES (gen_random_uuid(), $1, $2, $3, 'image/png', 1, 1, 1, $4, $4, 'private', $5)`
  await client.query(image, [slug, ownerId, sha256, title, isTrashed ? new Date() : null])
  return { slug, secrets: [sha256, title, placeholder] }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${sluice.origin}${path}`, { headers, redirect: 'manual' })

/** Requests a path as it is; fetch would resolve its dots. */
const getRaw = (path: string, headers = '') =>
  sendRaw(`http://127.0.0.1:${sluice.port}`, `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)

/** Of a browser: no page is rendered for an unknown path without these. */
const SIGNED_IN = 'Cookie: next-auth.session-token=x\r\nAccept: text/html\r\n'

test('a sign-in has no more listeners than Node expects of it', async () => {
  const path = '/api/auth/csrf'
  expect((await get(path)).status).toBe(200)
  await expect.poll(() => sluice.logs.some((line) => line.includes(path))).toBe(true)
  expect(sluice.messages).not.toContain('warning of Node')
})

test('no page or payload reveals anything of another user’s private image', async () => {
  const owner = await createPerson('user')
  const images = [await createPrivateImage(owner.id, false), await createPrivateImage(owner.id, true)]
  const secrets = images.flatMap((image) => image.secrets)
  const strangers = { guest: {}, user: await createPerson('user'), admin: await createPerson('admin') }
  const paths = ['/', '/trash', ...images.map(({ slug }) => `/image/${slug}`)]
  const payloads: Record<string, string>[] = [{}, { rsc: '1' }]
  for (const [name, stranger] of Object.entries(strangers)) {
    const cookie = 'cookie' in stranger ? stranger.cookie : ''
    for (const path of paths) {
      for (const payload of payloads) {
        const body = await (await get(path, { cookie, ...payload })).text()
        expect([name, path, secrets.filter((secret) => body.includes(secret))]).toEqual([name, path, []])
        // A page contains its own URL; no other page may contain it.
        for (const { slug } of images) if (!path.endsWith(slug)) expect(body).not.toContain(slug)
      }
    }
  }
  const [shown] = images
  const own = await (await get(`/image/${shown?.slug}`, { cookie: owner.cookie })).text()
  expect(own).toContain(shown?.secrets[1])
})

test('a page shows what it was charged, and no cache keeps it', async () => {
  for (const path of ['/signin', '/', '/signup', '/api/auth/csrf']) {
    const { headers } = await get(path)
    const [policies, cache] = [headers.get('ratelimit-policy'), headers.get('cache-control')]
    expect([path, policies, cache]).toEqual([
      path,
      expect.stringMatching(/^"page-/),
      expect.stringContaining('no-store'),
    ])
  }
  const wrong = await fetch(`${sluice.origin}/api/auth/form/sign-up`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'somebody', password: 'a long enough one', invite: 'x' }),
    headers: { accept: 'application/json', origin: sluice.origin },
  })
  expect(wrong.status).toBe(403)
  expect(wrong.headers.get('ratelimit-policy')).toMatch(/^"invite-lookup-.*"page-/)
})

describe('requests that Next would answer with 500', () => {
  const inPart = { rsc: '1' }
  const follow = async (path: string, headers: Record<string, string>): Promise<Response> => {
    const answer = await get(path, headers)
    const location = answer.headers.get('location')
    // Next redirects to a URL of its own for each part of a page.
    return location?.includes('_rsc') ? get(location, headers) : answer
  }

  test.each(['garbage', '%', 'null', '[]', '["",{"children":1}]', '[[[[[[[['])(
    'an invalid router state: %s',
    async (state) => {
      for (const path of ['/signin', '/nowhere']) {
        const answer = await follow(path, { ...inPart, 'next-router-state-tree': encodeURIComponent(state) })
        expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 400, 'no-store'])
      }
    },
  )

  test('a prefetch of an unknown kind is refused, and Next logs nothing', async () => {
    expect((await follow('/signin', { ...inPart, 'next-router-prefetch': '2' })).status).toBe(400)
    expect(sluice.logs.filter((line) => line.includes('Next.js'))).toEqual([])
  })

  test('requests of the real router are answered', async () => {
    const state = encodeURIComponent(JSON.stringify(['', { children: ['signin', { children: ['__PAGE__', {}] }] }]))
    const asked: Record<string, string>[] = [{}, { 'next-router-state-tree': state }, { 'next-router-prefetch': '1' }]
    for (const more of asked) {
      const answer = await follow('/signin', { ...inPart, ...more })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/x-component'])
    }
  })

  test.each(['/_global-error', '/./_global-error', '/x/%2E%2e/_global-error'])(
    'the last-resort page cannot be requested as %s',
    async (path) => {
      const { status, headers } = await getRaw(path)
      expect([status, headers['cache-control']]).toEqual([404, expect.stringContaining('no-store')])
    },
  )

  test('a sign-in with invalid JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${sluice.origin}/api/auth/callback/credentials`, {
      method: 'POST',
      headers,
      body: '{"',
    })
    expect(answer.status).toBe(400)
  })
})

test.each([
  ['/favicon.ico', 'image/x-icon'],
  ['/icon.svg', 'image/svg+xml'],
  ['/apple-touch-icon.png', 'image/png'],
])('%s is served from public/ and cacheable for a day', async (path, type) => {
  const answer = await get(path, { 'accept-encoding': 'identity' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe(type)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(`public${path}`))
  // fetch would add that it wants no cached answer.
  expect((await getRaw(path, `If-None-Match: ${answer.headers.get('etag')}\r\n`)).status).toBe(304)
})

test('pages link to the icons', async () => {
  const html = await (await get('/signin')).text()
  const links = [...html.matchAll(/<link rel="(?:apple-touch-)?icon" href="([^"]+)"/g)].map(([, href]) => href)
  expect(links).toEqual(['/favicon.ico', '/icon.svg', '/apple-touch-icon.png'])
})

test('answers of next-auth are not cacheable', async () => {
  for (const path of ['csrf', 'session', 'providers', 'signin', 'signout', 'error', 'nowhere']) {
    expect([path, (await get(`/api/auth/${path}`)).headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
  const post = { method: 'POST', body: new URLSearchParams(), redirect: 'manual' } as const
  const signedOut = await fetch(`${sluice.origin}/api/auth/signout`, post)
  expect(signedOut.headers.get('cache-control')).toBe('no-store')
})

describe('with overridden limits', () => {
  const page = { ruleSet: 'page', target: { kind: 'all' } }
  let root: { cookie: string }
  const change = async (procedure: 'override' | 'clear', input: object) => {
    const headers = { cookie: root.cookie, origin: sluice.origin, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(input) }
    expect((await fetch(`${sluice.origin}/api/trpc/limits.${procedure}`, init)).status).toBe(200)
  }
  beforeAll(async () => {
    root = await createPerson('superadmin')
  })
  afterEach(() => change('clear', page))

  const statuses = async (count: number, headers: Record<string, string> = {}) => {
    const all: number[] = []
    for (let index = 0; index < count; index += 1) {
      const answer = await get('/signin', headers)
      await answer.arrayBuffer()
      all.push(answer.status)
    }
    return all
  }

  test('a page holds its permit until it is answered', async () => {
    await change('override', { ...page, terms: { rules: [{ concurrent: 2, lease: '1h' }] } })
    expect(await statuses(5)).toEqual([200, 200, 200, 200, 200])
  })

  test('a client that disconnects before the answer releases its permit', async () => {
    await change('override', { ...page, terms: { rules: [{ concurrent: 1, lease: '1h' }] } })
    for (let index = 0; index < 6; index += 1) {
      const leaver = connect(Number(sluice.port), '127.0.0.1').on('error', () => undefined)
      leaver.write('GET /api/auth/csrf HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(leaver, 'connect')
      await delay(index)
      leaver.destroy()
    }
    await expect.poll(() => statuses(1)).toEqual([200])
  })

  test('no page can pass as an asset, which has limits of its own', async () => {
    await change('override', { ...page, terms: { rules: [{ limit: 1, window: '365d' }] } })
    expect(await statuses(2)).toEqual([200, 429])
    for (const path of [
      '/_next/static/../../signin',
      '/_next/static/x/../../../nowhere',
      '/_next/static/%2e%2E/.%2e/signin',
      '/_next/static/..\\..\\signin',
      '/_next/static/../../api/auth/csrf',
      '/_next/static/..',
      '/_next/static/./x',
    ]) {
      expect([path, (await getRaw(path, SIGNED_IN)).status]).toEqual([path, 429])
      expect([path, (await getRaw(path)).body]).toEqual([path, '{"error":"Page not found."}'])
    }
    for (const path of ['/_next/static/x', '/_next/static/%00', '/_next/static/%2e%2e%2f%2e%2e%2fpackage.json'])
      expect([path, (await getRaw(path)).status]).toEqual([path, 404])
  })

  test('only the exact path of a file in public/ is exempt', async () => {
    await change('override', { ...page, terms: { rules: [{ limit: 1, window: '364d' }] } })
    expect(await statuses(2)).toEqual([200, 429])
    for (const path of [
      '/favicon.ico/',
      '/favicon.ico/signin',
      '/favicon%2eico',
      '/FAVICON.ICO',
      '/favicon.ico.rsc',
      '/icon.svg/../signin',
      '//favicon.ico',
      '/public/favicon.ico',
      '/icon.svg%3f',
    ]) {
      expect([path, (await getRaw(path, SIGNED_IN)).status]).toEqual([path, 429])
      expect([path, (await getRaw(path)).body]).toEqual([path, '{"error":"Page not found."}'])
    }
    const asked: Record<string, string>[] = [{}, { rsc: '1', 'next-router-prefetch': '1' }, { 'x-nextjs-data': '1' }]
    for (const headers of asked) {
      const answer = await get('/favicon.ico?x=1', headers)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
    }
  })

  test('only unknown pages count as invalid requests', async () => {
    const invalid = { ruleSet: 'invalid-request', target: { kind: 'all' } }
    await change('override', { ...invalid, terms: { rules: [{ limit: 2, window: '365d' }] } })
    const paths = ['/nowhere', '/signin', '/image/x/y', '/nowhere', '/', '/image/x', '/admin/nowhere']
    const answers: [string, number][] = []
    for (const path of paths) answers.push([path, (await get(path)).status])
    await change('clear', invalid)
    expect(answers).toEqual([
      ['/nowhere', 404],
      ['/signin', 200],
      ['/image/x/y', 404],
      ['/nowhere', 429],
      ['/', 200],
      ['/image/x', 404],
      ['/admin/nowhere', 429],
    ])
  })

  test('conditional requests for a file never render an error page', async () => {
    const html = await (await get('/signin')).text()
    const asset = html.match(/\/_next\/static\/[^"]+\.css/)?.[0] ?? expect.unreachable()
    await change('override', { ...page, terms: { rules: [{ limit: 1, window: '363d' }] } })
    expect(await statuses(2)).toEqual([200, 429])
    const conditions: Record<string, string>[] = [
      { range: 'bytes=99999999-' },
      { 'if-match': '"x"' },
      { 'if-unmodified-since': LONG_AGO },
    ]
    for (const path of ['/favicon.ico', asset]) {
      const whole = await (await get(path)).text()
      for (const headers of conditions) {
        const answer = await get(path, headers)
        expect([path, answer.status, (await answer.text()) === whole]).toEqual([path, 200, true])
      }
    }
  })

  test('build assets are served compressed, validated by their tag, and kept for a year; HEAD and 304 without a body', async () => {
    const html = await (await get('/signin')).text()
    const paths = [...new Set(html.match(/\/_next\/static\/[^"\\]+\.(?:css|js)/g))]
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths) {
      const tags = new Set<string | null>()
      const plain = await (await get(path, { 'accept-encoding': 'identity' })).text()
      for (const coding of ['br', 'gzip']) {
        const answer = await get(path, { 'accept-encoding': coding })
        expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([coding, plain])
        expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        expect(answer.headers.get('vary')).toBe('Accept-Encoding')
        const etag = answer.headers.get('etag') ?? ''
        tags.add(etag)
        const same = await get(path, { 'accept-encoding': coding, 'if-none-match': `"other", W/${etag}` })
        expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, ''])
      }
      expect(tags.size).toBe(2)
      const head = await fetch(`${sluice.origin}${path}`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
      expect([head.status, head.headers.get('content-encoding'), await head.text()]).toEqual([200, 'gzip', ''])
    }
  })

  test('assets have a limit of bytes, from which a superadmin is exempt', async () => {
    const LIMIT = 25 * 1024 ** 2
    const assets = { ruleSet: 'asset-bytes', target: { kind: 'all' } }
    const html = await (await get('/signin')).text()
    const [script = ''] = html.match(/\/_next\/static\/[^"\\]+\.js/) ?? []
    const size = Number((await get(script, { 'accept-encoding': 'identity' })).headers.get('content-length'))
    await change('override', { ...assets, terms: { rules: [{ limit: LIMIT, window: '365d' }] } })
    const fits = Math.floor(LIMIT / size)
    for (let time = 0; time < fits; time += 1)
      expect((await get(script, { 'accept-encoding': 'identity' })).status).toBe(200)
    const answer = await get(script, { 'accept-encoding': 'identity' })
    expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining('asset-bytes allows 25 MiB')])
    expect((await get('/signin')).status).toBe(200)
    expect((await get(script, { 'accept-encoding': 'identity', cookie: root.cookie })).status).toBe(200)
    await change('clear', assets)
    expect((await get(script)).status).toBe(200)
  })

  test('a superadmin can always reach the page that undoes it', async () => {
    await change('override', { ...page, terms: { rules: [{ limit: 1, window: '366d' }] } })
    expect(await statuses(2)).toEqual([200, 429])
    const user = await createPerson('user')
    expect(await statuses(1, { cookie: user.cookie })).toEqual([429])
    expect((await get('/admin/limits', { cookie: root.cookie })).status).toBe(200)
  })
})

describe('without the database', () => {
  test.each(['refuse', 'reset'] as const)(
    'pages and next-auth are 503 with Retry-After (%s) until it recovers',
    async (mode) => {
      const { cookie } = await createPerson('user')
      expect((await get('/', { cookie })).status).toBe(200)
      await proxy.set(mode)
      for (const path of ['/', '/signin', '/trash', '/api/auth/session', `/image/${'a'.repeat(22)}`]) {
        const answer = await get(path, { cookie })
        expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
        expect(await answer.text()).not.toMatch(/ECONN|127\.0\.0\.1:\d+\/|prisma|postgres/i)
      }
      const browser = await get('/', { cookie, accept: 'text/html', 'accept-language': 'en' })
      expect([browser.status, browser.headers.get('retry-after')]).toEqual([503, '5'])
      const page = await browser.text()
      expect(page).toContain('<h1>Temporarily unavailable</h1><p>The database is unavailable')
      expect(page).toContain('<p id="wait" data-seconds="5" hidden>')
      expect(page).not.toContain('_next')
      await proxy.set('pass')
      expect((await get('/', { cookie })).status).toBe(200)
      expect(await (await get('/api/auth/session', { cookie })).json()).toHaveProperty('user')
    },
  )
})
