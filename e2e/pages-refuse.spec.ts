import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { api, expect, signIn, test } from './fixtures.ts'

const SECRET = 'A title that nobody else may read'

/** Headers that have bypassed a check of Next in the past. */
const PERSUASIONS: readonly Record<string, string>[] = [
  {},
  { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
  { 'x-middleware-subrequest': 'src/middleware:src/middleware:src/middleware' },
  { 'x-middleware-prefetch': '1', 'x-nextjs-data': '1' },
  { 'x-middleware-rewrite': '/admin/users', 'x-middleware-next': '1' },
  { rsc: '1' },
  { rsc: '1', 'next-router-prefetch': '1' },
  { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' },
  { rsc: '1', 'next-router-segment-prefetch': '/image/$d$slug/__PAGE__', 'next-router-prefetch': '1' },
  {
    rsc: '1',
    'next-router-state-tree': encodeURIComponent('["",{"children":["admin",{"children":["users",{}]}]},null,null,1]'),
  },
  {
    'x-matched-path': '/admin/users',
    'x-now-route-matches': 'slug=x',
    'x-invoke-path': '/admin/users',
    'x-invoke-status': '200',
  },
]

async function picture(): Promise<File> {
  const pixels = {
    width: 64,
    height: 48,
    channels: 3,
    background: { r: Math.floor(Math.random() * 256), g: Date.now() % 256, b: 7 },
  } as const
  return new File([new Uint8Array(await sharp({ create: pixels }).png().toBuffer())], 'secret.png')
}

test('no header opens a private image’s page or distinguishes it from a missing one', async ({
  page,
  request,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const { id, slug } = await api(page.request).image.upload.mutate(await picture())
  const { slug: hidden } = await api(page.request).image.update.mutate({ id, title: SECRET, visibility: 'private' })
  expect(hidden).not.toBe(slug)
  expect(await (await page.request.get(`/image/${hidden}`)).text()).toContain(SECRET)

  for (const [at, persuasion] of PERSUASIONS.entries()) {
    // Each from its own address, because the limit of pages is not tested here.
    const headers = { ...persuasion, 'x-forwarded-for': `10.77.0.${at}` }
    for (const path of [
      `/image/${hidden}`,
      `/image/${hidden}.rsc`,
      `/image/${hidden}?_rsc=abc`,
      `/image/${hidden}.segments/_tree.segment.rsc`,
    ]) {
      const answer = await request.get(path, { headers, maxRedirects: 0 })
      const missing = await request.get(path.replace(hidden ?? '', 'AAAAAAAAAAAAAAAAAAAAAA'), {
        headers,
        maxRedirects: 0,
      })
      expect(answer.status(), path).toBe(missing.status())
      const body = await answer.text()
      expect(body).not.toContain(SECRET)
      expect(body).not.toContain(id)
    }
  }
})

test('no header opens a page that the caller may not see', async ({ page, request, createAccount }) => {
  await signIn(page, await createAccount())
  for (const headers of PERSUASIONS) {
    for (const path of ['/', '/trash', '/account', '/admin/users', '/admin/limits']) {
      const answer = await request.get(path, { headers, maxRedirects: 0 })
      const body = await answer.text()
      // A request for a page's payload is answered with 200 and a redirect instead of the page.
      const isSentAway = /NEXT_REDIRECT;\w+;\/signin\?/.test(body) || answer.status() === 307
      expect(
        isSentAway || answer.status() === 404,
        `${path} ${JSON.stringify(headers)}: ${answer.status()} ${body}`,
      ).toBe(true)
    }
  }
  // A user's session does not open pages for admins.
  expect((await page.request.get('/admin/users')).status()).toBe(404)
  expect((await page.request.get('/api/trpc/user.list?input=%7B%7D')).status()).toBe(403)
})

test('no server action is reachable, and malformed posts to pages do no harm', async ({ request }) => {
  const bodies = [
    '',
    '[]',
    '["$@1"]',
    '0:"$Sreact"',
    '{"then":"$1:__proto__:then"}',
    '--x\r\n\r\n',
    '\0\0',
    '["$K1"]',
    '$F1',
    '["$1:a:a"]',
  ]
  for (let at = 0; at < 500; at += 1) {
    const action = [...Array(40)].map((_, digit) => ((at * 7 + digit * 13) % 16).toString(16)).join('')
    const answer = await request.post(['/', '/signin', '/setup', '/account', '/image/x'][at % 5] ?? '/', {
      headers: {
        ...(at % 3 ? { 'next-action': action } : {}),
        'content-type':
          ['text/plain;charset=UTF-8', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'][
            at % 3
          ] ?? '',
      },
      data: `${bodies[at % bodies.length]}${'$1:'.repeat(at % 17)}`,
    })
    expect(answer.status()).toBe(405)
  }
  expect((await request.get('/readyz')).status()).toBe(200)
})

test('other methods, the optimiser and long addresses are refused', async ({ request, sluice }) => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    expect((await request.fetch('/signin', { method })).status()).toBe(405)
  }
  for (const url of [
    '/icon.svg',
    '/i/x.png',
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    '//evil.example/x.png',
  ]) {
    expect((await request.get(`/_next/image?url=${encodeURIComponent(url)}&w=640&q=75`)).status()).toBe(404)
  }
  expect((await request.get(`/image/${'x'.repeat(5000)}`)).status()).toBe(404)
  expect((await request.post('/api/auth/callback/credentials', { data: 'x'.repeat(100_000) })).status()).toBe(413)
  expect((await fetch(`${sluice.origin}/readyz`)).status).toBe(200)
})

test('malformed addresses and forms are refused, and nothing breaks', async ({ request, sluice }) => {
  for (const path of [
    '/image/%',
    '/image/%ff',
    '/image/%00',
    '/%c0%ae',
    '/api/auth/callback/credentials',
    '/api/auth/_log',
  ]) {
    expect((await request.get(path)).status(), path).toBe(404)
  }
  const { csrfToken }: { csrfToken: string } = await (await request.get('/api/auth/csrf')).json()
  for (const odd of [
    { username: ['owner'], password: 'x' },
    { username: 'owner', password: { a: 1 } },
    { username: 7 },
  ]) {
    const answer = await request.post('/api/auth/callback/credentials', { data: { ...odd, csrfToken, json: 'true' } })
    expect(answer.status()).toBe(401)
    expect(await answer.text()).not.toMatch(/function|slice|argon|prisma/i)
  }
  const forged = `${sluice.origin}.evil.example\n{"level":"info","msg":"forged"}`
  const answer = await request.get(`/api/auth/signin?callbackUrl=${encodeURIComponent(forged)}`, { maxRedirects: 0 })
  expect(answer.status()).toBeLessThan(500)
  expect(answer.headers().location ?? '').not.toContain('evil')
  expect(sluice.logs.some((line) => line.includes('forged'))).toBe(false)
})

test('pages are limited by address', async ({ sluice }) => {
  const { port } = new URL(sluice.origin)
  const socket = connect(Number(port), '127.0.0.1')
  // All in one write, so that they arrive within a second, however slow the machine.
  const get = (more = '') => `GET /signin HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.88.0.1\r\n${more}\r\n`
  socket.write(`${get().repeat(199)}${get('Connection: close\r\n')}`)
  const answers = (await text(socket)).split(/(?=HTTP\/1\.1 \d{3} )/)
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual([...Array(60).fill('200'), ...Array(140).fill('429')])
  const refused = answers.at(-1)
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/i)
  expect(refused).toContain('"error":"Limit reached: page allows 60 per second')
})

test('a browser that is refused a page gets a page, with the wait and a link to retry', async ({ page, owner }) => {
  const address = '10.88.0.2'
  await signIn(page, owner)
  const { limits } = api(page.request)
  const target = { kind: 'subject', subject: address } as const
  await limits.override.mutate({ ruleSet: 'page', target, terms: { rules: [{ limit: 1, window: '1h' }] } })
  const brief = '10.88.0.4'
  const terms = { rules: [{ limit: 1, window: '5s' }] }
  await limits.override.mutate({ ruleSet: 'page', target: { kind: 'subject', subject: brief }, terms })
  await page.context().clearCookies()
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': address })
  expect((await page.goto('/signin'))?.status()).toBe(200)
  const refused = await page.goto('/signin')
  expect([refused?.status(), refused?.headers()['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
  await expect(page.getByRole('heading', { name: 'Too many requests' })).toBeVisible()
  await expect(page.getByText('Limit reached: Pages, 1 per hour.', { exact: true })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^(1:00:00|59:\d\d)$/)
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': '10.88.0.3' })
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()

  // A short wait is counted down, and the page then loads itself again.
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': brief })
  // By a request, since a browser may take longer to show a page than the window is long.
  expect((await page.request.get('/signin', { headers: { 'x-forwarded-for': brief } })).status()).toBe(200)
  expect((await page.goto('/signin', { waitUntil: 'commit' }))?.status()).toBe(429)
  await expect(page.getByRole('timer')).toHaveText(/^0:0[1-5]$/)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('whatever a browser is refused before the pages are asked, it gets a page', async ({ page, request }) => {
  for (const [method, path, status, title] of [
    ['POST', '/', 405, 'Invalid request'],
    ['PUT', '/signin', 405, 'Invalid request'],
    ['POST', '/nothing/here', 405, 'Invalid request'],
    ['GET', '/_next/static/none.js', 404, 'Not found'],
    ['GET', '/i/none', 404, 'Not found'],
  ] as const) {
    const answer = await request.fetch(path, { method, headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([answer.status(), answer.headers()['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain(`<h1>${title}</h1>`)
    const program = await request.fetch(path, { method, headers: { accept: '*/*' } })
    expect([program.status(), program.headers()['content-type']?.includes('html')]).toEqual([status, false])
  }
  expect((await page.goto('/nothing/here'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible()
  await page.goto('/i/none')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('an upgrade is refused for any target, and connects to nothing', async ({ request, sluice }) => {
  const { port } = new URL(sluice.origin)
  for (const target of ['/', '/_next/webpack-hmr', 'http://169.254.169.254/latest/meta-data', 'http://127.0.0.1:1/']) {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  }
  expect((await request.get('/readyz')).status()).toBe(200)
})

test('a browser without script reads that there is nothing at an address, and may sign in', async ({
  browser,
  sluice,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of ['/image/none', '/a/none', '/u/none', '/s/none', '/delete/none', '/report?image=none', '/none']) {
    expect((await page.goto(`${sluice.origin}${path}`))?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' }), path).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign in' }).first(), path).toBeVisible()
  }
  await context.close()
})

test('a title is treated as text everywhere', async ({ page, context, createAccount }) => {
  await signIn(page, await createAccount())
  const { id, slug } = await api(page.request).image.upload.mutate(await picture())
  const titles = [
    '</script><script>window.pwned=1</script>',
    '"><img src=x onerror="window.pwned=1">',
    "0;url=https://evil.example/'",
    '{{constructor}}<svg/onload=window.pwned=1>',
  ]
  for (const title of titles) {
    await api(page.request).image.update.mutate({ id, title })
    for (const path of [`/image/${slug}`, '/']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => Reflect.get(window, 'pwned'))).toBeUndefined()
      expect(new URL(page.url()).pathname).toBe(path)
    }
    await page.goto(`/image/${slug}`)
    await expect(page.getByText(title, { exact: true }).first()).toBeVisible()
    expect(await page.title()).toContain(title)
  }
  await context.clearCookies()
  await page.goto(`/image/${slug}`)
  await expect(page.getByText(titles.at(-1) ?? '', { exact: true }).first()).toBeVisible()
})
