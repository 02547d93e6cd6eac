/** A minimal node:http server: one response from memory for every request, or a 304 if the ETag matches. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { freePort } from '../../testing/servers/free-port.ts'

const body = randomBytes(Number(process.argv[2] ?? 102_400))
const etag = '"bare"'
const validators = ['ETag', etag, 'Cache-Control', 'public, max-age=300']
const headers = ['Content-Type', 'image/png', 'Content-Length', String(body.length), ...validators]

const server = createServer((req, res) => {
  if (req.headers['if-none-match'] === etag) res.writeHead(304, validators).end()
  else res.writeHead(200, headers).end(body)
})
const port = await freePort()
server.listen(port, '127.0.0.1')
await once(server, 'listening')
console.log(JSON.stringify({ port, paths: [{ path: '/image.png', etag }] }))
