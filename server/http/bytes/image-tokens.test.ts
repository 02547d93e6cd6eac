import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Scope } from '#server/accounts/viewer.ts'
import { newSlug } from '#server/images/slug.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
let image: StoredImage
let hidden: StoredImage

beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
  image = await storeImageFor(served, owner)
  hidden = await storeImageFor(served, owner, { visibility: 'private', variants: { 400: Buffer.from('small') } })
})
afterAll(() => served[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

const bearing = async (person: Person, scopes: readonly Scope[] = ['read']) => {
  const { headers } = await insertToken(served, person, scopes)
  return { headers: { authorization: headers.authorization } }
}

/** Returns the charges of each decision, as `name of whom`. */
function chargesSeen() {
  const reserve = vi.spyOn(served.app.limiter, 'obtain')
  return () =>
    reserve.mock.calls.map(([requests]) =>
      requests.flatMap(({ sets, caller }) => {
        const who = 'subjectKey' in caller ? 'token' : 'address' in caller && caller.userId !== null ? 'owner' : 'guest'
        return [...new Set(sets.map(({ facts }) => `${facts.name} of ${who}`))]
      }),
    )
}

describe('an API token', () => {
  test('reads what its owner may, whole, in part, by HEAD and by condition', async () => {
    const { headers } = await bearing(owner)
    const whole = await read(hidden.url, null, { headers })
    expect([whole.status, Buffer.from(await whole.arrayBuffer())]).toEqual([200, hidden.bytes])
    expect(whole.headers.get('cache-control')).toBe('private, no-cache')
    expect(whole.headers.get('vary')).toBe('Cookie, Authorization')
    const part = await read(hidden.url, null, { headers: { ...headers, range: 'bytes=1-3' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, hidden.bytes.subarray(1, 4)])
    const head = await read(hidden.url, null, { method: 'HEAD', headers })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${hidden.bytes.length}`])
    const same = await read(hidden.url, null, { headers: { ...headers, 'if-none-match': `"${hidden.sha256}"` } })
    expect(same.status).toBe(304)
    expect(await (await read(`${hidden.url}?w=400`, null, { headers })).text()).toBe('small')
    expect((await read(hidden.url)).status).toBe(404)
  })

  test('reads no more than a user may, even if its owner is a superadmin', async () => {
    const root = await served.person({ role: 'superadmin' })
    expect((await read(hidden.url, root)).status).toBe(200)
    expect((await read(hidden.url, null, await bearing(root))).status).toBe(404)
    expect((await read(hidden.url, null, await bearing(await served.person()))).status).toBe(404)
  })

  test('charges itself and its owner, in one decision for the call and one for the bytes', async () => {
    const init = await bearing(owner)
    const seen = chargesSeen()
    await (await read(hidden.url, null, init)).arrayBuffer()
    expect(seen()).toEqual([
      ['download of owner', 'token-read of token'],
      ['download-of-one of owner', 'sent-bytes of owner', 'token-sent-bytes of token'],
    ])
  })

  test('has no limits if its owner is a superadmin', async () => {
    const root = await served.person({ role: 'superadmin' })
    const own = await storeImageFor(served, root, { visibility: 'private' })
    const init = await bearing(root)
    const seen = chargesSeen()
    const answer = await read(own.url, null, init)
    expect([answer.status, seen(), answer.headers.get('ratelimit')]).toEqual([200, [], '"exempt";r=999999999999999'])
  })

  test('is bounded by its own limit, whatever its owner has left', async () => {
    const { id, headers } = await insertToken(served, owner, ['read'])
    const sets = served.app.limitAdmin.catalogue.ruleSets.get('token-sent-bytes')?.compiled ?? []
    const caller = { subjectKey: `token/${id}` }
    await served.app.limiter.reserve([{ sets, caller, bytes: 20 * 1024 ** 3 }])
    const refused = await read(image.url, null, { headers })
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('token-sent-bytes allows')])
    expect((await read(image.url, null, { method: 'HEAD', headers })).status).toBe(200)
  })
})

describe('a rejected token', () => {
  test('gets the same answer for every image, and is charged to the address', async () => {
    const revoked = { headers: { authorization: `Bearer slu_${'a'.repeat(43)}` } }
    const missing = `${served.origin}/i/${newSlug()}.png`
    const seen = chargesSeen()
    for (const url of [image.url, hidden.url, missing, `${image.url}?download=x`]) {
      const answer = await read(url, null, revoked)
      expect([answer.status, await answer.text()]).toEqual([
        401,
        'This token is not valid. It has expired or been revoked.\n',
      ])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    expect(seen()).toEqual(
      Array(4)
        .fill([['token-lookup of guest', 'network-token-lookup of guest'], ['wrong-token of guest']])
        .flat(),
    )
    const head = await read(image.url, null, { ...revoked, method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([401, ''])
  })

  test('is rejected even for an image that guests are sent from memory', async () => {
    const headers = { authorization: 'Bearer slu_' }
    const answers = async () => [(await read(image.url)).status, (await read(image.url, null, { headers })).status]
    expect([await answers(), await answers()]).toEqual(Array(2).fill([200, 401]))
  })

  test('without the scope `read` is rejected at its own expense, even if a guest could read the image', async () => {
    const init = await bearing(owner, ['upload', 'manage'])
    const seen = chargesSeen()
    for (const url of [image.url, hidden.url]) {
      const answer = await read(url, null, init)
      expect([answer.status, await answer.text()]).toEqual([403, 'This token does not have the scope “read”.\n'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="read"')
    }
    expect(seen()).toEqual(Array(2).fill(['token-read of token']))
  })

  test('takes precedence over a session sent with it', async () => {
    const void_ = { headers: { authorization: 'Bearer slu_nothing' } }
    expect((await read(hidden.url, owner, void_)).status).toBe(401)
    expect((await read(hidden.url, owner, { headers: { authorization: 'Basic abc' } })).status).toBe(200)
  })
})

describe('a download link made by a token', () => {
  const linkBy = async (headers: Readonly<Record<string, string>>, id: string): Promise<string> => {
    const input = encodeURIComponent(JSON.stringify({ id }))
    const answer = await fetch(`${served.origin}/api/trpc/image.download?input=${input}`, { headers })
    return JSON.parse(await answer.text()).result.data.url
  }

  test('serves a private image to everyone who has it, charging token and owner, until the token ends', async () => {
    const { id, headers } = await insertToken(served, owner, ['read'])
    const url = await linkBy({ ...headers }, hidden.id)
    const seen = chargesSeen()
    const answer = await read(url)
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, hidden.bytes])
    expect(seen()[0]).toEqual(['download of owner', 'token-read of token'])
    // With the token sent along, it is charged once.
    expect((await read(url, null, { headers })).status).toBe(200)
    await served.as(owner).token.revoke({ id })
    expect((await read(url)).status).toBe(404)
  })

  test('of a superadmin’s token is charged to the holder, and to nobody if a superadmin uses it', async () => {
    const root = await served.person({ role: 'superadmin' })
    const own = await storeImageFor(served, root, { visibility: 'private' })
    const { headers } = await insertToken(served, root, ['read'])
    const url = await linkBy({ ...headers }, own.id)
    const seen = chargesSeen()
    await (await read(url)).arrayBuffer()
    expect(seen()).toEqual([['download of owner'], ['download-of-one of owner', 'sent-bytes of owner']])
    await (await read(url, null, { headers })).arrayBuffer()
    expect(seen()).toHaveLength(2)
  })
})
