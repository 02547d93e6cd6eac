import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { freePort } from '#testing/servers/free-port.ts'
import type { HttpAnswer } from '#testing/servers/http-faults.ts'
import { makeS3Scene, type S3Scene, s3Error } from '#testing/servers/s3-scene.ts'
import { unmetered } from '../meter.ts'
import { defaultDeadlines } from './bucket.ts'
import { createS3Store } from './s3.ts'
import type { S3Settings } from './settings.ts'

let scene: S3Scene
beforeEach(async () => {
  scene = await makeS3Scene()
})
afterEach(() => scene[Symbol.asyncDispose]())

/** Returns the startup error or warning; null when there is none. */
async function sentenceFor(change: Partial<S3Settings>, deadlines = defaultDeadlines): Promise<string | null> {
  const store = createS3Store({ ...scene.settings, ...change }, unmetered, deadlines)
  const failure = await store.verify().catch((error: unknown) => error)
  await store.close()
  if (Array.isArray(failure)) return failure[0] ?? null
  expect(failure).toBeInstanceOf(CannotStart)
  return failure instanceof Error ? failure.message.replaceAll(new URL(scene.proxy.endpoint).host, 'HOST') : null
}

test('accepts a working bucket and leaves no probe', async () => {
  expect(await sentenceFor({})).toBeNull()
  expect(scene.proxy.requests.map(({ method }) => method)).toEqual(['PUT', 'GET', 'GET', 'DELETE'])
  const { url } = scene.proxy.requests[0] ?? { url: '' }
  expect(url).toMatch(/^\/sluice-test\/images\/sluice-probe-[0-9a-f-]{36}\?x-id=PutObject$/)
})

test.each<[string, Partial<S3Settings>, string]>([
  ['bucket', { bucket: 'other' }, 'S3_BUCKET: there is no bucket other at HOST. Correct the name.'],
  ['key', { accessKeyId: 'WRONG' }, 'S3_ACCESS_KEY_ID: HOST does not know this key. Copy it again.'],
  ['secret', { secretAccessKey: 'WRONG' }, 'S3_SECRET_ACCESS_KEY does not match S3_ACCESS_KEY_ID. Copy both again.'],
])('names a wrong %s', async (_, change, sentence) => {
  expect(await sentenceFor(change)).toBe(sentence)
})

describe('with an error from the server, startup names', () => {
  const html = { 'content-type': 'text/html' }
  const cases: [string, HttpAnswer, Partial<S3Settings>, string][] = [
    [
      'the right region',
      s3Error(400, 'AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>'),
      {},
      'S3_REGION: the bucket is in eu-west-1, not in us-east-1. Use eu-west-1.',
    ],
    [
      'the right region from a redirect',
      { ...s3Error(301, 'PermanentRedirect'), headers: { 'x-amz-bucket-region': 'eu-west-1' } },
      {},
      'S3_REGION: the bucket is in eu-west-1, not in us-east-1. Use eu-west-1.',
    ],
    [
      'the right endpoint',
      s3Error(301, 'PermanentRedirect', '<Endpoint>b.s3.example.org</Endpoint>'),
      {},
      "S3_ENDPOINT: the bucket's endpoint is b.s3.example.org. Use that, without the bucket's name.",
    ],
    [
      'a wrong region',
      s3Error(400, 'AuthorizationHeaderMalformed'),
      {},
      "S3_REGION: us-east-1 is not the bucket's region. Use the one that your provider shows.",
    ],
    [
      'the path style for a host that expects the bucket in its name',
      s3Error(403, 'SecondLevelDomainForbidden'),
      {},
      "S3_PATH_STYLE: HOST expects the bucket's name before the host. Set it to off.",
    ],
    [
      'the target of a redirect',
      { status: 301, headers: { ...html, location: 'https://s3.example.org/x' }, body: '<html></html>' },
      {},
      'S3_ENDPOINT: http://HOST redirects to https://s3.example.org. Use that.',
    ],
    [
      'a page',
      { status: 404, headers: html, body: '<!doctype html><p>No<br>' },
      {},
      'S3_ENDPOINT: the server at http://HOST does not speak S3 (HTTP 404, text/html). Use the address of the S3 API, with https:// if it supports TLS.',
    ],
    [
      'a port that speaks TLS',
      {
        status: 400,
        headers: { 'content-type': 'text/plain' },
        body: 'Client sent an HTTP request to an HTTPS server.',
      },
      {},
      'S3_ENDPOINT: the server at http://HOST does not speak S3 (HTTP 400, text/plain). Use the address of the S3 API, with https:// if it supports TLS.',
    ],
    [
      'what else it says',
      s3Error(403, 'AccountProblem'),
      {},
      'The bucket sluice-test at HOST refuses to write: No, AccountProblem',
    ],
  ]
  test.each(cases)('%s', async (_, answer, change, sentence) => {
    scene.proxy.fault = () => ({ answer })
    expect(await sentenceFor(change)).toBe(sentence)
  })
})

test('rejects a page that answers everything with 200', async () => {
  scene.proxy.fault = () => ({
    answer: { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello<br>' },
  })
  expect(await sentenceFor({})).toBe(
    'S3_ENDPOINT: the server at http://HOST does not speak S3 (bucket sent no content length). Use the address of the S3 API, with https:// if it supports TLS.',
  )
})

test.each([
  ['write', 's3:PutObject', 'PUT', ''],
  ['read', 's3:GetObject', 'GET', 'x-id=GetObject'],
  ['list', 's3:ListBucket', 'GET', 'list-type'],
  ['delete', 's3:DeleteObject', 'DELETE', ''],
])('names the missing permission of a key that may not %s: %s', async (verb, permission, method, query) => {
  const answer = s3Error(403, 'AccessDenied')
  scene.proxy.fault = (seen) => (seen.method === method && seen.url.includes(query) ? { answer } : null)
  expect(await sentenceFor({})).toBe(
    `The key in S3_ACCESS_KEY_ID is not allowed to ${verb} in the bucket sluice-test. Grant it ${permission}.`,
  )
})

test('corrects for a wrong clock and warns', async () => {
  // Server and test share a clock, so the responses claim that it is later there.
  const later = () => new Date(Date.now() + 20 * 60_000).toUTCString()
  let isFirst = true
  scene.proxy.fault = () => {
    const answer = isFirst ? { answer: s3Error(403, 'RequestTimeTooSkewed') } : {}
    isFirst = false
    return {
      ...answer,
      received: (given) => ({ ...given, headers: { ...given.headers, date: later() } }),
    }
  }
  expect(await sentenceFor({})).toBe("This machine's clock is 20 minutes behind the bucket's. Correct it.")
  expect(scene.proxy.requests[1]?.headers['x-amz-date']).not.toBe(scene.proxy.requests[0]?.headers['x-amz-date'])
})

test('fails to start when the bucket keeps rejecting the clock', async () => {
  scene.proxy.fault = () => ({
    answer: {
      ...s3Error(403, 'RequestTimeTooSkewed'),
      headers: { date: new Date(Date.now() - 60 * 60_000).toUTCString() },
    },
  })
  expect(await sentenceFor({})).toBe("This machine's clock is 60 minutes ahead of the bucket's. Correct it.")
})

describe('an endpoint', () => {
  test("that contains the bucket's name", async () => {
    // The first part of the loopback address stands in for the bucket's name: other names resolve nowhere on some
    // machines.
    const { port } = new URL(scene.proxy.endpoint)
    expect(await sentenceFor({ bucket: '127' })).toBe(
      `S3_ENDPOINT contains the bucket's name. Use http://0.0.1:${port}.`,
    )
  })

  test('whose host does not support virtual hosts', async () => {
    scene.proxy.fault = () => ({ answer: s3Error(404, 'NoSuchBucket') })
    expect(await sentenceFor({ pathStyle: false })).toBe(
      'S3_BUCKET: there is no bucket sluice-test at HOST. Correct the name, or set S3_PATH_STYLE=on if the host expects it in the path.',
    )
  })

  test('that does not exist', async () => {
    expect(await sentenceFor({ endpoint: 'http://s3.invalid' })).toBe(
      'S3_ENDPOINT: there is no host s3.invalid. Correct it.',
    )
    expect(await sentenceFor({ endpoint: 'http://s3.invalid', pathStyle: false })).toBe(
      'S3_ENDPOINT: there is no host sluice-test.s3.invalid. Correct it, or set S3_PATH_STYLE=on.',
    )
  })

  test('where nothing listens', async () => {
    const port = await freePort()
    expect(await sentenceFor({ endpoint: `http://127.0.0.1:${port}` })).toBe(
      `S3_ENDPOINT: nothing listens at 127.0.0.1:${port}. Correct it, or start the server.`,
    )
  })

  test('that does not support TLS', async () => {
    expect(await sentenceFor({ endpoint: scene.proxy.endpoint.replace('http:', 'https:') })).toBe(
      'S3_ENDPOINT: HOST does not support TLS. Use http://HOST.',
    )
  })

  test.each([
    // A TLS alert, as a server sends it when addressed in plain text.
    ['accepts only TLS', Buffer.from('15030100020246', 'hex'), 'does not support plain HTTP. Use https://AT.'],
    ['breaks off', null, 'resets connections. Check what runs there, or use https:// if it supports TLS.'],
  ])('that %s', async (_, bytes, sentence) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => (bytes ? socket.end(bytes) : socket.resetAndDestroy()))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const at = `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : ''}`
    const found = await sentenceFor({ endpoint: `http://${at}` })
    server.close()
    expect(found?.replaceAll(at, 'AT')).toBe(`S3_ENDPOINT: AT ${sentence}`)
  })

  test('that does not respond', async () => {
    scene.proxy.fault = () => ({ end: { how: 'silence', after: null } })
    expect(await sentenceFor({}, { ...defaultDeadlines, upload: 200 })).toMatch(
      /^S3_ENDPOINT: HOST does not respond \(.*\)\. Correct it, or make it reachable from this machine\.$/,
    )
  })
})
