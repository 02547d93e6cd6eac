import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { counted, read as readAtScrape, timed, uploadOutcomes } from '#server/metrics/declared.ts'
import type { Metric } from '#server/metrics/exposition.ts'
import { read, sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { parseExposition } from '#testing/http/parse-exposition.ts'
import { picture } from '#testing/images/pictures.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const TOKEN = 'a-token.of~24+letters/=='

let served: TestApp
beforeAll(async () => {
  // Behind a proxy, so that each test can use its own addresses.
  served = await startApp({
    SLUICE_METRICS_TOKEN: TOKEN,
    SLUICE_METRICS_ADDRESSES: '203.0.113.0/24, 2001:db8::7',
    SLUICE_TRUSTED_PROXIES: '127.0.0.1',
  })
})
afterAll(() => served[Symbol.asyncDispose]())

function get(address: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> {
  return fetch(`${served.origin}/metrics`, { ...init, headers: { 'x-forwarded-for': address, ...headers } })
}
/** Returns the counts that have risen since `before`, by series. */
async function rise(before: readonly Metric[], { metrics }: TestApp['app']): Promise<Record<string, number>> {
  const [then, now] = [before, await metrics.read()].map(
    (all) =>
      new Map(
        all
          .filter(({ type }) => type !== 'gauge')
          .flatMap(({ name, samples }) =>
            samples
              .filter(({ suffix = '_count' }) => suffix === '_count')
              .map(({ suffix = '', labels = {}, value }) => {
                const pairs = Object.entries(labels).map(([label, text]) => `${label}=${text}`)
                return [`${name}${suffix}{${pairs.join(',')}}`, value] as const
              }),
          ),
      ),
  )
  const risen = [...(now ?? [])].map(([series, value]) => [series, value - (then?.get(series) ?? 0)] as const)
  return Object.fromEntries(risen.filter(([, by]) => by > 0))
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('metrics', () => {
  test('can be read from the configured addresses, compared in full, and from no other', async () => {
    const statuses = async (...addresses: string[]) =>
      Promise.all(addresses.map(async (each) => (await get(each)).status))
    expect(await statuses('203.0.113.9', '2001:db8::7')).toEqual([200, 200])
    expect(await statuses('203.0.112.9', '2001:db8::8', '127.0.0.1')).toEqual([404, 404, 404])
  })

  test('can be read with the token; without it they are an unknown page', async () => {
    const right = await get('198.51.100.1', bearer(TOKEN))
    expect(right.status).toBe(200)
    expect(right.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(right.headers.get('cache-control')).toBe('no-store')
    for (const headers of [{}, bearer(`${TOKEN}=`), bearer(''), { authorization: `Basic ${TOKEN}` }])
      expect((await get('198.51.100.1', headers)).status).toBe(404)
  })

  test('charge wrong tokens but not right ones', async () => {
    for (let times = 0; times < 12; times += 1) expect((await get('198.51.100.2', bearer(TOKEN))).status).toBe(200)
    for (let times = 0; times < 10; times += 1) expect((await get('198.51.100.2', bearer('guessed'))).status).toBe(404)
    for (let times = 0; times < 90; times += 1) {
      const refused = await get('198.51.100.2', bearer('guessed'))
      expect(refused.status).toBe(429)
      expect(refused.headers.get('ratelimit')).toMatch(/^"metrics-1m";r=0;t=\d+$/)
    }
    expect((await get('198.51.100.2', bearer(TOKEN))).status).toBe(200)
  })

  test('support GET and HEAD only', async () => {
    const head = await get('203.0.113.9', {}, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(500)
    const post = await get('203.0.113.9', {}, { method: 'POST', body: '' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await get('198.51.100.4', {}, { method: 'POST', body: '' })).status).toBe(404)
  })

  test('have every name, and follow the conventions of Prometheus', async () => {
    const metrics = parseExposition(await (await get('203.0.113.9')).text())
    const [times, counts, others] = [Object.keys(timed), Object.keys(counted), Object.keys(readAtScrape)]
    // What only a decision brings.
    const present = others.filter((name) => !name.startsWith('sluice_limit_') || metrics.has(name))
    expect([...metrics.keys()]).toEqual([...times, ...counts, ...present])
    for (const [name, { help, type, samples }] of metrics) {
      expect(help, name).toMatch(/^[A-Z0-9].*\.$/)
      expect(name.endsWith('_total'), name).toBe(type === 'counter')
      expect(name, 'seconds and bytes').not.toMatch(/_(?:ms|milliseconds|minutes|kb|mb|percent)(?:_|$)/)
      if (type === 'histogram') expect(name).toMatch(/_seconds$/)
      expect(samples.length, name).toBeGreaterThan(0)
    }
  })

  test('are present at zero: what has not happened yet, budgets that nobody has set, a queue that is empty', async () => {
    const metrics = parseExposition(await (await get('203.0.113.9')).text())
    const samples = (name: string) => metrics.get(name)?.samples ?? []
    expect(samples('sluice_image_alarms_total')).toEqual([
      { labels: { kind: 'missing' }, value: 0 },
      { labels: { kind: 'corrupt' }, value: 0 },
    ])
    expect(samples('sluice_uploads_total').map(({ value }) => value)).toEqual(uploadOutcomes.map(() => 0))
    const month = { period: 'month', unit: 'money' }
    expect(samples('sluice_budget_used')).toContainEqual({ labels: month, value: 0 })
    expect(samples('sluice_budget_left')).toContainEqual({ labels: month, value: Number.POSITIVE_INFINITY })
    expect(samples('sluice_budget_used')).toHaveLength(13)
    expect(samples('sluice_decoder_queue')).toEqual([{ labels: {}, value: 0 }])
    expect(samples('sluice_cache_hits_total')).toEqual([{ labels: {}, value: 0 }])
    expect(samples('sluice_database_up')).toEqual([{ labels: {}, value: 1 }])
    const jobs = served.app.jobs.names
    expect(samples('sluice_jobs').map(({ labels }) => labels.name)).toEqual(jobs.flatMap((name) => Array(4).fill(name)))
    expect(samples('sluice_jobs_attempts_total').map(({ labels }) => labels.name)).toEqual(
      jobs.flatMap((name) => [name, name]),
    )
  })

  test('count what is done: requests by surface and status, an upload, its decoder, its bytes and statements', async () => {
    const person = await served.person()
    const before = await served.app.metrics.read()
    const { url } = await uploadAccepted(served, person, await picture())
    await sendUpload(served, person, Buffer.from('no image'))
    expect((await read(url, person)).status).toBe(200)
    expect((await read(`${url}x`)).status).toBe(404)
    await served.app.images.followed()
    const risen = await rise(before, served.app)
    await expect
      .poll(() => rise(before, served.app))
      .toMatchObject({
        'sluice_http_request_duration_seconds_count{surface=upload,status=2xx}': 1,
        'sluice_http_request_duration_seconds_count{surface=upload,status=4xx}': 1,
        'sluice_http_request_duration_seconds_count{surface=bytes,status=2xx}': 1,
        'sluice_http_request_duration_seconds_count{surface=bytes,status=4xx}': 1,
      })
    expect(risen).toMatchObject({
      'sluice_uploads_total{outcome=stored}': 1,
      'sluice_uploads_total{outcome=not-an-image}': 1,
      'sluice_decoder_duration_seconds_count{kind=decode,outcome=ok}': 1,
      'sluice_decoder_wait_seconds_count{kind=decode}': 1,
      'sluice_database_query_duration_seconds_count{operation=query,outcome=ok}': expect.any(Number),
    })
    expect(risen['sluice_bucket_call_duration_seconds_count{operation=put,outcome=ok}']).toBeGreaterThan(0)
    expect(Object.keys(risen).filter((name) => name.includes('outcome=failed'))).toEqual([])
  })

  test('report this process’s decisions by procedure, rule set, policy and outcome, without subjects', async () => {
    const person = await served.person()
    // All within one second, whose limit is twenty, however slow the machine is.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    for (let times = 0; times < 21; times += 1)
      await served
        .as(person)
        .account.me()
        .catch(() => null)
    const text = await (await get('203.0.113.9')).text()
    const metrics = parseExposition(text)
    const me = { procedure: 'account.me', rule_set: 'account-view' }
    const decisions = metrics.get('sluice_limit_decisions_total')?.samples ?? []
    expect(decisions.filter(({ labels }) => labels.procedure === 'account.me')).toEqual([
      { labels: { ...me, policy: 'account-view-1m', outcome: 'passed' }, value: 20 },
      { labels: { ...me, policy: 'account-view-1m', outcome: 'refused' }, value: 0 },
      { labels: { ...me, policy: 'account-view-1s', outcome: 'passed' }, value: 20 },
      { labels: { ...me, policy: 'account-view-1s', outcome: 'refused' }, value: 1 },
    ])
    expect(metrics.get('sluice_limit_store_up')?.samples).toEqual([{ labels: {}, value: 1 }])
    expect(metrics.get('sluice_limit_processes')?.samples).toEqual([{ labels: {}, value: 1 }])
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_start_time_seconds'])
      expect(metrics.get(name)?.samples[0]?.value).toBeGreaterThan(0)
    expect(metrics.get('nodejs_eventloop_lag_p99_seconds')?.samples).toHaveLength(1)
    for (const subject of [person.viewer.userId, person.viewer.username, '203.0.113', '198.51.100'])
      expect(text).not.toContain(subject)
  })
})

test('an untrusted proxy cannot read metrics by its own address', async () => {
  await using behind = await startApp({ SLUICE_METRICS_ADDRESSES: '127.0.0.1' })
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${behind.origin}/metrics`, { headers })).status
  expect(await status({})).toBe(200)
  expect(await status({ 'x-forwarded-for': '9.9.9.9' })).toBe(404)
  expect(await status({ 'x-real-ip': '9.9.9.9', ...bearer(TOKEN) })).toBe(404)
  const [answer] = await once(request(`${behind.origin}/metrics?x=1`).end(), 'response')
  expect(answer.statusCode).toBe(200)
})
