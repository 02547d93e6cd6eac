import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { chunked, formBody } from '#testing/http/form-body.ts'
import { everythingKept, sendUpload } from '#testing/http/image-client.ts'
import { type RawAnswer, sendRaw } from '#testing/http/raw-http.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const MAX = 200 * 1024
const LARGE = Buffer.alloc(312 * 1024)
const words = 'photo.png is too large: 312 KiB. The limit is 200 KiB.'
const MULTIPART = 'multipart/form-data; boundary=xx'

let test: TestApp
let person: Person
let token: string
beforeAll(async () => {
  test = await startApp({ SLUICE_MAX_UPLOAD: '200kB' })
  person = await test.person()
  token = (await insertToken(test, person, ['upload'])).token
})
afterAll(() => test[Symbol.asyncDispose]())

const file = (value: Buffer, filename = 'photo.png') => ({ name: 'file', filename, type: 'image/png', value })

function send(line: string, body: Buffer | string, ...headers: readonly string[]): Promise<RawAnswer> {
  const length = headers.some((each) => /^(Content-Length|Transfer-Encoding):/.test(each))
    ? []
    : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...headers, ...length, '', '']
  return sendRaw(test.origin, lines.join('\r\n'), body)
}

const told = ({ status, body }: RawAnswer) => [status, JSON.parse(body).error, JSON.parse(body).message]

describe('refuses a file that is too large with its size and the limit:', () => {
  it.each([
    ['alone', () => send('PUT /api/upload/photo.png', LARGE)],
    ['alone, above the limit of a request', () => send('PUT /api/upload/photo.png', '', `Content-Length: ${9 * MAX}`)],
    [
      'alone, without its length',
      () => send('PUT /api/upload/photo.png', chunked(LARGE), 'Transfer-Encoding: chunked'),
    ],
    ['in a form', () => send('POST /api/upload', formBody('xx', [file(LARGE)]), `Content-Type: ${MULTIPART}`)],
    [
      'in base64',
      () =>
        send(
          'POST /api/upload?filename=photo.png',
          JSON.stringify({ file: LARGE.toString('base64') }),
          'Content-Type: application/json',
        ),
    ],
  ])('%s', async (name, sent) => {
    const size = name.includes('above') ? '1.8 MiB' : '312 KiB'
    expect(told(await sent())).toEqual([413, 'too-large', `photo.png is too large: ${size}. The limit is 200 KiB.`])
  })

  it('for Lsky, for Chevereto and as text, each in its own format', async () => {
    const form = formBody('xx', [file(LARGE)])
    const type = `Content-Type: ${MULTIPART}`
    const lsky = await send('POST /api/v1/upload', form, type)
    expect(JSON.parse(lsky.body)).toEqual({ status: false, error: 'too-large', message: words, data: {} })
    const chevereto = await send('POST /api/1/upload', form, type)
    expect(JSON.parse(chevereto.body)).toMatchObject({ status_code: 413, error: { message: words, code: 'too-large' } })
    const text = await send('PUT /api/upload/photo.png', LARGE, 'Accept: text/plain')
    expect([text.status, text.body.trimEnd()]).toEqual([413, words])
  })

  it('in image.upload', async () => {
    const answer = await sendUpload(test, person, LARGE, { headers: { 'x-file-name': 'photo.png' } })
    expect([answer.status, (await answer.json()).error]).toMatchObject([
      413,
      { message: words, data: { reason: 'too-large' } },
    ])
  })
})

it('calls a file without a name “The file”, and omits an unknown size', async () => {
  expect(told(await send('POST /api/upload', LARGE, 'Content-Type: image/png'))[2]).toBe(
    'The file is too large: 312 KiB. The limit is 200 KiB.',
  )
  const form = formBody('xx', [file(Buffer.alloc(3 * MAX))])
  expect(told(await send('POST /api/upload', form, `Content-Type: ${MULTIPART}`))).toEqual([
    413,
    'too-large',
    'photo.png is too large. The limit is 200 KiB.',
  ])
})

it('names a file once in the line of a text response', async () => {
  const png = await picture({ format: 'png', width: 24, height: 16, seed: 5 })
  const form = formBody('xx', [file(LARGE), file(png, 'small.png')])
  const { status, body } = await send('POST /api/upload?format=txt', form, `Content-Type: ${MULTIPART}`)
  const [first, second] = body.trimEnd().split('\n')
  expect([status, first]).toEqual([200, 'refused: photo.png: is too large: 312 KiB. The limit is 200 KiB.'])
  expect(second).toMatch(/\/i\/[A-Za-z0-9_-]{22}\.png$/)
})

it('refuses a form that is too large with its size, its limit and the limit of a file', async () => {
  const answer = await send('POST /api/upload', '', `Content-Type: ${MULTIPART}`, `Content-Length: ${5 * MAX}`)
  expect(told(answer)).toEqual([
    413,
    'request-too-large',
    'The request is too large: 1,000 KiB. The limit is 800 KiB, and 200 KiB for each file. Send the files one by one.',
  ])
})

it('reads a form without a length up to its limit, and stores the complete files before it', async () => {
  const pngs = await Promise.all([6, 7].map((seed) => picture({ format: 'png', width: 300, height: 240, seed })))
  expect(pngs.every(({ length }) => length > 0.8 * MAX && length < MAX)).toBe(true)
  const many = Array.from({ length: 6 }, (_, at) => file(pngs[at % 2] ?? Buffer.alloc(0), `${at}.png`))
  const form = chunked(formBody('xx', many))
  const type = `Content-Type: ${MULTIPART}`
  const { status, body } = await send('POST /api/upload?visibility=link', form, type, 'Transfer-Encoding: chunked')
  const { stored, files, unread } = JSON.parse(body)
  const told = files.map(({ error, visibility }: { error?: string; visibility?: string }) => error ?? visibility)
  expect([status, stored, unread, told]).toEqual([200, 4, true, [...Array(4).fill('link'), 'request-too-large']])
  expect((await everythingKept(test)).unfinished).toEqual([])
})
