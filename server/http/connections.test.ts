import { once } from 'node:events'
import { Agent, createServer, type RequestListener, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type ConnectionsOptions, trackConnections } from './connections.ts'

const untilRead: RequestListener = (req, res) => void req.resume().once('end', () => res.end('done'))

it('closes unused connections, and completes requests under way', async () => {
  const { server, port, connections } = await listen({ unusedMs: 50 }, untilRead)
  const silent = connect(port, '127.0.0.1')
  const halfway = connect(port, '127.0.0.1')
  halfway.write('GET / HTTP/1.1\r\nHost: x\r\n')
  const kept = connect(port, '127.0.0.1')
  kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(kept, 'data')
  const busy = request({ port, host: '127.0.0.1', method: 'POST' })
  busy.write('half of it, ')
  await once(server, 'request')
  for (const socket of [silent, halfway, kept]) socket.resume().on('error', () => undefined)

  const drained = connections.drain()
  await Promise.all([silent, halfway, kept].map((socket) => socket.closed || once(socket, 'close')))
  busy.end('and the rest')
  const [response] = await once(busy, 'response')
  expect(response.statusCode).toBe(200)
  await once(response.resume(), 'end')
  await drained
})

it('serves further requests on a connection in use, which a proxy would not repeat', async () => {
  const { server, port, connections } = await listen({ unusedMs: 60_000 }, (req, res) => {
    if (!server.listening) res.setHeader('Connection', 'close')
    untilRead(req, res)
  })
  const agent = new Agent({ keepAlive: true })
  const send = async () => {
    const post = request({ port, host: '127.0.0.1', method: 'POST', agent })
    post.end('a form')
    const [response] = await once(post, 'response')
    await once(response.resume(), 'end')
    return { isReused: post.reusedSocket, status: response.statusCode, connection: response.headers.connection }
  }
  await send()
  const drained = connections.drain()
  await expect.poll(() => server.listening).toBe(false)
  expect(await send()).toEqual({ isReused: true, status: 200, connection: 'close' })
  await drained
})

it('counts a request that waits for 100 Continue', async () => {
  const { server, port, connections } = await listen({ unusedMs: 50 })
  server.on('checkContinue', (req, res) => {
    res.writeContinue()
    untilRead(req, res)
  })
  const headers = { Expect: '100-continue', 'Content-Length': 4 }
  const busy = request({ port, host: '127.0.0.1', method: 'POST', headers })
  busy.flushHeaders()
  await once(busy, 'continue')
  const drained = connections.drain()
  // Several checks for unused connections.
  await delay(300)
  busy.end('body')
  const [response] = await once(busy, 'response')
  expect(response.statusCode).toBe(200)
  await once(response.resume(), 'end')
  await drained
})

it('closes the connection that has been unused the longest for one too many, and that one where all are in use', async () => {
  let full = 0
  const { port } = await listen({ unusedMs: 60_000, most: 2, onFull: () => (full += 1) }, (req, res) => {
    if (req.url === '/') res.end('done')
  })
  const open = async (path?: string) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    if (path) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    if (path === '/') await once(socket, 'data')
    return socket
  }
  const ended = (socket: Socket) => once(socket.resume(), 'close')
  const first = await open('/')
  const second = await open('/')
  first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(first, 'data')
  // The first was used again since.
  const third = await open()
  await ended(second)
  await open('/never')
  await ended(first)
  await open('/never')
  await ended(third)
  expect(full).toBe(3)
  await ended(await open())
  expect(full).toBe(4)
})

async function listen(options: ConnectionsOptions, listener?: RequestListener) {
  const server = createServer(listener)
  const connections = trackConnections(server, options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, port: address.port, connections }
}
