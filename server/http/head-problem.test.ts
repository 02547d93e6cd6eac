import { afterAll, beforeAll, expect, test } from 'vitest'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { sendRaw } from '#testing/http/raw-http.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let image: string
beforeAll(async () => {
  served = await startApp(behindProxy)
  const { url } = await storeImageFor(served, await served.person(), { visibility: 'public' })
  // Twice, so that guests get it by the fast path.
  for (let time = 0; time < 2; time += 1) expect((await read(url)).status).toBe(200)
  image = new URL(url).pathname
})
afterAll(() => served[Symbol.asyncDispose]())

const send = (line: string, headers = '') => sendRaw(served.origin, `${line}\r\n${headers}\r\n`)

test('a request without a host is refused, with the security headers', async () => {
  for (const path of ['/healthz', '/api/trpc/account.me', image]) {
    const { status, headers, body } = await send(`GET ${path} HTTP/1.1`)
    expect([status, body]).toEqual([400, '{"error":"The request needs a Host header."}'])
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  }
})

test('a host that is none is refused, and charged to its address', async () => {
  for (const host of ['a b', '[', 'x:99999', 'a@b', 'a/b', '\\'])
    for (const path of ['/healthz', '/api/trpc/account.me']) {
      const { status, headers, body } = await send(`GET ${path} HTTP/1.1`, `Host: ${host}\r\n`)
      expect([status, body]).toEqual([400, '{"error":"The Host header names no host."}'])
      expect(headers.ratelimit).toContain('"invalid-request-1m"')
    }
  for (const host of ['localhost', '[::1]:3000', '127.0.0.1:80', 'images.example.org.'])
    expect((await send('GET /api/trpc/site.public HTTP/1.1', `Host: ${host}\r\n`)).status).toBe(200)
})

test('TRACE is refused on every path', async () => {
  for (const path of ['/', '/healthz', '/api/trpc/account.me', '/api/upload', image]) {
    const { status, headers } = await send(`TRACE ${path} HTTP/1.1`, 'Host: x\r\n')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  }
})

test('more than a thousand headers are refused, so that they cannot hide the address that a proxy adds', async () => {
  const { status } = await send(
    `GET ${image} HTTP/1.1`,
    `Host: x\r\n${'a:\r\n'.repeat(1_000)}X-Forwarded-For: 198.51.100.9\r\n`,
  )
  expect(status).toBe(431)
})
