import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { setUp } from '#server/accounts/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { resetPassword } from '#testing/accounts/reset-password.ts'
import { sendRaw } from '#testing/http/raw-http.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

const JSON_TYPE = { 'content-type': 'application/json' }

function call(path: string, init: RequestInit & { as?: Person } = {}): Promise<Response> {
  const { as, headers, ...rest } = init
  return fetch(`${test.origin}/api/trpc/${path}`, {
    ...rest,
    headers: { ...(as ? { cookie: as.cookie } : {}), ...headers },
  })
}

const mutate = (path: string, input: unknown, as: Person, headers: Record<string, string> = JSON_TYPE) =>
  call(path, { method: 'POST', body: JSON.stringify(input), headers, as })

/** Stops the clock, so that the rest of a test falls within one second, however slow the machine is. */
const stopClock = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now())

const failure = z.object({
  error: z.object({
    message: z.string(),
    code: z.number(),
    data: z.object({
      code: z.string(),
      httpStatus: z.number(),
      path: z.string().optional(),
      requestId: z.string().nullable(),
      sentence: z.string().nullable(),
      issues: z.unknown(),
      limit: z.unknown(),
    }),
  }),
})
const readError = async (response: Response) => failure.parse(await response.json()).error

describe('a call', () => {
  it('answers with its limits and a request ID, without a stack', async () => {
    const response = await call('account.me')
    expect(response.status).toBe(200)
    expect(response.headers.get('ratelimit-policy')).toBe('"account-view-1s";q=20;w=1, "account-view-1m";q=300;w=60')
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('takes its input as plain JSON in the query', async () => {
    const person = await test.person({ role: 'admin' })
    const response = await call(`user.list?input=${encodeURIComponent(JSON.stringify({ limit: 1 }))}`, { as: person })
    const { result } = z
      .object({ result: z.object({ data: z.object({ items: z.array(z.unknown()) }) }) })
      .parse(await response.json())
    expect(result.data.items).toHaveLength(1)
  })
})

describe('a failure', () => {
  const missing = (headers: Record<string, string>) => {
    const input = encodeURIComponent(JSON.stringify({ slug: 'A'.repeat(22) }))
    return call(`image.get?input=${input}`, { headers }).then(readError)
  }

  it('is said in English to programs, and in the language of its reader to pages', async () => {
    const english = 'Image not found.'
    expect(await missing({})).toMatchObject({ message: english, data: { sentence: english } })
    const chinese = { message: english, data: { sentence: '找不到图片。' } }
    expect(await missing({ 'accept-language': 'zh-SG' })).toMatchObject(chinese)
    expect(await missing({ 'accept-language': 'en', cookie: 'sluice-locale=zh-CN' })).toMatchObject(chinese)
  })

  it('is said in the language of the account on a device that has not been told of it', async () => {
    const person = await test.person()
    expect((await mutate('account.setLocale', { locale: 'zh-CN' }, person)).status).toBe(200)
    const english = { cookie: person.cookie, 'accept-language': 'en' }
    expect((await missing(english)).data.sentence).toBe('找不到图片。')
  })

  it('for its input is said to people as they would say it, and to programs as zod does', async () => {
    const person = await test.person()
    const headers = { ...JSON_TYPE, 'accept-language': 'zh-CN' }
    const coded = await readError(await mutate('account.setLocale', { locale: 'tlh' }, person, headers))
    expect(coded.data.sentence).toBe('从本站的语言中选择，例如 zh-CN；null 表示跟随浏览器。')
    const uncoded = await readError(await mutate('image.update', { id: 7 }, person, headers))
    expect([uncoded.message, uncoded.data.sentence]).toEqual([expect.stringMatching(/^Invalid input/), '输入无效。'])
  })
})

describe('a batch', () => {
  it('of 20 calls is charged for each', async () => {
    const person = await test.person()
    stopClock()
    const response = await call(`${Array(20).fill('account.me').join(',')}?batch=1`, { as: person })
    expect(response.status).toBe(200)
    expect(response.headers.get('ratelimit')).toMatch(/^"account-view-1s";r=0;t=1, "account-view-1m";r=280;t=60$/)
    expect((await call('account.me', { as: person })).status).toBe(429)
  })

  it('waits for its permits with others of its client, and takes none once that has left', async () => {
    const [root, person] = await Promise.all([test.person({ role: 'superadmin' }), test.person()])
    await test.as(root).limits.override({
      ruleSet: 'account-view',
      target: { kind: 'subject', subject: person.viewer.userId },
      terms: { rules: [{ limit: 50, window: '100ms' }], wait: '60s' },
    })
    const batch = `${Array(20).fill('account.me').join(',')}?batch=1`
    const leaving = new AbortController()
    const left = call(batch, { as: person, signal: leaving.signal })
    const stay = Array.from({ length: 9 }, () => call(batch, { as: person, headers: { prefer: 'wait=600' } }))
    leaving.abort()
    await expect(left).rejects.toThrow('aborted')
    for (const response of await Promise.all(stay)) {
      expect([response.status, response.headers.get('preference-applied')]).toEqual([200, 'wait=60'])
    }
    stopClock()
    const hasty = await Promise.all(
      Array.from({ length: 4 }, () => call(batch, { as: person, headers: { prefer: 'wait=0' } })),
    )
    expect(hasty.map(({ headers }) => headers.get('preference-applied'))).toEqual(Array(4).fill('wait=0'))
    expect(hasty.map(({ status }) => status)).toContain(429)
  })

  it('is allowed as far as its limits go, with an answer for each call', async () => {
    await using site = await startApp()
    const caller = { address: '127.0.0.1', userId: null, shared: false }
    await site.app.limiter.reserve([{ sets: compileRuleSets('test', setUp), caller, cost: 7 }])
    const input = { code: 'x', username: 'someone', password: 'long enough to pass' }
    const response = await fetch(`${site.origin}/api/trpc/${Array(5).fill('setup.createOwner').join(',')}?batch=1`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(Object.fromEntries(Array.from({ length: 5 }, (_, at) => [at, input]))),
    })
    expect(response.status).toBe(207)
    const statuses = z
      .array(failure)
      .parse(await response.json())
      .map(({ error }) => error.data.httpStatus)
    expect(statuses).toEqual([403, 403, 403, 429, 429])
    expect(response.headers.get('ratelimit')).toMatch(/^"set-up-1m";r=0;t=\d+$/)
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('of more than 20 calls is refused as a whole', async () => {
    const response = await call(`${Array(500).fill('account.me').join(',')}?batch=1`)
    expect(response.status).toBe(400)
  })
})

describe('a body', () => {
  it('over 256 KiB is refused while it is being sent, with or without a stated length', async () => {
    const person = await test.person()
    const body = JSON.stringify({ currentPassword: 'x'.repeat(5_000_000), newPassword: '' })
    expect(
      (await call('account.changePassword', { method: 'POST', body, headers: JSON_TYPE, as: person })).status,
    ).toBe(413)

    const req = request(`${test.origin}/api/trpc/account.changePassword`, {
      method: 'POST',
      headers: { ...JSON_TYPE, cookie: person.cookie },
    })
    req.on('error', () => undefined)
    const answered = new Promise<IncomingMessage>((resolve) => req.once('response', resolve))
    let sent = 0
    const chunk = Buffer.alloc(64 * 1024, ' ')
    // Sends as fast as the connection takes it, and never ends.
    const pump = () => {
      do sent += chunk.length
      while (req.write(chunk))
      req.once('drain', pump)
    }
    pump()
    expect((await answered).statusCode).toBe(413)
    req.destroy()
    // What the connection's buffers hold at most.
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it.each(['user', 'admin'] as const)(
    'is not waited for when the %s who sends it may not make the call',
    async (role) => {
      const { cookie } = await test.person({ role })
      const head = [
        'POST /api/trpc/limits.import HTTP/1.1',
        'Host: x',
        `Cookie: ${cookie}`,
        'Content-Type: application/json',
      ]
      const { status } = await sendRaw(test.origin, [...head, 'Content-Length: 4000000', '', '{"file":[['].join('\r\n'))
      expect(status).toBe(403)
    },
  )

  it('nested 10,000 levels deep is a bad request', async () => {
    const person = await test.person()
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const response = await call('account.revokeSession', {
      method: 'POST',
      body: `{"id":${deep}}`,
      headers: JSON_TYPE,
      as: person,
    })
    expect(response.status).toBe(400)
  })

  it('of invalid JSON is a bad request, and other types are refused', async () => {
    const person = await test.person()
    expect(
      (await call('account.revokeSession', { method: 'POST', body: '{', headers: JSON_TYPE, as: person })).status,
    ).toBe(400)
    const text = await call('account.signOutEverywhere', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
      as: person,
    })
    expect(text.status).toBe(415)
    expect(await test.app.findViewer({ cookie: person.cookie })).not.toBeNull()
  })

  it.each([
    '{"id":"x","__proto__":{"polluted":1}}',
    '{"id":"x","constructor":{"prototype":{"polluted":1}}}',
    '{"id":{"not":""}}',
    '{"id":{"contains":""}}',
    '{"id":["a"]}',
    '{"id":null}',
    '{}',
    '{"id":"00000000-0000-4000-8000-000000000000","userId":"00000000-0000-4000-8000-000000000000"}',
  ])('that does not match the schema is a bad request and changes nothing: %s', async (body) => {
    const person = await test.person()
    const response = await call('account.revokeSession', { method: 'POST', body, headers: JSON_TYPE, as: person })
    expect(response.status).toBe(400)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(await test.app.findViewer({ cookie: person.cookie })).not.toBeNull()
  })
})

describe('a mutation', () => {
  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['fetch metadata', { 'sec-fetch-site': 'cross-site' }],
  ])('from %s is refused and does nothing', async (_, headers) => {
    const person = await test.person()
    const response = await mutate('account.signOutEverywhere', undefined, person, { ...JSON_TYPE, ...headers })
    expect(response.status).toBe(403)
    expect((await readError(response)).message).toBe(
      `Only pages of ${test.origin} may change anything here. If this site has another address, its owner must set SLUICE_ORIGIN.`,
    )
    expect(await test.app.findViewer({ cookie: person.cookie })).not.toBeNull()
  })

  it('from a page of the site is done', async () => {
    const person = await test.person()
    const response = await mutate('account.signOutEverywhere', undefined, person, { ...JSON_TYPE, origin: test.origin })
    expect(response.status).toBe(200)
    expect(await test.app.findViewer({ cookie: person.cookie })).toBeNull()
  })

  it('by GET, or by a method override, is refused', async () => {
    const person = await test.person()
    expect((await call('account.signOutEverywhere', { as: person })).status).toBe(405)
    const overridden = await call('account.me', {
      method: 'POST',
      headers: { ...JSON_TYPE, 'x-http-method-override': 'GET' },
      as: person,
    })
    expect(overridden.status).toBe(405)
    expect(await test.app.findViewer({ cookie: person.cookie })).not.toBeNull()
  })
})

describe('a session', () => {
  it('is valid only while its row exists', async () => {
    const person = await test.person()
    const ask = async () => (await call('account.sessions', { as: person })).status
    expect(await ask()).toBe(200)
    await test.app.db.session.delete({ where: { id: person.sessionId } })
    expect(await ask()).toBe(401)
  })

  it('ends with a ban, a change of role, a new password and a deletion, from the next request on', async () => {
    const root = await test.person({ role: 'superadmin' })
    const owner = test.as(root)
    const endings = [
      (id: string) => owner.user.ban({ id }),
      (id: string) => owner.user.update({ id, role: 'admin' }),
      (id: string) => owner.user.update({ id, shared: true }),
      (id: string) => resetPassword(test, root, id, 'another long one'),
      (id: string) => owner.user.delete({ id }),
    ]
    for (const end of endings) {
      const person = await test.person()
      await end(person.viewer.userId)
      expect((await call('account.sessions', { as: person })).status).toBe(401)
    }
  })

  it('is void if its token is forged, swapped or signed with another secret', async () => {
    const person = await test.person()
    const [name, token = ''] = person.cookie.split('=')
    for (const forged of ['', 'x', `${token.slice(0, -4)}AAAA`, token.split('').reverse().join('')]) {
      expect(await test.app.findViewer({ cookie: `${name}=${forged}` })).toBeNull()
    }
  })
})

describe('the client address', () => {
  it('is the peer whatever the headers say, so that the limit applies', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 11; at += 1) {
      const headers = {
        ...JSON_TYPE,
        'x-forwarded-for': `9.9.9.${at}`,
        'x-real-ip': `9.9.8.${at}`,
        'cf-connecting-ip': `9.9.7.${at}`,
        forwarded: `for=9.9.6.${at}`,
      }
      const input = JSON.stringify({ code: 'x', username: 'someone', password: 'long enough to pass' })
      statuses.push((await call('setup.createOwner', { method: 'POST', body: input, headers })).status)
    }
    expect(statuses.slice(0, 10).includes(429)).toBe(false)
    expect(statuses[10]).toBe(429)
  })
})

describe('a refusal', () => {
  it('names its rule and the wait in its message, data and headers', async () => {
    const person = await test.person()
    stopClock()
    for (let at = 0; at < 20; at += 1) await test.as(person).account.me()
    const response = await call('account.me', { as: person })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('1')
    const { message, data } = await readError(response)
    expect(message).toBe('Limit reached: account-view allows 20 per second. Try again in 1 s.')
    expect(data.limit).toEqual({
      ruleSet: 'account-view',
      policy: 'account-view-1s',
      rule: '20 per second',
      parts: { limit: 20, unit: 'calls', window: 1_000 },
      limit: 20,
      windowMs: 1000,
      retryAfterMs: expect.any(Number),
      waitedMs: 0,
      rules: [
        {
          ...{ policy: 'account-view-1s', unit: 'calls', limit: 20, windowMs: 1_000 },
          ...{ remaining: 0, resetMs: expect.any(Number) },
        },
        {
          ...{ policy: 'account-view-1m', unit: 'calls', limit: 300, windowMs: 60_000 },
          ...{ remaining: 280, resetMs: expect.any(Number) },
        },
      ],
    })
  })
})

describe('an upgrade', () => {
  it('is refused for every target', async () => {
    for (const path of ['/api/trpc', '/', 'http://169.254.169.254/latest/meta-data']) {
      const req = request(test.origin, {
        path,
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-key': 'x',
          'sec-websocket-version': '13',
        },
      })
      const [response] = await Promise.all([once(req, 'response').then(([res]) => res), req.end()])
      expect(response.statusCode).toBe(400)
    }
    expect((await fetch(`${test.origin}/healthz`)).status).toBe(200)
  })
})

describe('a broken dependency', () => {
  it('is reported by request ID alone, without details', async () => {
    await using broken = await startApp()
    const person = await broken.person()
    await broken.app.db.$executeRawUnsafe('ALTER TABLE "Session" RENAME TO "Elsewhere"')
    const response = await fetch(`${broken.origin}/api/trpc/account.me`, { headers: { cookie: person.cookie } })
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(failure.parse(JSON.parse(text)).error.message).toBe('Something went wrong on our side.')
    expect(text).not.toMatch(/prisma|select|session"|elsewhere|node_modules|at .+:\d+|PGlite/i)
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})
