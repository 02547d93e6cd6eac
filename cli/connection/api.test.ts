import { once } from 'node:events'
import { mkdtempDisposableSync, openAsBlob, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandFailed } from '../command.ts'
import { createApi, watchBody } from './api.ts'
import { findSetback, ItemFailed, toFinalFailure } from './server-error.ts'

/** Something that answers HTTP. */
async function startServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  const end = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${address.port}`, [Symbol.dispose]: end }
}

const catchError = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

const upload = (url: string, body: Blob) =>
  createApi(url, { authorization: 'Bearer slu_x' }).image.upload.mutate(body, {
    context: { headers: { 'x-file-name': 'a' } },
  })

test('sends a body in chunks, with its length and headers', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-api-'))
  const path = join(folder.path, 'a')
  writeFileSync(path, Buffer.alloc(300_000))
  let received = 0
  using server = await startServer((req, res) => {
    req.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    req.on('end', () =>
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ result: { data: req.headers } })),
    )
  })
  let moved = 0
  const body = watchBody(await openAsBlob(path), (bytes) => {
    moved += bytes
  })
  expect(await upload(server.url, body)).toMatchObject({
    'content-length': '300000',
    'content-type': 'application/octet-stream',
    'x-file-name': 'a',
    authorization: 'Bearer slu_x',
    'user-agent': 'sluice-cli',
  })
  expect([received, moved]).toEqual([300_000, 300_000])
})

test('a file that changes while it is sent fails, and no other', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-api-'))
  const path = join(folder.path, 'a')
  writeFileSync(path, Buffer.alloc(3_000))
  const body = await openAsBlob(path)
  writeFileSync(path, 'another')
  using server = await startServer((req) => void req.resume())
  const error = await catchError(upload(server.url, body))
  expect([findSetback(error), toFinalFailure(error)]).toEqual([
    null,
    new ItemFailed('The file changed or became unreadable while it was being sent.'),
  ])
})

test('follows no redirect to another server, and sends no token there', async () => {
  using server = await startServer(
    (_req, res) => void res.writeHead(308, { location: 'https://other.example/api' }).end(),
  )
  const error = await catchError(createApi(server.url, {}).account.me.query())
  expect(toFinalFailure(error)).toEqual(
    new CommandFailed('usage', `${server.url} redirects to https://other.example. Use that address.`),
  )
})

test('retries an error of a proxy', async () => {
  using server = await startServer(
    (_req, res) => void res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  )
  const error = await catchError(createApi(server.url, {}).account.me.query())
  expect(findSetback(error)).toEqual({ kind: 'lost', waitMs: null, why: 'HTTP status 502' })
})
