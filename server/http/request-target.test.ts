import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sendRaw } from '#testing/http/raw-http.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { createHttpServer } from './server.ts'

let served: TestApp
let root: Person
let image: StoredImage
let path: string
beforeAll(async () => {
  served = await startApp({ SLUICE_TRUSTED_PROXIES: '127.0.0.1' })
  root = await served.person({ role: 'superadmin' })
  image = await storeImageFor(served, root)
  path = new URL(image.url).pathname
})
afterAll(() => served[Symbol.asyncDispose]())

const headOf = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
  const lines = Object.entries({ Host: 'header.example', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
}
const ask = (...request: Parameters<typeof headOf>) => sendRaw(served.origin, headOf(...request))

test.each([
  ['http://target.example/a?b=http://c/', 'target.example', '/a?b=http://c/'],
  ['HTTPS://Target.example:8443/', 'Target.example:8443', '/'],
  ['http://[2001:db8::1]:80', '[2001:db8::1]:80', '/'],
  ['http://target.example?b', 'target.example', '/?b'],
  ['http://target.example//a', 'target.example', '//a'],
])('the target %s has the host %s and the path %s', async (target, host, url) => {
  await using server = createHttpServer(served.app, async (req, res) => {
    const body = JSON.stringify([req.url, req.headers.host, req.headersDistinct.host])
    res.setHeader('Content-Length', body.length).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const { body } = await sendRaw(`http://127.0.0.1:${port}`, headOf(target))
  expect(JSON.parse(body)).toEqual([url, host, [host]])
})

test.each([
  'http://',
  'http:///a',
  'http://user@target.example/',
  'http://a\\b/',
  'http://a:b/',
  'ftp://target.example/',
  'a',
  '*',
])('the target %s is invalid', async (target) => {
  expect((await ask(target)).status).toBe(400)
})

describe('a target in absolute form is handled like its path:', () => {
  test('bytes, calls and upload routes', async () => {
    for (const target of [path, '/healthz', '/api/trpc/account.me', '/api/upload', '/api/v1/x']) {
      const [{ status, body }, whole] = [await ask(target), await ask(`http://target.example${target}`)]
      expect(status).not.toBe(400)
      const withoutId = (text: string) => text.replace(/[\da-f]{8}-[\da-f-]{27}/g, '')
      expect([target, whole.status, withoutId(whole.body)]).toEqual([target, status, withoutId(body)])
    }
  })

  test('blocked addresses', async () => {
    const api = served.as(root, '203.0.113.7').access
    await api.setRule({ cidr: '198.51.100.0/24', verdict: 'deny' })
    const from = { 'X-Forwarded-For': '198.51.100.1' }
    expect((await ask(`http://127.0.0.1${path}`, from)).status).toBe(403)
    expect((await ask('http://127.0.0.1/healthz', from)).status).toBe(403)
    await api.removeRule({ cidr: '198.51.100.0/24' })
  })

  test('hotlinks', async () => {
    const api = served.as(root).access
    await api.setHotlink({ isOn: true, sites: [], allowsEmpty: true, answer: 'refusal' })
    // Header and target both name the embedding page's host, which must not make it this site's own.
    const headers = { Referer: 'http://evil.example/', Host: 'evil.example' }
    expect((await ask(`http://evil.example${path}`, headers)).status).toBe(403)
    await api.setHotlink({ isOn: false, sites: [], allowsEmpty: true, answer: 'refusal' })
  })

  test('requests from foreign pages', async () => {
    const json = { 'Content-Type': 'application/json', 'Content-Length': '0', Cookie: root.cookie }
    const target = 'http://evil.example/api/trpc/account.signOutEverywhere'
    const from = (origin: string) => ask(target, { ...json, Origin: origin, Host: 'evil.example' }, 'POST')
    expect((await from('http://evil.example')).status).toBe(403)
    expect((await from(served.origin)).status).toBe(200)
  })

  test('limits per address', async () => {
    await served.as(root).limits.override({
      ruleSet: 'download',
      target: { kind: 'all' },
      terms: { rules: [{ limit: 2, window: '1h' }] },
    })
    const from = { 'X-Forwarded-For': '203.0.113.99' }
    const targets = [path, `http://a.example${path}`, `http://b.example${path}`, path]
    const statuses: number[] = []
    for (const target of targets) statuses.push((await ask(target, from)).status)
    expect(statuses).toEqual([200, 200, 429, 429])
  })
})
