import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ObjectStoreUnavailable } from '#server/storage/object-store.ts'
import { answerOutages, noting } from './page-outages.ts'

/** Returns the answer to a page that Next renders with `render` while a call of it fails with `error`. */
async function answerPage(error: Error | null, render: (res: ServerResponse) => void, headers: HeadersInit = {}) {
  const server = createServer((_req, res) => {
    void answerOutages(res, 'the-id', async () => {
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
    const answer = await fetch(`http://127.0.0.1:${address.port}/`, { headers })
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

const browser = { accept: 'text/html' }
const replaced = (text: string) => expect.stringMatching(new RegExp(`^<!doctype html>.*<p>${text}.*</html>\n$`, 's'))

test('a browser gets the page for problems, however the answer of Next is written', async () => {
  const ways: readonly ((res: ServerResponse) => void)[] = [
    (res) => Object.assign(res, { statusCode: 500 }).end('sorry'),
    (res) => res.writeHead(500, { 'Content-Length': 5 }).end('sorry'),
    (res) => {
      Object.assign(res, { statusCode: 500 }).setHeader('Content-Encoding', 'gzip')
      res.write('so')
      res.write('rry')
      res.end()
    },
  ]
  for (const way of ways) {
    expect(await answerPage(OUTAGE, way, browser)).toEqual([503, '5', replaced('The image store')])
    const bug = await answerPage(new Error('bug'), way, browser)
    expect(bug).toEqual([500, null, replaced('Something went wrong on our side.')])
    expect(bug[2]).toContain('<code>request the-id</code>')
  }
  const router = { ...browser, rsc: '1' }
  expect(await answerPage(OUTAGE, (res) => res.writeHead(500).end('sorry'), router)).toEqual([503, '5', 'sorry'])
  expect(await answerPage(null, (res) => res.writeHead(200).end('page'), browser)).toEqual([200, null, 'page'])
})

test('a guest whose page was not found needs no script to read so; who is signed in has the page of Next', async () => {
  const lacks = (res: ServerResponse) => res.writeHead(404).end('only for scripts')
  const missing = 'The address may be wrong, or the image is private'
  expect(await answerPage(null, lacks, browser)).toEqual([404, null, replaced(missing)])
  expect(await answerPage(null, lacks, { ...browser, cookie: 'next-auth.session-token=x' })).toContain(
    'only for scripts',
  )
  expect(await answerPage(null, lacks, { ...browser, rsc: '1' })).toContain('only for scripts')
  expect(await answerPage(null, lacks)).toContain('only for scripts')
})
