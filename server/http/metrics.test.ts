import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseExposition } from '#testing/http/parse-exposition.ts'
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
