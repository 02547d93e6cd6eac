import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { toCaller } from '#server/accounts/viewer.ts'
import { upload } from '#server/images/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import { ObjectStoreUnavailable } from '#server/storage/object-store.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { formBody } from '#testing/http/form-body.ts'
import { everythingKept, sendUpload } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let root: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
})
afterAll(() => test[Symbol.asyncDispose]())

const MULTIPART = 'multipart/form-data; boundary=xx'
const TEXT = Buffer.from('this is no image')

interface Client {
  readonly person: Person
  readonly token: string
}

async function newClient(): Promise<Client> {
  const person = await test.person()
  return { person, token: (await insertToken(test, person, ['upload'])).token }
}

/** Limits a user to this many files an hour. */
const allow = ({ viewer }: Person, limit: number) =>
  test.as(root).limits.override({
    ruleSet: 'upload',
    target: { kind: 'subject', subject: viewer.userId },
    terms: { rules: [{ limit, window: '1h' }] },
  })

function post(token: string, path: string, type: string | null, body: Buffer | string, method = 'POST') {
  const headers = { authorization: `Bearer ${token}`, ...(type && { 'content-type': type }) }
  return fetch(test.origin + path, { method, headers, body: new Uint8Array(Buffer.from(body)) })
}

const form = (files: readonly Buffer[]) =>
  formBody(
    'xx',
    files.map((value, at) => ({ name: 'file[]', filename: `${at}.png`, type: 'image/png', value })),
  )

const pictures = (count: number, seed: number) =>
  Promise.all(
    Array.from({ length: count }, (_, at) => picture({ format: 'png', width: 16, height: 12, seed: seed + at })),
  )

const sets = compileRuleSets('test', upload)

/** Bytes and files charged to a user since yesterday. */
async function charged({ viewer }: Person) {
  const { rules } = await test.app.limiter.peek([{ sets, caller: toCaller(viewer, '127.0.0.1'), bytes: 1 }])
  const used = (policy: string) =>
    rules.filter((rule) => rule.policy === policy).map((rule) => rule.limit - rule.remaining)[0]
  return { files: used('upload-1d'), bytes: used('upload-bytes-day'), places: used('uploading-concurrent') }
}

describe('every upload endpoint', () => {
  const base64 = TEXT.toString('base64')
  const roads: readonly ((client: Client) => Promise<Response>)[] = [
    ({ person }) => sendUpload(test, person, TEXT),
    ({ token }) => post(token, '/api/upload', MULTIPART, form([TEXT])),
    ({ token }) => post(token, '/api/v1/upload', MULTIPART, form([TEXT])),
    ({ token }) =>
      post(token, '/api/1/upload', 'application/x-www-form-urlencoded', `source=${encodeURIComponent(base64)}`),
    ({ token }) => post(token, '/api/upload', 'application/json', JSON.stringify({ file: base64 })),
    ({ token }) => post(token, '/api/upload', 'image/png', TEXT),
    ({ token }) => post(token, '/api/upload/a.png', null, TEXT, 'PUT'),
  ]

  it('charges a file and its actual bytes once', async () => {
    for (const [index, road] of roads.entries()) {
      const client = await newClient()
      expect([index, (await road(client)).status]).toEqual([index, 415])
      expect(await charged(client.person)).toEqual({ files: 1, bytes: TEXT.length, places: 0 })
    }
  })

  it('shares one limit with the others, even over two tokens', async () => {
    const client = await newClient()
    const other = { ...client, token: (await insertToken(test, client.person, ['upload'])).token }
    await allow(client.person, 9)
    const answers: Response[] = []
    for (const who of [client, other]) for (const road of roads) answers.push(await road(who))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toEqual([...Array(9).fill(415), ...Array(5).fill(429)])
    for (const { headers } of answers.slice(9)) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000)
      expect(headers.get('ratelimit')).toContain('"upload-1h";r=0')
    }
  })

  it('states the wait in a short response', async () => {
    const { person, token } = await newClient()
    await allow(person, 1)
    await post(token, '/api/upload', MULTIPART, form([TEXT]))
    const answer = await post(token, '/api/upload', MULTIPART, form([TEXT]))
    expect(answer.status).toBe(429)
    expect(await answer.json()).toMatchObject({
      error: 'too-many-requests',
      message: 'Limit reached: upload allows 1 per hour. Try again in 1 h.',
      sent: 1,
      refused: 1,
    })
    const lsky = await post(token, '/api/v1/upload', MULTIPART, form([TEXT]))
    expect([lsky.status, (await lsky.json()).status]).toEqual([429, false])
    const text = await post(token, '/api/upload?format=txt', MULTIPART, form([TEXT]))
    expect([text.status, (await text.text()).split('\n').length]).toEqual([429, 2])
  })
})

describe('several files', () => {
  const readStatus = (file: { status?: number }) => file.status ?? 200
  const readReport = async (answer: Response) => {
    const { sent, stored, refused, files, unread } = await answer.json()
    return { status: answer.status, sent, stored, refused, files: files.map(readStatus), unread }
  }

  it('have an answer each: two of twenty are refused, and the others are stored', async () => {
    const { token } = await newClient()
    const files = await pictures(20, 1_000)
    files[3] = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    files[17] = (files[17] ?? Buffer.alloc(0)).subarray(0, 300)
    const before = await everythingKept(test)
    const report = await readReport(await post(token, '/api/upload', MULTIPART, form(files)))
    const expected = files.map((_, at) => (at === 3 ? 415 : at === 17 ? 422 : 200))
    expect(report).toEqual({ status: 200, sent: 20, stored: 18, refused: 2, files: expected, unread: undefined })
    expect((await everythingKept(test)).images - before.images).toBe(18)
  })

  it('are stored up to the limit, and refused one by one beyond it', async () => {
    const { person, token } = await newClient()
    await allow(person, 3)
    const answer = await post(token, '/api/upload', MULTIPART, form(await pictures(5, 2_000)))
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(await readReport(answer)).toEqual({
      status: 200,
      sent: 5,
      stored: 3,
      refused: 2,
      files: [200, 200, 200, 429, 429],
      unread: undefined,
    })
    expect(await test.app.db.image.count({ where: { ownerId: person.viewer.userId } })).toBe(3)
  })

  it('are refused beyond twenty, without a charge', async () => {
    const { person, token } = await newClient()
    const files = await pictures(1, 3_000)
    const all = [...Array.from({ length: 19 }, () => TEXT), ...files, TEXT, TEXT]
    const report = await readReport(await post(token, '/api/upload', MULTIPART, form(all)))
    const expected = [...Array(19).fill(415), 200, 413, 413]
    expect(report).toEqual({ status: 200, sent: 22, stored: 1, refused: 21, files: expected, unread: undefined })
    expect((await charged(person)).files).toBe(20)
  })

  it('have one line each as text', async () => {
    const { token } = await newClient()
    const [one, other] = await pictures(2, 4_000)
    if (!one || !other) throw new Error('there are two')
    const answer = await post(token, '/api/upload?format=txt', MULTIPART, form([one, TEXT, other]))
    const lines = (await answer.text()).split('\n')
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual(['http', 'refused', 'http', ''])
    expect(lines[1]).toBe('refused: 1.png: Only JPEG, PNG, GIF, WebP, AVIF and HEIC images are supported.')
  })

  it('have one line each if all are refused; a single file has only the reason', async () => {
    const { token } = await newClient()
    const why = 'Only JPEG, PNG, GIF, WebP, AVIF and HEIC images are supported.'
    const answers = [[TEXT, TEXT], [TEXT]].map(async (files) => {
      const answer = await post(token, '/api/upload?format=txt', MULTIPART, form(files))
      return { status: answer.status, lines: (await answer.text()).split('\n') }
    })
    expect(await Promise.all(answers)).toEqual([
      { status: 415, lines: [`refused: 0.png: ${why}`, `refused: 1.png: ${why}`, ''] },
      { status: 415, lines: [why, ''] },
    ])
  })

  it('are not stored if one of them ends too early', async () => {
    const { token } = await newClient()
    const body = form(await pictures(2, 5_000))
    const answer = await post(token, '/api/upload', MULTIPART, body.subarray(0, -200))
    expect(await readReport(answer)).toEqual({
      status: 400,
      sent: 2,
      stored: 0,
      refused: 2,
      files: [400, 400],
      unread: true,
    })
  })

  it('hold one place among concurrent uploads, from the first good file until the last is stored', async () => {
    const { person, token } = await newClient()
    const { images } = test.app
    const seen: number[] = []
    const [receive, store] = [images.receive, images.storeReceived]
    const places = async (): Promise<void> => void seen.push((await charged(person)).places ?? Number.NaN)
    const spies = [
      vi.spyOn(images, 'receive').mockImplementation((...given) => places().then(() => receive(...given))),
      vi.spyOn(images, 'storeReceived').mockImplementation((...given) => places().then(() => store(...given))),
    ]
    const files = [TEXT, ...(await pictures(12, 6_000)), TEXT]
    const report = await readReport(await post(token, '/api/upload', MULTIPART, form(files)))
    for (const spy of spies) spy.mockRestore()
    expect(report).toMatchObject({ status: 200, sent: 14, stored: 12, refused: 2 })
    expect(seen).toEqual(Array(14 + 12).fill(1))
    expect(await charged(person)).toMatchObject({ files: 14, places: 0 })
  })

  it('share the owner’s quota: those beyond it are refused', async () => {
    const { person, token } = await newClient()
    const files = await pictures(3, 7_000)
    const [first, second] = files.map(({ length }) => length)
    const quotaBytes = (first ?? 0) + (second ?? 0)
    await test.app.db.user.update({ where: { id: person.viewer.userId }, data: { quotaBytes } })
    const report = await readReport(await post(token, '/api/upload', MULTIPART, form(files)))
    expect(report).toMatchObject({ status: 200, stored: 2, refused: 1, files: [200, 200, 413] })
  })

  it('have the status of the first refusal if none is stored', async () => {
    const { token } = await newClient()
    const answer = await post(token, '/api/upload', MULTIPART, form([TEXT, Buffer.alloc(0)]))
    expect(await readReport(answer)).toEqual({
      status: 415,
      sent: 2,
      stored: 0,
      refused: 2,
      files: [415, 422],
      unread: undefined,
    })
  })
})

describe('does not receive what is refused before it is read:', () => {
  const requestStart = z.object({ socket: z.instanceof(Socket) })

  /** Sends a form of 20 MB whatever the response. Returns the status, and how many bytes the server read. */
  async function insist(authorization: string): Promise<{ status: number; read: number }> {
    const { promise: connection, resolve } = Promise.withResolvers<Socket>()
    const note = (message: unknown) => resolve(requestStart.parse(message).socket)
    subscribe('http.server.request.start', note)
    const body = form([Buffer.alloc(20_000_000)])
    const socket = connect(Number(new URL(test.origin).port), '127.0.0.1')
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    let answer = ''
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        answer += chunk.toString('latin1')
      })
    const head = [
      'POST /api/upload HTTP/1.1',
      'Host: x',
      authorization,
      `Content-Type: ${MULTIPART}`,
      `Content-Length: ${body.length}`,
    ]
    socket.write([...head, '', ''].join('\r\n'))
    socket.write(body)
    const { bytesRead } = await closed.then(() => connection)
    unsubscribe('http.server.request.start', note)
    return { status: Number(answer.split(' ')[1]), read: bytesRead }
  }

  it.each([
    ['without a token', 401, () => 'X-Nothing: x'],
    ['with a void token', 401, () => 'Authorization: Bearer slu_void'],
    [
      'with one that may not upload',
      403,
      async () => `X-API-Key: ${(await insertToken(test, await test.person(), ['read'])).token}`,
    ],
    [
      'past the limit',
      429,
      async () => {
        const { person, token } = await newClient()
        await allow(person, 1)
        await post(token, '/api/upload', MULTIPART, form([TEXT]))
        return `Authorization: ${token}`
      },
    ],
  ])('a file %s', async (_, status, authorization) => {
    const answer = await insist(await authorization())
    expect(answer.status).toBe(status)
    expect(answer.read).toBeLessThan(600 * 1024)
  })
})

describe('an outage or a spent budget', () => {
  it.each([
    ['unavailable', new ObjectStoreUnavailable('s3.internal:9000 said no'), 'service-unavailable', '5'],
    ['spent', new BudgetSpent('This site has used up its budget.', null), 'budget-spent', '3600'],
  ])('is 503 on every endpoint (%s), with Retry-After', async (_, error, code, retryAfter) => {
    const { token } = await newClient()
    const receive = vi.spyOn(test.app.images, 'receive').mockRejectedValue(error)
    for (const path of ['/api/upload', '/api/v1/upload', '/api/1/upload']) {
      const answer = await post(token, path, MULTIPART, form([TEXT]))
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, retryAfter])
      const body = await answer.text()
      expect(body).toContain(code)
      expect(body).not.toContain('s3.internal')
    }
    receive.mockRestore()
  })
})
