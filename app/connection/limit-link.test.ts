import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { beforeEach, expect, test, vi } from 'vitest'
import { type LimitLinkOptions, type LimitWait, limitLink } from './limit-link.ts'

const { router, procedure } = initTRPC.create()
const testRouter = router({
  look: procedure.query(() => ''),
  touch: procedure.input((value: unknown) => value).mutation(() => ''),
  watch: procedure.subscription(async function* () {
    yield ''
  }),
})
type TestRouter = typeof testRouter

beforeEach(() => void vi.useFakeTimers({ now: 0 }))

/** A pair is a stream: its data, then the error that ends it. */
type Answer = string | Error | readonly [string, Error]

/** Creates a client that receives these answers in turn, and records when each call was sent. */
function createClient(answers: Answer[], options: LimitLinkOptions = {}) {
  const sentAt: number[] = []
  const waits: LimitWait[] = []
  const server: TRPCLink<TestRouter> = () => () =>
    observable((observer) => {
      sentAt.push(Date.now())
      const [data, failure] = [answers.shift()].flat()
      if (data instanceof Error) return observer.error(TRPCClientError.from(data))
      observer.next({ result: { data } })
      if (failure instanceof Error) return observer.error(TRPCClientError.from(failure))
      observer.complete()
    })
  const link = limitLink<TestRouter>({ waitUpToMs: 10_000, spread: 0, onWait: (wait) => waits.push(wait), ...options })
  return { client: createTRPCClient<TestRouter>({ links: [link, server] }), sentAt, waits }
}

/** Returns a refusal as tRPC's links pass it on. */
function refusal(retryAfterMs: number): Error {
  const limit = { ruleSet: 'look', rule: '5 per second', parts: { limit: 5, window: 1_000 }, retryAfterMs }
  const error = { code: -32029, message: 'Too many.', data: { code: 'TOO_MANY_REQUESTS', limit } }
  return TRPCClientError.from<TestRouter>({ error })
}

test('retries a refused call after the refusal’s wait', async () => {
  const { client, sentAt, waits } = createClient([refusal(800), refusal(1_200), 'seen'])
  const answer = client.look.query()
  await vi.runAllTimersAsync()
  expect(await answer).toBe('seen')
  expect(sentAt).toEqual([0, 800, 2_000])
  expect(waits.map(({ path, waitMs, refusal: { rule } }) => [path, waitMs, rule])).toEqual([
    ['look', 800, { limit: 5, window: 1_000 }],
    ['look', 1_200, { limit: 5, window: 1_000 }],
  ])
})

test('retries mutations too, because a refused call has had no effect', async () => {
  const { client, sentAt } = createClient([refusal(800), 'done'])
  const answer = client.touch.mutate({ id: 1 })
  await vi.runAllTimersAsync()
  expect([await answer, sentAt]).toEqual(['done', [0, 800]])
})

test('adds to each wait a tab’s spread, at most a second', async () => {
  for (const [waitMs, returnsAt] of [
    [400, 600],
    [6_000, 6_500],
  ] as const) {
    vi.setSystemTime(0)
    const { client, sentAt } = createClient([refusal(waitMs), 'seen'], { spread: 0.5 })
    const answer = client.look.query()
    await vi.runAllTimersAsync()
    expect([await answer, sentAt]).toEqual(['seen', [0, returnsAt]])
  }
})

test.each<[string, Answer[], LimitLinkOptions, number[]]>([
  ['a wait that is longer than the call may take', [refusal(10_001)], {}, [0]],
  ['waits that are so together', [refusal(6_000), refusal(4_001)], {}, [0, 6_000]],
  ['more refusals than tries', [refusal(10), refusal(10), refusal(10)], { retries: 2 }, [0, 10, 20]],
  ['a wait that no timer can measure', [refusal(2 ** 31)], { waitUpToMs: Number.MAX_SAFE_INTEGER }, [0]],
  ['any refusal, where nothing was said of waiting', [refusal(1)], { waitUpToMs: 0 }, [0]],
  ['another failure', [new Error('broken')], {}, [0]],
])('passes on %s unchanged', async (_, answers, options, times) => {
  const last = answers.at(-1)
  const { client, sentAt } = createClient(answers, options)
  const failed = client.look.query().catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await failed).toMatchObject({ message: last instanceof Error ? last.message : '' })
  expect(sentAt).toEqual(times)
})

test('a call can set its own longest wait', async () => {
  const { client, sentAt } = createClient([refusal(800), 'seen', refusal(800)], { waitUpToMs: 0 })
  const patient = client.look.query(undefined, { context: { limit: { waitUpToMs: 4_000 } } })
  await vi.runAllTimersAsync()
  expect([await patient, sentAt]).toEqual(['seen', [0, 800]])
  await expect(client.look.query()).rejects.toThrow('Too many.')
})

test('does not send a stream body twice', async () => {
  const { client, sentAt } = createClient([refusal(10)])
  await expect(client.touch.mutate(new ReadableStream())).rejects.toThrow('Too many.')
  expect(sentAt).toEqual([0])
})

test('aborting during a wait ends it without another call', async () => {
  const { client, sentAt } = createClient([refusal(5_000), 'seen'])
  const leaving = new AbortController()
  const answer = client.look.query(undefined, { signal: leaving.signal }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(100)
  leaving.abort()
  expect(await answer).toMatchObject({ name: 'TRPCClientError', cause: { name: 'AbortError' } })
  expect(vi.getTimerCount()).toBe(0)
  expect(sentAt).toEqual([0])
})

test('does not restart a subscription that is closed during its wait', async () => {
  const { client, sentAt } = createClient([refusal(6_000), 'never'])
  client.watch.subscribe(undefined, { onData: vi.fn() }).unsubscribe()
  await vi.runAllTimersAsync()
  expect([sentAt, vi.getTimerCount()]).toEqual([[0], 0])
})

test('a resumed subscription may wait its full time again', async () => {
  const { client, sentAt } = createClient([refusal(6_000), ['first', refusal(6_000)], 'second'])
  const onData = vi.fn()
  client.watch.subscribe(undefined, { onData })
  await vi.runAllTimersAsync()
  expect([onData.mock.calls, sentAt]).toEqual([
    [['first'], ['second']],
    [0, 6_000, 12_000],
  ])
})
