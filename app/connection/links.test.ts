import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type LimitedRouter, limitedRouter } from '#testing/limits/limited-router.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { fetchStream } from './event-source.ts'
import { type LimitLinkOptions, limitLink } from './limit-link.ts'

const done: string[] = []
let served: TestApp
beforeAll(async () => {
  served = await startApp({}, { router: limitedRouter(done, { opened: 0, closed: 0 }) })
})
afterAll(() => served[Symbol.asyncDispose]())

/** Creates a client for a new user, so that no test shares its limits. */
async function createClient({ streams = false, ...options }: LimitLinkOptions & { streams?: boolean } = {}) {
  const { cookie } = await served.person()
  const url = `${served.origin}/api/trpc`
  const answers: Response[] = []
  const keep = async (address: URL | RequestInfo, init?: RequestInit) => {
    const answer = await fetch(address, init)
    answers.push(answer)
    return answer
  }
  const calls = { url, maxItems: 20, headers: { cookie }, fetch: keep }
  const client = createTRPCClient<LimitedRouter>({
    links: [
      limitLink(options),
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url,
          EventSource,
          eventSourceOptions: {
            fetch: (address, init) => fetchStream(address, { ...init, headers: { ...init.headers, cookie } }),
          },
        }),
        false: streams ? httpBatchStreamLink(calls) : httpBatchLink(calls),
      }),
    ],
  })
  return { client, answers }
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `${at}`)

const refusal = {
  code: 'TOO_MANY_REQUESTS',
  httpStatus: 429,
  limit: {
    ...{ ruleSet: 'paced', policy: 'paced-1s', rule: '5 per second', limit: 5, windowMs: 1_000 },
    parts: { limit: 5, unit: 'calls', window: 1_000 },
    ...{ retryAfterMs: expect.any(Number), waitedMs: 0 },
    rules: [
      {
        ...{ policy: 'paced-1s', unit: 'calls', limit: 5, windowMs: 1_000 },
        remaining: 0,
        resetMs: expect.any(Number),
      },
    ],
  },
}

test.each([
  { streams: false, status: 207, headers: ['"paced-1s";q=5;w=1', '"paced-1s";r=0;t=1', '5', '0', '1'] },
  // Its headers are sent before any of its calls is decided.
  { streams: true, status: 200, headers: [null, null, null, null, null] },
])(
  'a batch (streamed: $streams) gives each refused call the details that headers would',
  async ({ streams, status, headers }) => {
    const { client, answers } = await createClient({ streams })
    const results = await Promise.allSettled(names(7).map((name) => client.look.query(name)))
    expect(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))).toEqual(names(5))
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(errors.map(({ data }) => data)).toMatchObject([refusal, refusal])
    expect(answers.map((answer) => answer.status)).toEqual([status])
    const told = ['ratelimit-policy', 'ratelimit', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after']
    expect(told.map((name) => answers[0]?.headers.get(name))).toEqual(headers)
  },
)

test.each([false, true])(
  'ten calls at five per second all succeed through the link (streamed: %s)',
  async (streams) => {
    const onWait = vi.fn()
    const { client, answers } = await createClient({ streams, waitUpToMs: 10_000, onWait })
    const begunAt = performance.now()
    expect(await Promise.all(names(10).map((name) => client.look.query(name)))).toEqual(names(10))
    expect(performance.now() - begunAt).toBeGreaterThan(950)
    expect(onWait).toHaveBeenCalledTimes(5)
    expect(answers.length).toBeLessThanOrEqual(6)
  },
)

test('runs each refused mutation exactly once', async () => {
  done.length = 0
  const { client } = await createClient({ waitUpToMs: 10_000 })
  await Promise.all(names(10).map((name) => client.act.mutate(name)))
  expect(done.toSorted()).toEqual(names(10))
})

test('a subscription beyond the limit receives the refusal with its wait', async () => {
  const { client } = await createClient()
  const watch = () => {
    const told = Promise.withResolvers<unknown>()
    const { unsubscribe } = client.watch.subscribe(undefined, { onData: told.resolve, onError: told.resolve })
    return { told: told.promise, unsubscribe }
  }
  const [first, second] = [watch(), watch()]
  expect(await Promise.all([first.told, second.told])).toEqual(['open', 'open'])
  const error = await watch().told
  expect(error).toBeInstanceOf(TRPCClientError)
  expect(error).toMatchObject({
    // The 30 s of a place that is not given back, less what has passed of them.
    message: expect.stringMatching(/^Limit reached: places allows 2 at the same time\. Try again in (30|[12]?\d) s\.$/),
    data: {
      httpStatus: 429,
      limit: { policy: 'places-concurrent', rules: [{ unit: 'calls under way', limit: 2, remaining: 0 }] },
    },
  })
  first.unsubscribe()
  second.unsubscribe()
})

test('a subscription receives all values of its stream, and its end', async () => {
  const { client } = await createClient()
  const items: number[] = []
  const over = Promise.withResolvers<void>()
  client.count.subscribe(
    { upTo: 3 },
    { onData: (item) => items.push(item), onComplete: over.resolve, onError: over.reject },
  )
  await over.promise
  expect(items).toEqual([1, 2, 3])
})

test('a subscription reports that access is forbidden', async () => {
  const client = createTRPCClient<LimitedRouter>({
    links: [
      httpSubscriptionLink({
        url: `${served.origin}/api/trpc`,
        EventSource,
        eventSourceOptions: { fetch: fetchStream },
      }),
    ],
  })
  const told = Promise.withResolvers<unknown>()
  client.own.subscribe(undefined, { onError: told.resolve })
  expect(await told.promise).toMatchObject({ message: 'Sign in first.', data: { code: 'UNAUTHORIZED' } })
})
