import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let root: Person
let image: StoredImage

beforeAll(async () => {
  served = await startApp({ SLUICE_TRUSTED_PROXIES: '127.0.0.1' })
  root = await served.person({ role: 'superadmin' })
  image = await storeImageFor(served, root)
})
afterAll(() => served[Symbol.asyncDispose]())

const OWN = '203.0.113.7'
const api = () => served.as(root, OWN).access
const get = (path: string, address: string) =>
  fetch(`${served.origin}${path}`, { headers: { 'X-Forwarded-For': address } })

describe('a blocked range', () => {
  test('gets 403 on every route, before anything is charged or looked up', async () => {
    await api().setRule({ cidr: '198.51.100.0/24', verdict: 'deny' })
    const spies = [
      vi.spyOn(served.app.limiter, 'obtain'),
      vi.spyOn(served.app.limiter, 'take'),
      vi.spyOn(served.app.db.image, 'findUnique'),
      vi.spyOn(served.app, 'findViewer'),
    ]
    const paths = [new URL(image.url).pathname, '/i/x', '/api/trpc/account.me', '/healthz', '/readyz', '/', '/metrics']
    for (const path of paths) {
      const answer = await get(path, '198.51.100.99')
      expect([path, answer.status, await answer.text()]).toEqual([path, 403, 'Your address is blocked.\n'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      for (const form of ['::ffff:198.51.100.99', '2002:c633:6463::1', '64:ff9b::c633:6463', '::ffff:0:c633:6463'])
        expect([form, (await get(path, form)).status]).toEqual([form, 403])
    }
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    vi.restoreAllMocks()
    expect((await get('/healthz', '198.51.101.1')).status).toBe(200)
  })

  test('excludes narrower allowed ranges, and ends when the rule is removed', async () => {
    await api().setRule({ cidr: '198.51.100.7', verdict: 'allow', note: 'the office' })
    expect((await get('/healthz', '198.51.100.7')).status).toBe(200)
    expect((await get('/healthz', '198.51.100.8')).status).toBe(403)
    expect((await api().list()).rules.map(({ cidr, verdict, note }) => [cidr, verdict, note])).toEqual([
      ['198.51.100.0/24', 'deny', null],
      ['198.51.100.7/32', 'allow', 'the office'],
    ])
    await api().removeRule({ cidr: '198.51.100.0/24' })
    await api().removeRule({ cidr: '198.51.100.0/24' })
    expect((await get('/healthz', '198.51.100.8')).status).toBe(200)
    await api().removeRule({ cidr: '198.51.100.7' })
  })

  test('can never include the address of the superadmin who changes the rules', async () => {
    const refusal = { code: 'BAD_REQUEST', message: expect.stringContaining('your own address') }
    for (const cidr of [OWN, '203.0.113.0/24', '0.0.0.0/0', `::ffff:${OWN}`])
      await expect(api().setRule({ cidr, verdict: 'deny' })).rejects.toMatchObject(refusal)
    await api().setRule({ cidr: OWN, verdict: 'allow' })
    await api().setRule({ cidr: '0.0.0.0/0', verdict: 'deny' })
    await expect(api().removeRule({ cidr: OWN })).rejects.toMatchObject(refusal)
    await expect(api().setRule({ cidr: OWN, verdict: 'deny' })).rejects.toMatchObject(refusal)
    expect((await get('/healthz', OWN)).status).toBe(200)
    expect((await get('/healthz', '192.0.2.1')).status).toBe(403)
    await api().removeRule({ cidr: '0.0.0.0/0' })
    await api().removeRule({ cidr: OWN })
    const ipv6 = served.as(root, '2001:db8:1:2::/64').access
    for (const cidr of ['2001:db8:1:2::/64', '2001:db8::/32', '2001:db8:1:2::99', '::/0'])
      await expect(ipv6.setRule({ cidr, verdict: 'deny' })).rejects.toMatchObject(refusal)
    expect((await api().list()).rules).toEqual([])
  })

  test('never applies to health probes from this machine, judged by socket rather than header', async () => {
    await api().setRule({ cidr: OWN, verdict: 'allow' })
    await api().setRule({ cidr: '0.0.0.0/0', verdict: 'deny' })
    const statuses = (paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await fetch(`${served.origin}${path}`)).status))
    expect(await statuses(['/healthz', '/readyz'])).toEqual([200, 200])
    expect(await statuses(['/', '/i/x', '/api/trpc/account.me', '/metrics', '/healthz/x'])).toEqual(Array(5).fill(403))
    // A proxy on this machine forwards for others, even if it names a loopback address.
    expect((await get('/healthz', '127.0.0.1')).status).toBe(403)
    await api().removeRule({ cidr: '0.0.0.0/0' })
    await api().removeRule({ cidr: OWN })
  })

  test('is audited with its author', async () => {
    await api().setRule({ cidr: '192.0.2.0/24', verdict: 'deny', note: 'a flood' })
    await api().removeRule({ cidr: '192.0.2.0/24' })
    const entries = await served.app.db.auditEntry.findMany({
      where: { target: '192.0.2.0/24' },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ action, actorName, before, after }) => ({ action, actorName, before, after }))).toEqual([
      {
        ...{ action: 'access.setRule', actorName: root.viewer.username },
        ...{ before: null, after: { verdict: 'deny', note: 'a flood' } },
      },
      {
        ...{ action: 'access.removeRule', actorName: root.viewer.username },
        ...{ before: { verdict: 'deny', note: 'a flood' }, after: null },
      },
    ])
  })

  test.each([{ cidr: 'x' }, { cidr: '1.2.3.4', verdict: 'maybe' }, { cidr: '1.2.3.4', verdict: 'deny', more: 1 }])(
    'cannot be created from %j',
    async (input) => {
      await expect(Reflect.apply(api().setRule, null, [input])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    },
  )
})

describe('the hotlink rule', () => {
  const from = (referer: string | null) =>
    read(image.url, null, referer === null ? {} : { headers: { Referer: referer } })

  test('refuses pages of other sites with the configured answer, whether the image exists or not', async () => {
    await api().setHotlink({ isOn: true, sites: ['*.friend.example'], allowsEmpty: true, answer: 'refusal' })
    expect((await from(null)).status).toBe(200)
    expect((await from(`${served.origin}/image/x`)).status).toBe(200)
    expect((await from('https://www.friend.example/')).status).toBe(200)
    const reserve = vi.spyOn(served.app.limiter, 'obtain')
    const refused = await from('https://evil.example/')
    expect([refused.status, await refused.text(), refused.headers.get('cache-control')]).toEqual([
      403,
      'Images of this site cannot be embedded in other sites.\n',
      'no-store',
    ])
    await api().setHotlink({ isOn: true, sites: [], allowsEmpty: false, answer: 'placeholder' })
    for (const url of [image.url, `${served.origin}/i/${'a'.repeat(22)}.png`]) {
      const instead = await read(url, null, { headers: { Referer: 'https://evil.example/' } })
      expect([instead.status, instead.headers.get('content-type'), instead.headers.get('cache-control')]).toEqual([
        200,
        'image/png',
        'no-store',
      ])
    }
    expect(reserve).not.toHaveBeenCalled()
    expect((await from(null)).headers.get('content-length')).not.toBe('1000')
    await api().setHotlink({ isOn: false, sites: [], allowsEmpty: true, answer: 'refusal' })
    expect((await from('https://evil.example/')).status).toBe(200)
  })

  test('does not read the body of a refused request, and closes the connection', async () => {
    await api().setHotlink({ isOn: true, sites: [], allowsEmpty: false, answer: 'placeholder' })
    const socket = connect(Number(new URL(served.origin).port), '127.0.0.1')
    const { promise: closed, resolve } = Promise.withResolvers<boolean>()
    // It may be closed by a reset.
    socket.on('error', () => undefined).once('close', resolve)
    socket.resume()
    const { pathname } = new URL(image.url)
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * MAX_BYTES}\r\n\r\n`)
    const chunk = Buffer.alloc(64 * 1024)
    const send = () => {
      while (socket.writable && socket.bytesWritten < MAX_BYTES && socket.write(chunk));
    }
    socket.on('drain', send)
    send()
    await closed
    expect(socket.bytesWritten).toBeLessThan(MAX_BYTES)
    await api().setHotlink({ isOn: false, sites: [], allowsEmpty: true, answer: 'refusal' })
  })
})

/** Far more than a connection's buffers. */
const MAX_BYTES = 128 * 1024 ** 2
