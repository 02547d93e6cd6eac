import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { toCaller } from '#server/accounts/viewer.ts'
import { behindProxy } from '#testing/http/image-client.ts'
import { sendRaw } from '#testing/http/raw-http.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { invalidRequestsRoute } from './invalid-request.ts'

let served: TestApp
let person: Person
beforeAll(async () => {
  served = await startApp(behindProxy)
  // Valid calls of a superadmin are not limited, however many tests make one within a second.
  person = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

let addresses = 0
function nextAddress(): string {
  addresses += 1
  // Of a network of its own.
  return `198.51.${addresses}.1`
}

/** Charges invalid requests to an address. */
async function spend(address: string, cost: number): Promise<void> {
  await served.app.limiter.reserve([{ sets: invalidRequestsRoute.sets, caller: toCaller(null, address), cost }])
}

function send(path: string, address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { cookie: person.cookie, 'x-forwarded-for': address, 'content-type': 'application/json' }
  return fetch(`${served.origin}${path}`, { ...init, headers: { ...headers, ...init.headers } })
}

const post = { method: 'POST', body: '{}' }
const invalid: readonly (readonly [string, string, RequestInit, number])[] = [
  ['an unknown procedure', '/api/trpc/image.nothing', {}, 404],
  ['a batch of unknown procedures', `/api/trpc/${Array(20).fill('a.b').join(',')}?batch=1`, {}, 404],
  ['a batch with one', '/api/trpc/account.me,a.b?batch=1', {}, 207],
  ['a batch of too many', `/api/trpc/${Array(21).fill('account.me').join(',')}?batch=1`, {}, 400],
  ['a batch of two kinds', '/api/trpc/account.me,limits.live?batch=1', {}, 400],
  ['a list of procedures without a batch', '/api/trpc/account.me,account.me?batch=0&batch=1', {}, 404],
  [
    'a list of mutations with a body for one',
    '/api/trpc/share.open,share.open?batch=1',
    { ...post, headers: { 'content-type': 'application/octet-stream' } },
    404,
  ],
  ['a call with parameters of a connection', '/api/trpc/account.me?connectionParams=%7B', {}, 400],
  [
    'a body of a type that is not read',
    '/api/trpc/share.open',
    { ...post, headers: { 'content-type': 'text/plain' } },
    415,
  ],
  ['a query with a file', '/api/trpc/account.me', { headers: { 'content-type': 'application/octet-stream' } }, 405],
  ['a query by HEAD', '/api/trpc/account.me', { method: 'HEAD' }, 204],
  ['a mutation by GET', '/api/trpc/account.changePassword', {}, 405],
  ['a query by POST', '/api/trpc/account.me', post, 405],
  ['a call by another method', '/api/trpc/account.me', { method: 'PATCH', body: '{}' }, 405],
  [
    'a mutation from another site',
    '/api/trpc/account.signOutEverywhere',
    { ...post, headers: { origin: 'https://evil.example' } },
    403,
  ],
  ['an unknown endpoint', '/api/nothing', {}, 404],
  ['a wrong method of an upload route', '/api/upload', { method: 'DELETE' }, 405],
  ['a wrong method for an image', `/i/${'A'.repeat(22)}.png`, { method: 'DELETE' }, 405],
  ['an address that no image can have', '/i/nothing', {}, 404],
  ['a wrong method for a zip', '/api/zip?x', post, 405],
  ['a wrong method for a picture', `/p/${'a'.repeat(64)}.webp`, post, 405],
  ['a wrong method for a preview', '/api/oembed?url=x', post, 405],
  ['a wrong method for an image of a share', `/i/s/${'A'.repeat(43)}/${'A'.repeat(22)}.png`, post, 405],
  ['a wrong method for a zip of a share', `/i/s/${'A'.repeat(43)}/zip`, post, 405],
  ['an address that no share can have', `/i/s/${'A'.repeat(43)}/nothing`, {}, 404],
  ['an upload of a guest by GET', '/api/trpc/guest.upload', {}, 405],
  [
    'a share opened from another site',
    '/api/trpc/share.open',
    { ...post, headers: { origin: 'https://evil.example' } },
    403,
  ],
]

test.each(invalid)('%s is charged once, and past the limit refused before a session is looked up', async (...row) => {
  const [, path, init, status] = row
  const address = nextAddress()
  await spend(address, 1_199)
  expect((await send(path, address, init)).status).toBe(status)
  const lookUp = vi.spyOn(served.app.db.session, 'findUnique')
  const refused = await send(path, address, init)
  expect([refused.status, refused.headers.get('ratelimit')]).toEqual([
    429,
    expect.stringMatching(/^"invalid-request-1m";r=0;t=\d+, /),
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(lookUp).not.toHaveBeenCalled()
  // Neither are valid calls from the same address refused, nor are they charged.
  expect((await send('/api/trpc/account.me', address)).status).toBe(200)
})

test('a network of many addresses is limited as a whole', async () => {
  const from = (address: string) => send('/api/trpc/a.b', address).then(({ status }) => status)
  for (let at = 0; at < 10; at += 1) await spend(`2001:db8:1:${at}::/64`, 1_200)
  expect(await from('2001:db8:1:ff::1')).toBe(429)
  expect(await from('2001:db8:2:ff::1')).toBe(404)
  expect((await send('/api/trpc/account.me', '2001:db8:1:ff::1')).status).toBe(200)
})

test('valid calls are not charged as invalid', async () => {
  const address = nextAddress()
  const paths = ['/api/trpc/account.me', '/api/trpc/account.me,limits.mine?batch=1', `/i/${'A'.repeat(22)}.png`, '/']
  for (const path of paths) await (await send(path, address)).arrayBuffer()
  const caller = toCaller(null, address)
  const { rules } = await served.app.limiter.peek([{ sets: invalidRequestsRoute.sets, caller }])
  expect(rules.map(({ remaining }) => remaining)).toEqual([1_200, 12_000])
})

test('a request that Node does not parse is answered with the security headers, and past the limit not at all', async () => {
  await using own = await startApp()
  const malformed = 'GET / HTTP/1.1\r\nbad header\r\n\r\n'
  const large = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
  for (const [bytes, status] of [
    [malformed, 400],
    [large, 431],
  ] as const) {
    const answer = await sendRaw(own.origin, bytes)
    expect([answer.status, answer.headers['x-content-type-options'], answer.headers.connection]).toEqual([
      status,
      'nosniff',
      'close',
    ])
  }
  const caller = toCaller(null, '127.0.0.1')
  await own.app.limiter.reserve([{ sets: invalidRequestsRoute.sets, caller, cost: 1_198 }])
  const socket = connect(Number(new URL(own.origin).port), '127.0.0.1')
  socket.end(malformed)
  expect(await Array.fromAsync(socket)).toEqual([])
})
