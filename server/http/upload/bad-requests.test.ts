import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { chunked, formBody } from '#testing/http/form-body.ts'
import { everythingKept } from '#testing/http/image-client.ts'
import { type RawAnswer, sendRaw } from '#testing/http/raw-http.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const MAX = 200 * 1024

let test: TestApp
let png: Buffer
let person: Person
let token: string
beforeAll(async () => {
  test = await startApp({ SLUICE_MAX_UPLOAD: '200kB' })
  png = await picture({ format: 'png', width: 64, height: 48 })
})
afterAll(() => test[Symbol.asyncDispose]())

async function newClient() {
  person = await test.person()
  token = (await insertToken(test, person, ['upload', 'manage'])).token
}
beforeAll(newClient)

/** Asserts that `act` leaves nothing behind. */
async function leavesNothing<T>(act: () => Promise<T>): Promise<T> {
  const before = await everythingKept(test)
  const answer = await act()
  await expect.poll(() => everythingKept(test)).toEqual(before)
  return answer
}

interface Sent {
  readonly type?: string | null
  readonly path?: string
  readonly method?: string
  readonly headers?: readonly string[]
  readonly length?: number
}

function post(
  body: Buffer | string,
  { type = null, path = '/api/upload', method = 'POST', headers = [], length }: Sent = {},
) {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${length ?? Buffer.byteLength(body)}`,
    ...headers,
    '',
    '',
  ]
  return sendRaw(test.origin, lines.join('\r\n'), body)
}

const told = (answer: RawAnswer) => [answer.status, JSON.parse(answer.body).error]
const MULTIPART = 'multipart/form-data; boundary=xx'
const file = (value: Buffer | string, filename = 'a.png') => ({ name: 'file', filename, type: 'image/png', value })
const form = (...parts: Parameters<typeof formBody>[1]) => formBody('xx', parts)

describe('refuses a malformed request and leaves nothing:', () => {
  it.each<readonly [string, number, string, () => Buffer | string, Sent]>([
    ['no body', 422, 'empty', () => '', {}],
    ['an empty image', 422, 'empty', () => '', { type: 'image/png' }],
    ['no boundary', 400, 'no-boundary', () => form(file(png)), { type: 'multipart/form-data' }],
    ['another boundary', 400, 'incomplete', () => form(file(png)), { type: 'multipart/form-data; boundary=yy' }],
    ['a form without parts', 400, 'no-file', () => '--xx--\r\n', { type: MULTIPART }],
    ['a form without files', 400, 'no-file', () => form({ name: 'a', value: 'b' }), { type: MULTIPART }],
    ['a part without an end', 400, 'incomplete', () => form(file(png)).subarray(0, -9), { type: MULTIPART }],
    ['an empty file', 422, 'empty', () => form(file('')), { type: MULTIPART }],
    [
      'two thousand fields',
      413,
      'too-many-fields',
      () => form(...Array.from({ length: 2_000 }, () => ({ name: 'a', value: 'b' }))),
      { type: MULTIPART },
    ],
    [
      'a head of 64 kB',
      400,
      'no-file',
      () => form({ name: 'x'.repeat(65_536), filename: 'a.png', value: png }),
      { type: MULTIPART },
    ],
    [
      'a field of 300 kB',
      413,
      'request-too-large',
      () => form({ name: 'a', value: 'x'.repeat(300_000) }),
      { type: MULTIPART },
    ],
    ['text in a file', 415, 'not-an-image', () => form(file('<svg/>')), { type: MULTIPART }],
    ['a damaged file', 422, 'undecodable', () => form(file(png.subarray(0, 900))), { type: MULTIPART }],
    ['text', 415, 'unsupported-content-type', () => 'hello', { type: 'text/plain' }],
    ['XML', 415, 'unsupported-content-type', () => '<a/>', { type: 'application/xml' }],
    [
      'a form of another type',
      415,
      'unsupported-content-type',
      () => form(file(png)),
      { type: 'multipart/mixed; boundary=xx' },
    ],
    ['no JSON', 400, 'bad-json', () => 'file', { type: 'application/json' }],
    ['JSON without a file', 400, 'no-file', () => '{"a":"b"}', { type: 'application/json' }],
    [
      'JSON with a file that is no text',
      400,
      'no-file',
      () => '{"file":{"data":"QUJD"}}',
      { type: 'application/json' },
    ],
    ['no base64', 400, 'bad-base64', () => '{"file":"?"}', { type: 'application/json' }],
    ['base64 of no image', 415, 'not-an-image', () => '{"file":"QUJDREVGRw=="}', { type: 'application/json' }],
    [
      'an address',
      400,
      'no-url',
      () => 'source=http%3A%2F%2F127.0.0.1%2F',
      { type: 'application/x-www-form-urlencoded' },
    ],
    [
      'an address in a multipart form',
      400,
      'no-url',
      () => form({ name: 'source', value: 'https://example.org/a.png' }),
      { type: MULTIPART },
    ],
    [
      'a file over the limit that states its length',
      413,
      'too-large',
      () => Buffer.alloc(MAX + 1),
      { type: 'image/png' },
    ],
    ['a file over the limit in a form', 413, 'too-large', () => form(file(Buffer.alloc(MAX + 1))), { type: MULTIPART }],
    [
      'base64 over the cap',
      413,
      'too-large',
      () => JSON.stringify({ file: 'A'.repeat(2 * MAX) }),
      { type: 'application/json' },
    ],
    [
      'a request over the limit for all files',
      413,
      'request-too-large',
      () => '',
      { type: MULTIPART, length: 4 * MAX + 1 },
    ],
    ['an invalid visibility', 400, 'bad-request', () => png, { path: '/api/upload?visibility=all' }],
    ['a name in a broken encoding', 400, 'bad-request', () => png, { headers: ['X-File-Name: %zz'] }],
  ])('%s', async (_, status, error, body, sent) => {
    await newClient()
    expect(told(await leavesNothing(() => post(body(), sent)))).toEqual([status, error])
  })

  it('a body over the limit that states no length', () =>
    leavesNothing(async () => {
      const head = [
        'POST /api/upload HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${token}`,
        'Content-Type: image/png',
      ]
      const more = ['Transfer-Encoding: chunked', '', '']
      const answer = await sendRaw(test.origin, [...head, ...more].join('\r\n'), chunked(Buffer.alloc(MAX + 100_000)))
      expect(told(answer)).toEqual([413, 'too-large'])
    }))
})

it('removes folders, zero bytes and bidirectional controls from a file name', async () => {
  await newClient()
  const names = [
    '../../etc/passwd.png',
    'C:\\Bilder\\a.png',
    'evil\u202egnp.exe',
    'zero\0.png',
    '',
    '..',
    `${'n'.repeat(400)}.png`,
  ]
  const kept: string[] = []
  for (const [seed, name] of names.entries()) {
    const answer = await post(
      form(file(await picture({ format: 'png', width: 8, height: 8, seed: 100 + seed }), name)),
      { type: MULTIPART },
    )
    kept.push(`${answer.status} ${JSON.parse(answer.body).filename}`)
  }
  const long = `${'n'.repeat(196)}.png`
  expect(kept).toEqual(
    ['passwd.png', 'a.png', 'evilgnp.exe', 'zero.png', 'image.png', 'image.png', long].map((name) => `200 ${name}`),
  )
})

it('escapes file names in HTML, BBCode and Markdown links', async () => {
  await newClient()
  const parts = [
    file(await picture({ format: 'png', width: 8, height: 8, seed: 77 }), "a](x)<img src=x onerror='1'>.png"),
  ]
  const { data, url } = JSON.parse((await post(form(...parts), { type: MULTIPART })).body)
  expect(data.links).toMatchObject({
    html: `<img src="${url}" alt="a](x)&lt;img src=x onerror='1'&gt;.png">`,
    markdown: `![a\\](x)\\<img src=x onerror='1'\\>.png](${url})`,
  })
})

describe('stores nothing when a client disconnects in the middle of:', () => {
  const head = (type: string, length: number) =>
    [
      'POST /api/upload HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${type}`,
      `Content-Length: ${length}`,
      '',
      '',
    ].join('\r\n')

  it.each([
    ['a file', 'image/png', () => png],
    ['a form', MULTIPART, () => form(file(png))],
    ['JSON', 'application/json', () => Buffer.from(JSON.stringify({ file: png.toString('base64') }))],
    [
      'a form with escapes',
      'application/x-www-form-urlencoded',
      () => Buffer.from(`file=${encodeURIComponent(png.toString('base64'))}`),
    ],
  ])('%s', async (_, type, bodyOf) => {
    await newClient()
    const body = bodyOf()
    const errors = vi.spyOn(test.app.log, 'error')
    await leavesNothing(async () => {
      for (const share of [0.01, 0.5, 0.99]) {
        const decided = vi.spyOn(test.app.limiter, 'reserve')
        const socket = connect(Number(new URL(test.origin).port), '127.0.0.1')
        socket.on('error', () => undefined)
        socket.write(
          Buffer.concat([Buffer.from(head(type, body.length)), body.subarray(0, Math.ceil(body.length * share))]),
        )
        // The body is accepted once enough has arrived to show that there is a file.
        if (share > 0.1 || type === 'image/png') await expect.poll(() => decided.mock.calls.length).toBe(1)
        socket.destroy()
        decided.mockRestore()
      }
    })
    expect(errors).not.toHaveBeenCalled()
    errors.mockRestore()
  })
})

it('accepts a body that arrives in tiny pieces', async () => {
  await newClient()
  const body = form(file(await picture({ format: 'png', width: 8, height: 8, seed: 55 })))
  const socket = connect(Number(new URL(test.origin).port), '127.0.0.1')
  socket.setNoDelay(true)
  const answered = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))
  const lines = ['POST /api/upload HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`, `Content-Type: ${MULTIPART}`]
  socket.write([...lines, `Content-Length: ${body.length}`, '', ''].join('\r\n'))
  for (let at = 0; at < body.length; at += 7) {
    socket.write(body.subarray(at, at + 7))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await answered).split('\r\n')[0]).toBe('HTTP/1.1 200 OK')
  socket.destroy()
})

it('answers internal failures with the request ID and without details', async () => {
  await newClient()
  const secret = 'postgres://user:password@10.1.2.3/db bucket-name at Object.<anonymous>'
  const receive = vi.spyOn(test.app.images, 'receive').mockRejectedValue(new Error(secret))
  for (const path of ['/api/upload', '/api/v1/upload', '/api/1/upload', '/api/upload?format=txt']) {
    const answer = await leavesNothing(() => post(png, { type: 'image/png', path }))
    expect(answer.status).toBe(500)
    expect(answer.body).not.toMatch(/postgres|password|10\.1|bucket|Object|\.ts/)
    expect(answer.body).toContain('Something went wrong on our side.')
    if (!path.includes('txt')) expect(answer.body).toContain(answer.headers['x-request-id'])
  }
  receive.mockRestore()
  const findViewer = vi.spyOn(test.app, 'findViewer').mockRejectedValue(new Error(secret))
  const answer = await post(png, { type: 'image/png' })
  expect([answer.status, answer.body.includes('postgres')]).toEqual([500, false])
  findViewer.mockRestore()
})
