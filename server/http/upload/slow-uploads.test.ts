import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { behindProxy, everythingKept, read } from '#testing/http/image-client.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const SOCKETS = 200
/** Long enough for a busy machine to accept half of them before the first one times out. */
const REQUEST_MS = 24_000

/** An upload that sends one byte at a time until the server closes the connection. */
function trickle({ origin }: TestApp, cookie: string): Socket {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const head = ['POST /api/trpc/image.upload HTTP/1.1', 'Host: localhost', `Cookie: ${cookie}`]
  const body = ['Content-Type: application/octet-stream', 'Content-Length: 1000000', '', '']
  socket.write([...head, ...body].join('\r\n'))
  const beat = setInterval(() => socket.write('x'), 100)
  socket.on('error', () => undefined).resume()
  socket.once('close', () => clearInterval(beat))
  return socket
}

test('two hundred uploads of one byte at a time time out, leave nothing, and do not delay others', async () => {
  await using served = await startApp(behindProxy, { requestMs: REQUEST_MS })
  const unfinished = async () => (await readdir(join(served.dataDir, 'tmp'))).length
  // A superadmin is unlimited, so all of them are accepted.
  const sender = await served.person({ role: 'superadmin' })
  const image = await storeImageFor(served, sender)
  const kept = await everythingKept(served)
  const counted = async () => {
    const { stored, days } = await served.as(sender).budget.overview()
    return { stored, days: days.map(({ writes, bytesIn }) => [writes, bytesIn]) }
  }
  const before = await counted()
  // Unused leases of budgets would be returned after half a minute and change the counts.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const sockets = Array.from({ length: SOCKETS }, () => trickle(served, sender.cookie))
  const closed = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  await expect.poll(unfinished, { timeout: REQUEST_MS }).toBeGreaterThanOrEqual(SOCKETS / 2)
  for (let time = 0; time < 50; time += 1) {
    const answer = await read(image.url)
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, image.bytes.length])
  }
  await closed
  await expect.poll(unfinished).toBe(0)
  expect(await counted()).toEqual(before)
  expect(await everythingKept(served)).toEqual(kept)
})
