import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const REQUEST_MS = 500
const WHOLE = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const BEGUN = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: '

let served: TestApp
beforeAll(async () => {
  served = await startApp({}, { requestMs: REQUEST_MS })
})
afterAll(() => served[Symbol.asyncDispose]())

interface Client {
  readonly socket: Socket
  readonly text: () => string
  /** The statuses of the answers so far. */
  readonly statuses: () => readonly number[]
}

/** A client that keeps its side of the connection open when the server has ended it. */
function open(): Client {
  const port = Number(new URL(served.origin).port)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  return {
    socket,
    text: () => text,
    statuses: () => [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status)),
  }
}

test.each([
  ['the first', '', [408]],
  ['a later', WHOLE, [200, 408]],
])('the connection of %s head that comes a byte at a time is closed, though the client goes on', async (...row) => {
  const [, before, statuses] = row
  const client = open()
  client.socket.write(before)
  if (before) await expect.poll(client.statuses).toEqual([200])
  client.socket.write(BEGUN)
  const drip = setInterval(() => client.socket.write('x'), REQUEST_MS / 20)
  await expect.poll(() => client.socket.closed).toBe(true)
  clearInterval(drip)
  expect(client.statuses()).toEqual(statuses)
  expect(client.text()).toMatch(/ 408 .+\r\nX-Content-Type-Options: nosniff\r\n/s)
})

const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
const READ = 'GET /api/trpc/account.me HTTP/1.1\r\nHost: x\r\n\r\n'

describe.each([
  ['a malformed head', 'GET\r\n\r\n'],
  ['an upgrade', UPGRADE],
])('%s', (_, refused) => {
  test('is answered after the requests before it', async () => {
    const client = open()
    client.socket.write(`${READ}${READ}${WHOLE}${refused}${READ}`)
    await expect.poll(client.statuses).toEqual([200, 200, 200, 400])
    client.socket.destroy()
  })

  test('ends the connection, though the client goes on', async () => {
    const client = open()
    client.socket.write(refused)
    await expect.poll(client.statuses).toEqual([400])
    const drip = setInterval(() => client.socket.write('x'), 10)
    await expect.poll(() => client.socket.closed).toBe(true)
    clearInterval(drip)
    expect(client.statuses()).toEqual([400])
  })
})

test.each([
  ['the answer to its own request', 'POST /api/upload', 'multipart/form-data; boundary=x', [200, 400]],
  ['no answer where it has one', 'POST /api/trpc/account.signOutEverywhere', 'application/json', [200, 401]],
])('for a malformed body there is %s', async (_, line, type, statuses) => {
  const client = open()
  const head = `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
  client.socket.write(`${READ}${head}`)
  await expect.poll(client.statuses).toEqual(statuses.filter((status) => status !== 400))
  client.socket.write(`none\r\n${READ}`)
  const drip = setInterval(() => client.socket.write('x'), 10)
  await expect.poll(() => client.socket.closed).toBe(true)
  clearInterval(drip)
  expect(client.statuses()).toEqual(statuses)
})
