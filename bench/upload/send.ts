/** Uploads files by image.upload, AT_ONCE of them concurrently, and prints the milliseconds until all were stored. A separate
 *  process, so that the client takes no CPU time of the server's. `send.ts ORIGIN COOKIE AT_ONCE FILE …` */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'

const [origin, cookie, atOnce, ...files] = process.argv.slice(2)

async function send(file: string): Promise<void> {
  const { size } = await stat(file)
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': size,
    'x-file-name': 'photo.jpg',
    Cookie: cookie,
  }
  const call = request(`${origin}/api/trpc/image.upload`, { method: 'POST', headers })
  const answered: Promise<[IncomingMessage]> = once(call, 'response').then(([answer]) => [answer])
  await pipeline(createReadStream(file), call)
  const [answer] = await answered
  const words = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${words}`)
}

const start = performance.now()
await pLimit(Number(atOnce)).map(files, send)
console.log(performance.now() - start)
