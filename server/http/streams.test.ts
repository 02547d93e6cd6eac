import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PING_MS } from '#server/trpc/init.ts'
import { limitedRouter } from '#testing/limits/limited-router.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { STALLED_MS } from './server.ts'

const draining = new AbortController()
const streams = { opened: 0, closed: 0 }
let served: TestApp
beforeAll(async () => {
  served = await startApp({}, { router: limitedRouter([], streams), draining: draining.signal })
})
afterAll(() => served[Symbol.asyncDispose]())

/** Opens a stream; returns its response and a function that disconnects. */
async function open(path: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController()
  const accept = { accept: 'text/event-stream', ...headers }
  const response = await fetch(`${served.origin}/api/trpc/${path}`, { headers: accept, signal: leaving.signal })
  return { response, leave: () => leaving.abort() }
}

/** Reads until `text` has arrived or the stream ends. */
async function readTo(response: Response, text: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let read = ''
  while (reader && !read.includes(text)) {
    const { done, value } = await reader.read()
    if (done) break
    read += value
  }
  reader?.releaseLock()
  return read
}

const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`

test('with two permits, a third stream is refused before it starts until one closes', async () => {
  const first = await open('watch')
  const second = await open('watch')
  expect([first, second].map(({ response }) => response.status)).toEqual([200, 200])
  expect(await readTo(first.response, 'open')).toContain('data: "open"')
  await expect.poll(() => streams.opened).toBe(2)

  const { response } = await open('watch')
  expect(response.status).toBe(429)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/event-stream',
    'retry-after': '30',
    'ratelimit-policy': '"places-concurrent";q=2;qu="concurrent-requests"',
    ratelimit: '"places-concurrent";r=0;t=30',
  })
  const text = await response.text()
  expect(text).toContain('event: serialized-error')
  expect(text).toContain('"limit":{"ruleSet":"places","policy":"places-concurrent","rule":"2 at the same time"')
  expect(streams.opened).toBe(2)

  first.leave()
  const third = await vi.waitFor(async () => {
    const stream = await open('watch')
    expect(stream.response.status).toBe(200)
    return stream
  })
  for (const { leave } of [second, third]) leave()
  await expect.poll(() => streams).toEqual({ opened: 3, closed: 3 })
})

test('a stream that ends or fails has already released its permit', async () => {
  const endings = {
    bug: 'Something went wrong on our side.',
    outage: '"code":"SERVICE_UNAVAILABLE"',
    none: 'event: return',
  }
  for (const failure of ['none', 'bug', 'none', 'outage', 'none'] as const) {
    const { response } = await open(`count?${input({ upTo: 3, ...(failure !== 'none' && { failure }) })}`)
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toContain('data: 3\n')
    expect(text).toContain(endings[failure])
  }
})

test('a stream that cannot start has the status of its error: no access, bad input, unknown path', async () => {
  const statuses = await Promise.all(
    ['own', `count?${input({ upTo: 'x' })}`, 'nothing'].map(async (path) => (await open(path)).response.status),
  )
  expect(statuses).toEqual([401, 400, 404])
  const person = await served.person()
  const { response } = await open('own', { cookie: person.cookie })
  expect([response.status, (await response.text()).includes(person.viewer.userId)]).toEqual([200, true])
})

test('a stream sends keep-alive bytes before its connection counts as stalled', () => {
  expect(4 * PING_MS).toBeLessThan(STALLED_MS)
})

test('a draining server ends open streams at once as unavailable, and starts none', async () => {
  const { response } = await open('watch')
  await expect.poll(() => streams.opened).toBe(4)
  draining.abort()
  for (const each of [response, (await open('watch')).response]) {
    const text = await each.text()
    expect(text).toContain('event: serialized-error')
    expect(text).toContain('"code":"SERVICE_UNAVAILABLE"')
    expect(text).not.toContain('event: return')
  }
  expect(streams.opened).toBe(4)
})
