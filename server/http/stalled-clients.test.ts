import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { createHttpServer } from './server.ts'

/** More than the kernel takes from a server whose client reads nothing. */
const BYTES = 40_000_000

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp()
  owner = await served.person()
})
afterAll(() => served[Symbol.asyncDispose]())
afterEach(() => void vi.useRealTimers())

/** Sends a request whose answer is not read. */
async function askWithoutReading(url: string): Promise<Socket> {
  const { port, pathname, search } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return socket
}

/** How the connection ends for a client that begins to read: one that was only closed gives the bytes in the kernel first. */
async function endOf(socket: Socket): Promise<unknown> {
  let problem: unknown = null
  socket.on('error', (error) => {
    problem = error
  })
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  return problem
}

test('a client that stops reading an image or a zip is reset after a minute', async () => {
  const { id, url } = await storeImageFor(served, owner, { bytes: Buffer.alloc(BYTES, 'a') })
  const zip = await served.as(owner).image.downloadMany({ ids: [id] })
  for (const address of [url, zip.url]) {
    const connected = once(served.server, 'connection')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const socket = await askWithoutReading(address)
    const [peer]: Socket[] = await connected
    let written = -1
    const isFull = () => {
      const before = written
      written = peer?.bytesWritten ?? 0
      return written > 100_000 && written === before
    }
    await expect.poll(isFull, { interval: 200, timeout: 10_000 }).toBe(true)
    await vi.advanceTimersByTimeAsync(61_000)
    vi.useRealTimers()
    await expect.poll(() => peer?.destroyed).toBe(true)
    expect(await endOf(socket)).toMatchObject({ code: 'ECONNRESET' })
  }
})

test('so is one that stops reading anything else, as soon as its connection counts as stalled', async () => {
  const server = createHttpServer(served.app, async (_req, res) => void res.end(Buffer.alloc(BYTES)))
  server.setTimeout(300).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const connected = once(server, 'connection')
  const socket = await askWithoutReading(`http://127.0.0.1:${address.port}/page`)
  const [peer]: Socket[] = await connected
  await expect.poll(() => peer?.destroyed, { timeout: 10_000 }).toBe(true)
  server.close()
  expect(await endOf(socket)).toMatchObject({ code: 'ECONNRESET' })
})
