import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ObjectStoreUnavailable } from '#server/storage/object-store.ts'
import { answerOutages, noting } from './page-outages.ts'

/** Returns the answer to a page that Next renders with `render` while a call of it fails with `error`. */
async function answerPage(error: Error | null, render: (res: ServerResponse) => void) {
  const server = createServer((_req, res) => {
    void answerOutages(res, async () => {
      const question = error ? Promise.reject(error) : Promise.resolve()
      await noting(question).catch(() => undefined)
      render(res)
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

const OUTAGE = new ObjectStoreUnavailable('x')

test('a page that failed with an outage is 503, however its head is written', async () => {
  expect(await answerPage(OUTAGE, (res) => Object.assign(res, { statusCode: 500 }).end('sorry'))).toEqual([
    503,
    '5',
    'sorry',
  ])
  expect(await answerPage(OUTAGE, (res) => res.writeHead(500, { 'X-A': 'b' }).end('sorry'))).toEqual([
    503,
    '5',
    'sorry',
  ])
})

test('a page that failed with a bug, or did not fail, keeps its status', async () => {
  expect(await answerPage(new Error('bug'), (res) => res.writeHead(500).end())).toEqual([500, null, ''])
  expect(await answerPage(null, (res) => res.writeHead(500).end())).toEqual([500, null, ''])
  expect(await answerPage(OUTAGE, (res) => res.writeHead(200).end('cached'))).toEqual([200, null, 'cached'])
})
