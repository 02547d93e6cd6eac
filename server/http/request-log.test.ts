import { expect, test, vi } from 'vitest'
import { toCaller } from '#server/accounts/viewer.ts'
import { ObjectStoreUnavailable } from '#server/storage/object-store.ts'
import { behindProxy, read, sendUpload } from '#testing/http/image-client.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { invalidRequestsRoute } from './invalid-request.ts'

test('neither the log nor an answer contains the token of a download link', async () => {
  await using served = await startApp({ ...behindProxy, SLUICE_LOG: 'error' })
  const owner = await served.person()
  const { log } = served.app
  const spies = (['info', 'warn', 'error', 'debug'] as const).map((level) =>
    vi.spyOn(log, level).mockImplementation(() => undefined),
  )
  const { id, url } = await storeImageFor(served, owner, { visibility: 'private' })
  const link = (await served.as(owner).image.download({ id })).url
  const token = new URL(link).searchParams.get('download') ?? ''
  expect(token.length).toBeGreaterThan(40)
  expect(token).not.toContain(owner.viewer.sessionId)

  const answers = [await read(link), await read(`${link}x`), await read(link, null, { method: 'HEAD' })]
  vi.spyOn(served.app.db.image, 'findUnique').mockRejectedValue(new Error('bug'))
  answers.push(await read(link))
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 500])
  for (const answer of answers) {
    expect(JSON.stringify([...answer.headers])).not.toContain(token)
    if (answer.status !== 200) expect(await answer.text()).not.toContain(token)
  }

  await expect.poll(() => spies.flatMap(({ mock }) => mock.calls).length).toBe(5)
  const lines = spies.flatMap(({ mock }) => mock.calls)
  const paths = lines.map(([details]) => Reflect.get(Object(details), 'path')).filter(Boolean)
  expect(paths).toEqual(Array(4).fill(new URL(url).pathname))
  expect(JSON.stringify(lines)).not.toContain(token)
  expect(JSON.stringify(lines)).not.toContain(owner.cookie.split('=')[1])
})

test('the log does not contain the path of a deletion link, which is a secret', async () => {
  await using served = await startApp({ SLUICE_LOG: 'error' })
  const lines: unknown[] = []
  vi.spyOn(served.app.log, 'info').mockImplementation((line) => void lines.push(line))
  for (const path of ['/delete/secret', '/delete/secret?x', '//delete/secret/more', '/delete/', '/deleted/it']) {
    await (await fetch(served.origin + path)).arrayBuffer()
  }
  await expect.poll(() => lines.length).toBe(5)
  const paths = lines.map((line) => Reflect.get(Object(line), 'path'))
  expect(paths).toEqual(['/delete/…', '/delete/…', '//delete/…', '/delete/', '/deleted/it'])
})

test('a line has the user, the bytes sent and the program; the request ID and the trace are those of a trusted proxy', async () => {
  await using served = await startApp({ ...behindProxy, SLUICE_LOG: 'error' })
  const owner = await served.person()
  const lines: Record<string, unknown>[] = []
  vi.spyOn(served.app.log, 'info').mockImplementation((line) => void lines.push({ ...Object(line) }))
  const { url } = await storeImageFor(served, owner, { visibility: 'private' })
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = {
    'user-agent': `curl/8 ${'x'.repeat(300)}`,
    'x-request-id': 'from-the-proxy',
    traceparent: `00-${trace}-00f067aa0ba902b7-01`,
  }
  const answer = await read(url, owner, { headers })
  const { length } = await answer.bytes()
  expect(answer.headers.get('x-request-id')).toBe('from-the-proxy')
  await expect.poll(() => lines.length).toBe(1)
  const [{ bytes, agent, ...line } = {}] = lines
  expect(line).toMatchObject({ requestId: 'from-the-proxy', traceId: trace, userId: owner.viewer.userId, status: 200 })
  expect(bytes).toBeGreaterThan(length)
  expect(bytes).toBeLessThan(length + 2_000)
  expect(String(agent)).toHaveLength(200)

  for (const id of ['two%20words', 'x'.repeat(129)]) {
    const other = await read(url, null, { headers: { 'x-request-id': id } })
    expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
  expect(lines.slice(1).filter(({ userId }) => userId !== undefined)).toEqual([])
})

test('logs ten refusals a second, and how many were left out', async () => {
  await using served = await startApp({ ...behindProxy, SLUICE_LOG: 'error' })
  const lines: unknown[] = []
  vi.spyOn(served.app.log, 'info').mockImplementation((line) => void lines.push(line))
  const caller = toCaller(null, '198.51.100.1')
  await served.app.limiter.reserve([{ sets: invalidRequestsRoute.sets, caller, cost: 1_200 }])
  const now = vi.spyOn(performance, 'now').mockReturnValue(5_000)
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  const refuse = async () => expect((await fetch(`${served.origin}/api/nothing`, { headers })).status).toBe(429)
  for (let time = 0; time < 15; time += 1) await refuse()
  now.mockReturnValue(6_000)
  await refuse()
  await expect.poll(() => lines.length).toBe(11)
  expect(lines.map((line) => Reflect.get(Object(line), 'leftOut'))).toEqual([...Array(10).fill(undefined), 5])
})

test('logs an outage once, a bug each time, and a line for every request', async () => {
  await using served = await startApp({ SLUICE_LOG: 'error' })
  const owner = await served.person()
  const { url } = await storeImageFor(served, owner)
  const lines: { message: string | undefined; requestId?: string; status?: number; times?: number }[] = []
  vi.spyOn(served.app.log, 'error').mockImplementation((details, message) => {
    lines.push({ message, ...Object(details) })
  })

  const routes = [() => read(url), () => sendUpload(served, owner, Buffer.from('x'))]
  async function toldOf(error: Error) {
    lines.length = 0
    vi.spyOn(served.app.db.image, 'findUnique').mockRejectedValue(error)
    vi.spyOn(served.app.images, 'receive').mockRejectedValue(error)
    const ids: (string | null)[] = []
    for (const ask of routes) {
      const id = ids[ids.push((await ask()).headers.get('x-request-id')) - 1]
      await expect.poll(() => lines.at(-1)).toMatchObject({ message: 'request', requestId: id })
    }
    return lines.map(({ message, requestId, status, times }) => [
      message,
      ids.indexOf(requestId ?? ''),
      status ?? times,
    ])
  }

  const requests = (status: number) => routes.map((_, at) => ['request', at, status])
  const outage = new ObjectStoreUnavailable('no answer')
  expect(await toldOf(outage)).toEqual([['request failed', 0, 1], ...requests(503)])
  expect(await toldOf(outage)).toEqual(requests(503))
  const [read500, upload500] = requests(500)
  expect(await toldOf(new Error('bug'))).toEqual([
    ['request failed', 0, undefined],
    read500,
    ['call failed', 1, undefined],
    upload500,
  ])
})
