import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { behindProxy } from '#testing/http/image-client.ts'
import { sendRaw } from '#testing/http/raw-http.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const LIMITED = '198.51.100.9'
const BLOCKED = '203.0.113.9'
let served: TestApp
let root: Person
let image: StoredImage
beforeAll(async () => {
  served = await startApp(behindProxy)
  root = await served.person({ role: 'superadmin' })
  image = await storeImageFor(served, root)
  const target = { kind: 'subject', subject: LIMITED } as const
  const terms = { rules: [{ limit: 1, window: '1h' }] }
  await served.as(root).limits.override({ ruleSet: 'download', target, terms })
  await served.as(root).access.setRule({ cidr: `${BLOCKED}/32`, verdict: 'deny' })
  await open(image.url, LIMITED)
})
afterAll(() => served[Symbol.asyncDispose]())

interface Asked {
  readonly accept?: string
  readonly cookie?: string
  readonly method?: string
  readonly language?: string
}

async function open(url: string, address: string, asked: Asked = {}) {
  const { accept = '*/*', cookie = '', method = 'GET', language = '' } = asked
  const headers = { 'x-forwarded-for': address, accept, cookie, 'accept-language': language }
  const answer = await fetch(new URL(url, served.origin), { method, headers })
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}

const NOWHERE = '198.51.100.10'
const again = '<nav><a href="">Try again</a></nav>'
const home = '<nav><a href="/">Go to images</a></nav>'
const signIn = '<nav><a href="/signin">Sign in</a></nav>'
const missing = 'The address may be wrong, or the image is private, in the trash or deleted.'

it.each<[string, number, () => string, Asked & { address?: string }, string, RegExp | string, string]>([
  [
    'a limit',
    429,
    () => image.url,
    { address: LIMITED },
    'Too many requests',
    'Limit reached: Downloads of originals, 1 per hour.',
    again,
  ],
  ['a blocked address', 403, () => '/', { address: BLOCKED }, 'Access denied', 'Your address is blocked.', again],
  ['a missing image', 404, () => `/i/${'A'.repeat(22)}.png`, {}, 'Not found', missing, signIn],
  ['a wrong address of an image', 404, () => '/i/x', {}, 'Not found', missing, signIn],
  [
    'a zip that has expired',
    404,
    () => '/api/zip?link=x',
    {},
    'Not found',
    /^Zip not found\. The link has expired/,
    signIn,
  ],
  [
    'a wrong method',
    405,
    () => image.url,
    { method: 'POST' },
    'Invalid request',
    'Only GET and HEAD are supported.',
    home,
  ],
])('%s refuses a browser with a page, and a program as before', async (...row) => {
  const [, status, url, { address = NOWHERE, ...asked }, title, sentence, nav] = row
  const program = await open(url(), address, asked)
  const browser = await open(url(), address, { ...asked, accept: BROWSER })
  expect([program.status, browser.status]).toEqual([status, status])
  expect(program.headers.get('content-type')).toMatch(/^(text\/plain|application\/json)/)
  expect(browser.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(browser.headers.get('cache-control')).toBe('no-store')
  const own = new Set([
    'content-type',
    'content-length',
    'content-language',
    'content-security-policy',
    'date',
    'x-request-id',
  ])
  const others = ({ headers }: typeof browser) =>
    [...headers]
      .filter(([name]) => !own.has(name))
      .map(([name, value]) => [name, value.replaceAll(/([rt])=\d+/g, '$1=')])
  // Each of the two answers is charged.
  const steady = (all: string[][]) => all.filter(([name]) => name !== 'retry-after' && name !== 'x-ratelimit-remaining')
  expect(steady(others(browser))).toEqual(steady(others(program)))
  expect(browser.headers.has('retry-after')).toBe(program.headers.has('retry-after'))
  expect(browser.body).toContain(`<h1>${title}</h1>`)
  expect(/<p>(.*?)<\/p>/.exec(browser.body)?.[1]).toMatch(sentence)
  expect(browser.body).toContain(nav)
})

it('offers no sign-in to those who are signed in', async () => {
  const { body } = await open('/i/x', NOWHERE, { accept: BROWSER, cookie: root.cookie })
  expect(body).toContain(home)
})

it('loads nothing, runs nothing without a wait, and follows the theme of the site', async () => {
  const { headers, body } = await open(image.url, BLOCKED, { accept: BROWSER, cookie: 'a=b; sluice-theme=dark' })
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri/)
  expect(body).toContain('<html lang="en" dir="ltr" data-theme="dark">')
  expect(body).not.toContain('<script>')
  const forged = await open(image.url, BLOCKED, { accept: BROWSER, cookie: 'sluice-theme="><script>' })
  expect(forged.body).toContain('<html lang="en" dir="ltr">')
})

it('counts the wait down by a script that the policy names', async () => {
  const { headers, body } = await open(image.url, LIMITED, { accept: BROWSER })
  expect(body).toContain(`<p id="wait" data-seconds="${headers.get('retry-after')}" hidden>`)
  // By which superadmins find why.
  expect(body).toContain(`<code>request ${headers.get('x-request-id')}</code>`)
  const script = /<script>(.*)<\/script>/s.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  expect(headers.get('content-security-policy')).toContain(`; script-src 'sha256-${hash}'; `)
})

it('speaks the language of the reader', async () => {
  const chinese = { accept: BROWSER, language: 'zh-CN,zh;q=0.9,en;q=0.8' }
  const { headers, body } = await open(image.url, LIMITED, chinese)
  expect(headers.get('content-language')).toBe('zh-CN')
  expect(body).toContain('<html lang="zh-CN" dir="ltr">')
  expect(body).toContain('<h1>请求过多</h1>')
  expect(/<p>(.*?)<\/p>/.exec(body)?.[1]).not.toMatch(/[a-z]{3,} [a-z]+/)
  const program = await open(image.url, LIMITED, { language: 'zh-CN' })
  expect(program.body).toMatch(/^Limit reached: download allows 1 per hour\./)
})

it('answers programs and APIs as before, and HEAD without a body', async () => {
  const json = await open(image.url, LIMITED, { accept: 'application/json' })
  const posted = await open('/api/upload', BLOCKED, { accept: BROWSER, method: 'POST' })
  const unknown = await open('/api/nothing', NOWHERE, { accept: BROWSER })
  for (const { headers } of [json, posted, unknown]) expect(headers.get('content-type')).not.toContain('text/html')
  const head = await open(image.url, BLOCKED, { accept: BROWSER, method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), head.body]).toEqual([403, 'text/html; charset=utf-8', ''])
})

it('a head that cannot be read is answered with a page too', async () => {
  const head = (more: string) =>
    `GET / HTTP/1.1\r\nHost: x\r\nAccept: ${BROWSER}\r\nAccept-Language: zh\r\n${more}\r\n\r\n`
  const bad = await sendRaw(served.origin, head('bad header'))
  const large = await sendRaw(served.origin, head(`Cookie: ${'x'.repeat(20_000)}`))
  expect([bad.status, large.status]).toEqual([400, 431])
  for (const { headers } of [bad, large]) {
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  }
  expect(bad.body.toString()).toContain('服务器无法读取此请求。')
  expect(large.body.toString()).toContain('<h1>请求过大</h1>')
})
