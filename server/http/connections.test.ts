import { once } from 'node:events'
import { Agent, createServer, type RequestListener, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { trackConnections } from './connections.ts'

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
  await vi.waitFor(() => expect(server.listening).toBe(false))
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

async function listen(options: { readonly unusedMs: number }, listener?: RequestListener) {
  const server = createServer(listener)
  const connections = trackConnections(server, options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, port: address.port, connections }
}
