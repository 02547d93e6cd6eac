import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { formBody } from '#testing/http/form-body.ts'
import { behindProxy } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let token: string
let png: Buffer
beforeAll(async () => {
  test = await startApp({ ...behindProxy, SLUICE_MAX_UPLOAD: '200kB' })
  token = (await insertToken(test, await test.person(), ['upload'])).token
  png = await picture({ format: 'png', width: 16, height: 12 })
})
afterAll(() => test[Symbol.asyncDispose]())

const MULTIPART = 'multipart/form-data; boundary=xx'

function post(address: string, type: string, body: Buffer | string, headers: Readonly<Record<string, string>> = {}) {
  const all = { 'x-forwarded-for': address, 'content-type': type, ...headers }
  return fetch(`${test.origin}/api/upload`, { method: 'POST', headers: all, body: new Uint8Array(Buffer.from(body)) })
}
const told = async (answer: Response) => [answer.status, (await answer.json()).error]
const authorized = () => ({ authorization: `Bearer ${token}` })

describe('a request without a token', () => {
  it('is not read if no field can contain a token', async () => {
    for (const type of ['image/png', 'application/octet-stream', 'text/plain'])
      expect(await told(await post('198.51.100.1', type, 'x'))).toEqual([401, 'no-token'])
  })

  it('is read no further than the fields that can contain a token', async () => {
    const field = (bytes: number) => ({ name: 'a', value: 'x'.repeat(bytes) })
    const form = (bytes: number) =>
      formBody('xx', [field(bytes), { name: 'token', value: token }, { name: 'file', filename: 'a.png', value: png }])
    expect(await told(await post('198.51.100.2', MULTIPART, form(150_000)))).toEqual([413, 'request-too-large'])
    expect((await post('198.51.100.2', MULTIPART, form(60_000))).status).toBe(200)
    expect((await post('198.51.100.2', MULTIPART, form(150_000), authorized())).status).toBe(200)
  })
})

it('refuses a void token in a header before the body is read', async () => {
  const answer = await post('198.51.100.3', 'application/json', '?', { 'x-api-key': 'slu_void' })
  expect(await told(answer)).toEqual([401, 'void-token'])
})

it('limits requests without a file by address', async () => {
  const refused: readonly (readonly [string, string, Record<string, string>, number])[] = [
    [MULTIPART, '--xx--\r\n', {}, 400],
    ['image/png', 'x', {}, 401],
    ['multipart/mixed', 'x', authorized(), 415],
    ['application/json', `{"a":"${'x'.repeat(300_000)}"}`, authorized(), 413],
  ]
  const root = await test.person({ role: 'superadmin' })
  await test.as(root).limits.override({
    ruleSet: 'upload-form',
    target: { kind: 'all' },
    terms: { rules: [{ limit: 4, window: '1h' }] },
  })
  for (const [type, body, headers, status] of refused) {
    expect((await post('198.51.100.4', 'image/png', png, authorized())).status).toBe(200)
    expect((await post('198.51.100.4', type, body, headers)).status).toBe(status)
  }
  for (const [type, body, headers] of [...refused, ['image/png', png, authorized()] as const]) {
    const answer = await post('198.51.100.4', type, body, headers)
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([
      429,
      expect.stringContaining('"upload-form-1h";r=0'),
    ])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await post('198.51.100.5', 'image/png', png, authorized())).status).toBe(200)
})

it('reads no more after a file with invalid base64 than after any other refused file', async () => {
  const garbage = { name: 'source', value: '?'.repeat(500_000) }
  const body = formBody('xx', [garbage, { name: 'file', filename: 'a.png', value: png }])
  const answer = await post('198.51.100.6', MULTIPART, body, authorized())
  expect(await told(answer)).toEqual([400, 'bad-base64'])
  const short = formBody('xx', [
    { name: 'source', value: '?'.repeat(100_000) },
    { name: 'file', filename: 'a.png', value: png },
  ])
  expect((await post('198.51.100.6', MULTIPART, short, authorized())).status).toBe(200)
})
