import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '#server/storage/object-store.ts'
import { answerOutages, noting } from './page-outages.ts'

/** What is answered to a page that Next makes so, while its question fails by `error`. */
async function answerTo(error: Error | null, makePage: (res: ServerResponse) => void) {
  const server = createServer((_req, res) => {
    void answerOutages(res, async () => {
      const question = error ? Promise.reject(error) : Promise.resolve()
      await noting(question).catch(() => undefined)
      makePage(res)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  try {
    const answer = await fetch(`http://127.0.0.1:${address.port}/`)
    return [answer.status, answer.headers.get('retry-after'), await answer.text()]
  } finally {
    server.close()
  }
}

const OUTAGE = new StoreUnavailable('x')

test('a page that failed by an outage is 503, however its head is written', async () => {
  expect(await answerTo(OUTAGE, (res) => Object.assign(res, { statusCode: 500 }).end('sorry'))).toEqual([
    503,
    '5',
    'sorry',
  ])
  expect(await answerTo(OUTAGE, (res) => res.writeHead(500, { 'X-A': 'b' }).end('sorry'))).toEqual([503, '5', 'sorry'])
})

test('one that failed by a bug, or did not fail, is what it is', async () => {
  expect(await answerTo(new Error('bug'), (res) => res.writeHead(500).end())).toEqual([500, null, ''])
  expect(await answerTo(null, (res) => res.writeHead(500).end())).toEqual([500, null, ''])
  expect(await answerTo(OUTAGE, (res) => res.writeHead(200).end('cached'))).toEqual([200, null, 'cached'])
})
