import { afterAll, beforeAll, expect, it } from 'vitest'
import { behindProxy } from '#testing/image-client.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { type StoredImage, storeImageFor } from '#testing/stored-image.ts'

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

async function open(url: string, address: string, { accept = '*/*', cookie = '', method = 'GET' } = {}) {
  const answer = await fetch(url, { method, headers: { 'x-forwarded-for': address, accept, cookie } })
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}

it.each([
  ['a limit', 429, LIMITED, 'Too many requests', /^Limit reached: download allows 1 per hour\. Try again in /],
  ['a blocked address', 403, BLOCKED, 'Access denied', /^Your address is blocked\.$/],
])('%s refuses a browser with a page, and a program as before', async (_, status, address, title, sentence) => {
  const program = await open(image.url, address)
  const browser = await open(image.url, address, { accept: BROWSER })
  expect([program.status, browser.status]).toEqual([status, status])
  expect(program.headers.get('content-type')).toMatch(/^(text\/plain|application\/json)/)
  expect(browser.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(browser.headers.get('cache-control')).toBe('no-store')
  const own = new Set(['content-type', 'content-length', 'content-security-policy', 'date', 'x-request-id'])
  const others = ({ headers }: typeof browser) =>
    [...headers].filter(([name]) => !own.has(name)).map(([name, value]) => [name, value.replaceAll(/t=\d+/g, 't=')])
  const steady = (all: string[][]) => all.filter(([name]) => name !== 'retry-after')
  expect(steady(others(browser))).toEqual(steady(others(program)))
  expect(browser.headers.has('retry-after')).toBe(program.headers.has('retry-after'))
  expect(browser.body).toContain(`<h1>${title}</h1>`)
  expect(/<p>(.*)<\/p>/.exec(browser.body)?.[1]).toMatch(sentence)
  expect(browser.body).toContain('<a href="">Try again</a>')
})

it('runs nothing, loads nothing, and follows the theme of the site', async () => {
  const { headers, body } = await open(image.url, BLOCKED, { accept: BROWSER, cookie: 'a=b; sluice-theme=dark' })
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri/)
  expect(body).toContain('<html lang="en" data-theme="dark">')
  const forged = await open(image.url, BLOCKED, { accept: BROWSER, cookie: 'sluice-theme="><script>' })
  expect(forged.body).toContain('<html lang="en">')
})

it('answers programs, other methods and missing pages as before', async () => {
  const json = await open(image.url, LIMITED, { accept: 'application/json' })
  const posted = await open(`${served.origin}/api/upload`, BLOCKED, { accept: BROWSER, method: 'POST' })
  for (const { headers } of [json, posted]) expect(headers.get('content-type')).not.toContain('text/html')
  const head = await open(image.url, BLOCKED, { accept: BROWSER, method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), head.body]).toEqual([403, 'text/html; charset=utf-8', ''])
})
