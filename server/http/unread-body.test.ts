import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { expect, it } from 'vitest'
import { leaveRestUnread } from './unread-body.ts'

it('answers a client that keeps sending, stops reading, and closes', async () => {
  const server = createServer((req, res) => {
    leaveRestUnread(req, res)
    req.once('data', () => res.writeHead(413).end('too large'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = once(server, 'connection')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  const req = request({ port: address.port, host: '127.0.0.1', method: 'POST' })
  req.on('error', () => undefined)
  const chunk = Buffer.alloc(64 * 1024)
  const send = () => {
    while (!req.destroyed && req.write(chunk));
  }
  req.on('drain', send)
  send()
  const [response] = await once(req, 'response')
  expect(response.statusCode).toBe(413)
  expect(await response.setEncoding('utf8').reduce((text: string, part: string) => text + part, '')).toBe('too large')

  const [socket] = await connection
  const readByThen = socket.bytesRead
  await once(socket, 'close')
  expect(socket.bytesRead - readByThen).toBeLessThan(3 * chunk.length)
  server.close()
})

it('keeps a connection whose small body ends shortly after the answer', async () => {
  const server = createServer((req, res) => {
    leaveRestUnread(req, res)
    res.writeHead(405).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let at = 0; at < 20; at += 1) {
    const req = request({ port: address.port, host: '127.0.0.1', method: 'POST', agent })
    req.end(at % 2 ? 'a small body' : Buffer.alloc(20_000))
    const [response] = await once(req, 'response')
    expect(response.statusCode).toBe(405)
    await once(response.resume(), 'end')
  }
  expect(connections).toBe(1)
  agent.destroy()
  server.close()
})

it.each([70_000, 200_000, 2_000_000])('loses no request sent after a refused body of %i bytes', async (size) => {
  const server = createServer((req, res) => {
    leaveRestUnread(req, res)
    if (req.method === 'POST') res.writeHead(405)
    res.end('an answer')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = async (method: string, body?: Buffer) => {
    const req = request({ port: address.port, host: '127.0.0.1', method, agent })
    // An unread body cannot be sent completely.
    req.end(body).on('error', () => undefined)
    const [response] = await once(req, 'response')
    const text: string = await response.setEncoding('utf8').reduce((all: string, part: string) => all + part, '')
    return [response.statusCode, text]
  }
  for (let at = 0; at < 10; at += 1) {
    expect(await send('POST', Buffer.alloc(size))).toEqual([405, 'an answer'])
    expect(await send('GET')).toEqual([200, 'an answer'])
  }
  agent.destroy()
  server.close()
})
