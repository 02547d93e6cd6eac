import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { flatPng, picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { purgeGuests } from './guest-purge.ts'
import type { GuestUploadAnswer } from './upload-as-guest.ts'

let served: TestApp
let root: Person
let admin: Person
let bytes: Buffer

beforeAll(async () => {
  served = await startApp({ ...behindProxy, SLUICE_MAX_UPLOAD: '1MB' })
  root = await served.person({ role: 'superadmin' })
  admin = await served.person({ role: 'admin' })
  bytes = await picture({ width: 300, height: 200, seed: 77 })
})
afterAll(() => served[Symbol.asyncDispose]())
beforeEach(() => set({}))

type Settings = Parameters<ReturnType<TestApp['as']>['site']['update']>[0]['change']

/** Sets guests' settings; those that are left out get their defaults, and uploading is on. */
async function set(change: Settings): Promise<void> {
  const { site } = served.as(root)
  const base = {
    SLUICE_GUEST_UPLOAD: 'on',
    SLUICE_GUEST_IMAGES: null,
    SLUICE_GUEST_STORAGE: null,
    SLUICE_GUEST_DAYS: null,
  }
  await site.update({ version: (await site.settings()).version, change: { ...base, ...change } })
}

/** Each guest has a network of their own. */
let networks = 0
const address = () => `198.${18 + Math.floor(++networks / 250)}.${networks % 250}.9`

interface Sending {
  readonly from?: string
  readonly body?: Buffer
  readonly headers?: Record<string, string>
}

async function send({ from = address(), body = bytes, headers = {} }: Sending = {}) {
  const answer = await fetch(`${served.origin}/api/trpc/guest.upload`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'x-file-name': 'shot.jpg',
      'x-forwarded-for': from,
      ...headers,
    },
    body: new Uint8Array(body),
  })
  const json: { result?: { data: GuestUploadAnswer }; error?: { data: { reason: string | null; code: string } } } =
    JSON.parse(await answer.text())
  return {
    status: answer.status,
    image: json.result?.data,
    reason: json.error?.data.reason,
    code: json.error?.data.code,
  }
}

async function sendAccepted(sending: Sending = {}): Promise<GuestUploadAnswer> {
  const { image, status, code } = await send(sending)
  if (!image) throw new Error(`${status}: ${code}`)
  return image
}

const linkOf = ({ deletionUrl }: GuestUploadAnswer) => deletionUrl.split('/').at(-1) ?? ''
const accounts = () => served.app.db.user.count({ where: { guestUntil: { not: null } } })
const end = (image: GuestUploadAnswer) =>
  served.app.db.user.updateMany({ where: { images: { some: { id: image.id } } }, data: { guestUntil: new Date(1) } })
const purge = () => purgeGuests(served.app)
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: unknown) => Reflect.get(Object(error), 'code'),
  )

async function clear() {
  await served.app.db.user.updateMany({ where: { guestUntil: { not: null } }, data: { guestUntil: new Date(1) } })
  await purge()
}

describe('a guest', () => {
  test('gets a link, a deletion link and an end, for an image that an account without sign-in owns', async () => {
    await set({ SLUICE_GUEST_DAYS: '3' })
    const image = await sendAccepted({ headers: { 'x-visibility': 'private', 'x-album': 'Mine' } })
    expect(image).toMatchObject({ isNew: true, visibility: 'link', filename: 'shot.jpg', awaitsApproval: false })
    const days = (Date.parse(image.endsAt) - Date.now()) / (24 * 60 * 60 * 1_000)
    expect(Math.round(days * 100)).toBe(300)
    expect((await read(image.url)).status).toBe(200)
    const { ownerId } = await served.app.db.image.findUniqueOrThrow({ where: { id: image.id } })
    const owner = await served.app.db.user.findUniqueOrThrow({ where: { id: ownerId } })
    expect(owner).toMatchObject({ username: 'Guest', role: 'user', passwordHash: '', usedBytes: BigInt(image.size) })
    const users = await served.as(root).user.list({ search: 'guest' })
    expect([users.items, users.total]).toEqual([[], 0])
    for (const act of [
      served.as(root).user.ban({ id: ownerId }),
      served.as(root).user.update({ id: ownerId, role: 'admin' }),
      served.as(root).user.resetPassword({ id: ownerId }),
      served.as(root).user.delete({ id: ownerId }),
    ])
      expect(await outcome(act)).toBe('NOT_FOUND')
  })

  test('cannot upload unless the site lets guests, and users do so as themselves', async () => {
    await set({ SLUICE_GUEST_UPLOAD: 'off' })
    const before = await accounts()
    expect(await send()).toMatchObject({ status: 403, reason: 'guest-upload-off' })
    await set({})
    expect(await send({ headers: { cookie: admin.cookie } })).toMatchObject({ status: 403, reason: null })
    expect(await send({ headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } })).toMatchObject({
      status: 403,
    })
    expect(await accounts()).toBe(before)
  })

  test('is refused if uploading is switched off while the file arrives, and leaves nothing', async () => {
    const before = await accounts()
    const sending = request(`${served.origin}/api/trpc/guest.upload`, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': bytes.length,
        'x-file-name': 'late.jpg',
        'x-forwarded-for': address(),
      },
    })
    sending.write(bytes.subarray(0, 100))
    await expect.poll(accounts).toBe(before + 1)
    await set({ SLUICE_GUEST_UPLOAD: 'off' })
    sending.end(bytes.subarray(100))
    const [answer] = await once(sending, 'response')
    answer.resume()
    expect(answer.statusCode).toBe(403)
    await expect.poll(accounts).toBe(before)
  })

  test('with the same file as another has an image of their own: one deletes theirs, the other’s stays', async () => {
    const body = await picture({ width: 200, height: 200, seed: 78 })
    const [one, two] = [await sendAccepted({ body }), await sendAccepted({ body })]
    expect(one.sha256).toBe(two.sha256)
    for (const key of ['id', 'slug', 'url', 'deletionUrl'] as const) expect(one[key]).not.toBe(two[key])
    expect(await served.as(null).image.showByLink({ link: linkOf(one) })).toMatchObject({ isFinal: true })
    expect(await served.as(null).image.deleteByLink({ link: linkOf(one) })).toMatchObject({ isFinal: true })
    expect([(await read(one.url)).status, (await read(two.url)).status]).toEqual([404, 200])
    expect(await outcome(served.as(null).image.showByLink({ link: linkOf(one) }))).toBe('NOT_FOUND')
    await purge()
    expect(await served.app.db.image.count({ where: { id: one.id } })).toBe(0)
    expect((await read(two.url)).status).toBe(200)
    await served.as(null).image.deleteByLink({ link: linkOf(two) })
    await purge()
    const object = await served.app.db.storedObject.findUnique({ where: { sha256: two.sha256 } })
    expect(object?.state ?? 'deleting').toBe('deleting')
  })

  test('who is a user’s neighbour by the same file shares nothing with them', async () => {
    const user = await served.person()
    const own = await fetch(`${served.origin}/api/trpc/image.upload`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'x-file-name': 'own.jpg', cookie: user.cookie },
      body: new Uint8Array(bytes),
    })
    const guest = await sendAccepted()
    const { result }: { result: { data: { id: string } } } = JSON.parse(await own.text())
    expect(guest.isNew).toBe(true)
    await end(guest)
    await purge()
    expect(await served.app.db.image.count({ where: { id: result.data.id } })).toBe(1)
  })
})

describe('the end', () => {
  test('deletes the image and its account, and no other', async () => {
    const [due, young] = [await sendAccepted(), await sendAccepted()]
    await end(due)
    expect(await purge()).toBe(1)
    expect((await read(due.url)).status).toBe(404)
    expect((await read(young.url)).status).toBe(200)
    expect(await served.app.db.user.count({ where: { images: { none: {} }, guestUntil: { not: null } } })).toBe(0)
  })

  test('comes soon for what a killed process has left of an upload', async () => {
    const id = crypto.randomUUID()
    const facts = { username: 'Guest', usernameKey: `guest:${id}`, passwordHash: '', quotaBytes: 9 }
    await served.app.db.user.create({ data: { id, ...facts, guestUntil: new Date(Date.now() - 1) } })
    expect(await purge()).toBe(1)
    expect(await served.app.db.user.count({ where: { id } })).toBe(0)
  })
})

describe('approval', () => {
  beforeEach(() => set({ SLUICE_GUEST_UPLOAD: 'approval' }))

  test('comes before anybody but admins sees the image, at the address that the guest was given', async () => {
    const image = await sendAccepted()
    expect(image).toMatchObject({ awaitsApproval: true, visibility: 'private' })
    const user = await served.person()
    expect([(await read(image.url)).status, (await read(image.url, user)).status]).toEqual([404, 404])
    expect((await read(image.url, admin)).status).toBe(200)
    const { items } = await served.as(admin).guest.list({ limit: 50 })
    expect(items.find(({ id }) => id === image.id)).toMatchObject({ slug: image.slug, endsAt: image.endsAt })
    await served.as(admin).guest.approve({ id: image.id })
    expect((await read(image.url)).status).toBe(200)
    expect(await outcome(served.as(admin).guest.approve({ id: image.id }))).toBe('NOT_FOUND')
    expect(await outcome(served.as(admin).guest.reject({ id: image.id }))).toBe('NOT_FOUND')
  })

  test('is refused by deleting the image, and its guest can delete it before', async () => {
    const [rejected, withdrawn] = [await sendAccepted(), await sendAccepted()]
    const before = await accounts()
    await served.as(admin).guest.reject({ id: rejected.id })
    expect(await accounts()).toBe(before - 1)
    expect((await read(rejected.url, admin)).status).toBe(404)
    await served.as(null).image.deleteByLink({ link: linkOf(withdrawn) })
    expect(await outcome(served.as(admin).guest.approve({ id: withdrawn.id }))).toBe('NOT_FOUND')
    const { items } = await served.as(admin).guest.list({ limit: 50 })
    expect(items.map(({ id }) => id)).not.toContain(withdrawn.id)
  })

  test('shows shared admins the queue without addresses', async () => {
    await sendAccepted()
    const shared = await served.person({ role: 'admin', shared: true })
    const { items } = await served.as(shared).guest.list()
    expect(new Set(items.map(({ address }) => address))).toEqual(new Set([null]))
  })
})

describe('the budget', () => {
  beforeEach(clear)

  test('of images, reached by two at once, lets exactly one pass', async () => {
    await set({ SLUICE_GUEST_IMAGES: '1' })
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 413])
    expect(answers.map(({ reason }) => reason ?? null)).toContain('guest-budget')
    expect(await accounts()).toBe(1)
  })

  test('of bytes counts what is stored after cleaning, and is free again after the end', async () => {
    const { size } = await sendAccepted()
    await clear()
    await set({ SLUICE_GUEST_STORAGE: `${Math.ceil((bytes.length + size) / 1_024) - 1}KB` })
    const first = await sendAccepted()
    expect(await send()).toMatchObject({ status: 413, reason: 'guest-budget' })
    await end(first)
    await purge()
    expect((await send()).status).toBe(200)
  })

  test('is free again after a file that is refused, such as a bomb', async () => {
    await set({ SLUICE_GUEST_IMAGES: '1' })
    for (const body of [flatPng(20_000, 20_000), Buffer.from('not an image'), Buffer.alloc(0)])
      expect([413, 415, 422]).toContain((await send({ body })).status)
    expect(await accounts()).toBe(0)
    expect((await send()).status).toBe(200)
  })

  test('has a twentieth for a network, whatever it stores or holds, and room for others', async () => {
    await set({ SLUICE_GUEST_IMAGES: '40', SLUICE_GUEST_STORAGE: '20MB' })
    const shut = { status: 413, reason: 'guest-budget' }
    for (const [networks, other] of [
      [['203.0.114.1', '203.0.114.2', '203.0.114.3'], '203.0.115.1'],
      [['2001:db8:5:1::1', '2001:db8:5:2::1', '2001:db8:5:3::1'], '2001:db8:6::1'],
    ] as const) {
      const [one, two, three] = networks
      expect([(await send({ from: one })).status, (await send({ from: two })).status]).toEqual([200, 200])
      expect(await send({ from: three })).toMatchObject(shut)
      expect((await send({ from: other })).status).toBe(200)
    }
    await set({ SLUICE_GUEST_STORAGE: '20MB' })
    const all = {
      'transfer-encoding': 'chunked',
      'x-forwarded-for': '203.0.116.1',
      'content-type': 'application/octet-stream',
    }
    const holding = request(`${served.origin}/api/trpc/guest.upload`, { method: 'POST', headers: all })
    holding.on('error', () => undefined).write(bytes.subarray(0, 100))
    await expect.poll(accounts).toBe(7)
    expect(await send({ from: '203.0.116.2' })).toMatchObject(shut)
    expect((await send()).status).toBe(200)
    holding.destroy()
    await expect.poll(accounts).toBe(7)
  })

  test('holds of a form that does not end what its files take, and no more', async () => {
    const quotas = async () => {
      const found = await served.app.db.user.findMany({
        where: { guestUntil: { not: null } },
        orderBy: { quotaBytes: 'desc' },
      })
      return found.map(({ quotaBytes }) => Number(quotaBytes))
    }
    const { size } = await sendAccepted()
    await clear()
    const part = (file: Buffer) =>
      Buffer.concat([
        Buffer.from('--B\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'),
        file,
        Buffer.from('\r\n'),
      ])
    const files = Buffer.concat([bytes, bytes, bytes].map(part))
    const headers = {
      'content-type': 'multipart/form-data; boundary=B',
      'content-length': files.length + 1_000_000,
      'x-forwarded-for': address(),
    }
    const form = request(`${served.origin}/upload`, { method: 'POST', headers }).on('error', () => undefined)
    form.write(files)
    // The end of the last one is not known before the next part begins.
    await expect.poll(quotas).toEqual([expect.any(Number), size, size])
    form.destroy()
    await expect.poll(quotas).toEqual([])
  })

  test('refuses a file that is too large before its body is read', async () => {
    const length = String(1024 ** 2 + 1)
    const sending = request(`${served.origin}/api/trpc/guest.upload`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'content-length': length, 'x-forwarded-for': address() },
    })
    sending.on('error', () => undefined)
    sending.flushHeaders()
    const [answer] = await once(sending, 'response')
    expect(answer.statusCode).toBe(413)
    sending.destroy()
    expect(await accounts()).toBe(0)
  })
})

describe('the form', () => {
  const post = (files: readonly Buffer[], headers: Record<string, string> = {}, from = address()) => {
    const body = new FormData()
    for (const [at, file] of files.entries()) body.append('file', new File([new Uint8Array(file)], `f${at}.jpg`))
    const accept = 'text/html,application/xhtml+xml'
    return fetch(`${served.origin}/upload`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept, 'x-forwarded-for': from, ...headers },
      body,
    })
  }

  test('without script leads back to its page, which alone gets the links', async () => {
    const answer = await post([bytes, Buffer.from('no image')], { 'accept-language': 'zh-CN' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/upload'])
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^sluice\.sent=[\w-]+; Path=\/upload; Max-Age=900; HttpOnly; SameSite=Lax$/)
    const sent: unknown = JSON.parse(Buffer.from(cookie.slice(12, cookie.indexOf(';')), 'base64url').toString())
    expect(sent).toMatchObject([
      { name: 'f0.jpg', link: expect.stringMatching(/^[\w-]{43}$/), awaits: false },
      { name: 'f1.jpg', problem: expect.stringMatching(/\p{Script=Han}/u) },
    ])
  })

  test('gets a page in the reader’s language, with the status of the refusal, if nothing was stored', async () => {
    await clear()
    await set({ SLUICE_GUEST_STORAGE: '1KB' })
    const answer = await post([bytes], { 'accept-language': 'zh-CN' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain('本站留给访客的存储空间已用完')
    await set({ SLUICE_GUEST_UPLOAD: 'off' })
    expect((await post([bytes])).status).toBe(403)
    expect((await post([bytes], { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status).toBe(403)
  })

  test('answers programs with JSON, and is limited by address', async () => {
    const from = address()
    const json = await post([bytes], { accept: '*/*' }, from)
    expect(await json.json()).toMatchObject({ result: 'success', deletion_url: expect.stringContaining('/delete/') })
    const statuses: number[] = []
    for (let at = 0; at < 10; at += 1) statuses.push((await post([Buffer.from('x')], {}, from)).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

test('260 connections of one network keep nobody else from uploading', async () => {
  await clear()
  const flood = Array.from({ length: 260 }, (_, at) => {
    const sending = request(`${served.origin}/api/trpc/guest.upload`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': bytes.length,
        'x-forwarded-for': `203.0.113.${at % 250}`,
      },
    })
    sending.on('error', () => undefined)
    sending.on('response', (answer) => answer.resume())
    sending.write(bytes.subarray(0, 50))
    return sending
  })
  try {
    await expect.poll(accounts).toBe(4)
    expect((await send()).status).toBe(200)
    expect(await accounts()).toBe(5)
  } finally {
    for (const sending of flood) sending.destroy()
  }
  await expect.poll(accounts).toBe(1)
})
