/** The HTTP server of http-handler.ts: `/2/17` awaits the third entry of handlers.ts for subject 17. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { freePort } from '../../testing/servers/free-port.ts'
import { plainConnection } from './bare.ts'
import { awaited } from './handlers.ts'
import { limiterOver } from './ours.ts'

const redisUrl = process.argv[2]
if (redisUrl === undefined) throw new Error('must be started by http-handler.ts, with the URL of a Redis')
const handlers = await awaited(await plainConnection(redisUrl), await limiterOver(redisUrl))

const server = createServer(async ({ url = '' }, res) => {
  const [, handler, subject] = url.split('/')
  try {
    const allowed = await handlers[Number(handler)]?.decide(Number(subject))
    res.writeHead(allowed ? 200 : 429, { 'Content-Length': 2 }).end('ok')
  } catch (error) {
    console.error(error)
    res.writeHead(500, { 'Content-Length': 0 }).end()
  }
})
const port = await freePort()
server.listen(port, '127.0.0.1')
await once(server, 'listening')
console.log(port)
