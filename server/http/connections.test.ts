import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { trackConnections } from './connections.ts'

it('ends what serves no request, and lets what serves one finish', async () => {
  const server = createServer((req, res) => {
    req.resume().once('end', () => res.end('done'))
  })
  const connections = trackConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  const silent = connect(address.port, '127.0.0.1')
  const halfway = connect(address.port, '127.0.0.1')
  halfway.write('GET / HTTP/1.1\r\nHost: x\r\n')
  const kept = connect(address.port, '127.0.0.1')
  kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(kept, 'data')
  const busy = request({ port: address.port, host: '127.0.0.1', method: 'POST' })
  busy.write('half of it, ')
  await once(server, 'request')
  for (const socket of [silent, halfway, kept]) socket.resume().on('error', () => undefined)

  const closed = once(server, 'close')
  server.close()
  connections.closeUnused()
  await Promise.all([silent, halfway, kept].map((socket) => socket.closed || once(socket, 'close')))
  busy.end('and the rest')
  const [response] = await once(busy, 'response')
  expect(response.statusCode).toBe(200)
  await once(response.resume(), 'end')
  connections.closeUnused()
  await closed
})

it('counts a request that waits to be told to send its body', async () => {
  const server = createServer()
  server.on('checkContinue', (req, res) => {
    res.writeContinue()
    req.resume().once('end', () => res.end('done'))
  })
  const connections = trackConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const headers = { Expect: '100-continue', 'Content-Length': 4 }
  const busy = request({ port: address.port, host: '127.0.0.1', method: 'POST', headers })
  busy.flushHeaders()
  await once(busy, 'continue')
  const closed = once(server, 'close')
  server.close()
  connections.closeUnused()
  busy.end('body')
  const [response] = await once(busy, 'response')
  expect(response.statusCode).toBe(200)
  await once(response.resume(), 'end')
  connections.closeUnused()
  await closed
})
