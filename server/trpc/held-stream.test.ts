import { expect, test, vi } from 'vitest'
import { HeldStream } from './held-stream.ts'

function heldStream(source: AsyncIterable<unknown>) {
  const [client, server] = [new AbortController(), new AbortController()]
  const end = vi.fn(async (_error: unknown) => {})
  return {
    stream: new HeldStream(source, { signal: client.signal, draining: server.signal, end }),
    client,
    server,
    end,
  }
}

async function* counting(upTo: number) {
  for (let count = 1; count <= upTo; count += 1) yield count
}

/** Waits forever, even if its reader stops. */
async function* silent() {
  yield 'first'
  await new Promise(() => {})
}

test('a finished stream ends its call, once', async () => {
  const { stream, end } = heldStream(counting(2))
  expect([await stream.next(), await stream.next()].map(({ value }) => value)).toEqual([1, 2])
  expect(end).not.toHaveBeenCalled()
  expect((await stream.next()).done).toBe(true)
  expect((await stream.next()).done).toBe(true)
  expect(end.mock.calls).toEqual([[null]])
})

test('a failed stream ends its call with the error', async () => {
  const failure = new Error('broken')
  const { stream, end } = heldStream({
    async *[Symbol.asyncIterator]() {
      yield 1
      throw failure
    },
  })
  await stream.next()
  await expect(stream.next()).rejects.toBe(failure)
  expect(end.mock.calls).toEqual([[failure]])
})

test('a stream whose reader stops ends its call and its source', async () => {
  const left = vi.fn()
  const { stream, end } = heldStream({
    async *[Symbol.asyncIterator]() {
      try {
        yield* counting(9)
      } finally {
        left()
      }
    },
  })
  for await (const item of stream) if (item === 2) break
  expect(left).toHaveBeenCalledOnce()
  expect(end.mock.calls).toEqual([[null]])
})

test('a disconnected client ends the call even if the source is silent', async () => {
  const { stream, client, end } = heldStream(silent())
  await stream.next()
  void stream.next()
  client.abort()
  expect(end.mock.calls).toEqual([[null]])
})

test('a stream whose client has already disconnected ends at once', () => {
  const end = vi.fn(async () => {})
  new HeldStream(silent(), { signal: AbortSignal.abort(), draining: null, end })
  expect(end).toHaveBeenCalledOnce()
})

test('a draining server ends a waiting stream as unavailable', async () => {
  const { stream, server, end } = heldStream(silent())
  await stream.next()
  const waiting = stream.next()
  server.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(stream.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await stream.return()).toEqual({ done: true, value: undefined })
  expect(end.mock.calls).toEqual([[null]])
})
