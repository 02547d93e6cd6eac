import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { expect, it } from 'vitest'
import { leaveRestUnread } from './unread-body.ts'

it('answers a client that goes on sending, reads no more of it, and closes', async () => {
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
  expect(socket.bytesRead).toBe(readByThen)
  server.close()
})
