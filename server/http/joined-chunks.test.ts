import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { sendRaw } from '#testing/http/raw-http.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { joinChunks } from './joined-chunks.ts'

/** Sends a body in chunks of `chunkBytes`, and returns the chunks received. */
async function received(body: Buffer, chunkBytes: number, read: (req: IncomingMessage) => void): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  const server = createServer((req, res) => {
    joinChunks(req)
    read(req)
    req.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => res.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const socket = connect(address.port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n')
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes)
    socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]))
  }
  socket.write('0\r\n\r\n')
  socket.resume()
  await once(socket, 'close')
  server.close()
  return chunks
}

const body = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7) & 0xff))

test('joins one-byte chunks to the size of a socket read', async () => {
  const chunks = await received(body, 1, () => undefined)
  expect(Buffer.concat(chunks).equals(body)).toBe(true)
  expect(chunks.length).toBeLessThan(200)
})

test('passes on the whole body when its reader is late or its chunks are large', async () => {
  const late = (req: IncomingMessage) => {
    req.pause()
    setImmediate(() => req.resume())
  }
  expect(Buffer.concat(await received(body, 1, late)).equals(body)).toBe(true)
  const large = Buffer.alloc(3_000_000, 'sluice')
  expect(Buffer.concat(await received(large, 700_000, late)).equals(large)).toBe(true)
})

test('receives no body that is not read, however small its chunks', async () => {
  const requests = Promise.withResolvers<IncomingMessage>()
  const server = createServer((req) => {
    req.pause()
    joinChunks(req)
    requests.resolve(req)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const socket = connect(address.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  socket.write('1\r\na\r\n'.repeat(1_000_000))
  const req = await requests.promise
  await expect.poll(() => req.readableLength).toBeGreaterThanOrEqual(req.readableHighWaterMark)
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(req.readableLength).toBeLessThan(2 * req.readableHighWaterMark)
  // It continues when the reader starts.
  let bytes = 0
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  req.resume()
  await expect.poll(() => bytes).toBe(1_000_000)
  socket.destroy()
  server.close()
})

test.each(['application/json', 'application/octet-stream'])(
  'a call whose body is %s in chunks of a byte is queued as a few pieces',
  async (type) => {
    await using served = await startApp()
    const enqueue = vi.spyOn(ReadableStreamDefaultController.prototype, 'enqueue')
    const person = await served.person()
    const head = `POST /api/trpc/image.upload HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\nContent-Type: ${type}\r\n`
    const answer = await sendRaw(
      served.origin,
      `${head}Transfer-Encoding: chunked\r\n\r\n`,
      `${'1\r\n1\r\n'.repeat(5_000)}0\r\n\r\n`,
    )
    expect(answer.status).toBe(type === 'application/json' ? 400 : 415)
    const pieces = enqueue.mock.calls.flatMap(([piece]) => (piece instanceof Uint8Array ? [piece.byteLength] : []))
    enqueue.mockRestore()
    expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBe(5_000)
    expect(pieces.length).toBeLessThan(50)
  },
)
