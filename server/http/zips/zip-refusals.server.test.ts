import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Scope, toCaller } from '#server/accounts/viewer.ts'
import type { OverrideTerms } from '#server/limit-admin/overrides/override-terms.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { zipLinksRoute } from '../limits.ts'

let served: TestApp
let owner: Person
let zip: string
beforeAll(async () => {
  served = await startApp(behindProxy)
  owner = await served.person()
  const images = await Promise.all([storeImageFor(served, owner), storeImageFor(served, owner)])
  zip = (await served.as(owner).image.downloadMany({ ids: images.map(({ id }) => id) })).url
})
afterAll(() => served[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

/** The charges of each decision, as `number of set of subject`. */
function chargesSeen() {
  const obtain = vi.spyOn(served.app.limiter, 'obtain')
  const whoIs = (caller: Parameters<typeof obtain>[0][number]['caller']) => {
    if ('subjectKey' in caller) return 'token'
    if (!('userId' in caller) || caller.userId === null) return 'guest'
    return caller.userId === owner.viewer.userId ? 'owner' : 'sender'
  }
  return () =>
    obtain.mock.calls.map(([requests]) =>
      requests.flatMap(({ sets, caller, cost = 1 }) =>
        [...new Set(sets.map(({ facts }) => facts.name))].map((name) => `${cost} ${name} of ${whoIs(caller)}`),
      ),
    )
}

describe('a valid link with a token that is not allowed', () => {
  const bearing = async (person: Person, scopes: readonly Scope[]) => {
    const { headers } = await insertToken(served, person, scopes)
    return { headers: { authorization: headers.authorization } }
  }

  test('is refused as void, and charged to the address', async () => {
    const seen = chargesSeen()
    const found = vi.spyOn(served.app.db.image, 'findMany')
    const answer = await read(zip, null, { headers: { authorization: `Bearer slu_${'a'.repeat(43)}` } })
    expect([answer.status, await answer.text()]).toEqual([
      401,
      'This token is not valid. It has expired or been revoked.\n',
    ])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(seen()).toEqual([['1 token-lookup of guest', '1 network-token-lookup of guest'], ['1 wrong-token of guest']])
    expect(found).not.toHaveBeenCalled()
  })

  test.each([
    ['user', [['1 token-read of token']]],
    ['superadmin', []],
  ] as const)('to read is refused, and charged to the token alone: a %s’s', async (role, charged) => {
    const init = await bearing(await served.person({ role }), ['upload', 'manage'])
    const seen = chargesSeen()
    const free = vi.spyOn(served.app.limiter, 'free')
    const answer = await read(zip, null, init)
    expect([answer.status, await answer.text()]).toEqual([403, 'This token does not have the scope “read”.\n'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="read"')
    expect(seen()).toEqual(charged)
    expect(free).not.toHaveBeenCalled()
    const place = served.app.limitAdmin.catalogue.ruleSets.get('zipping')?.compiled ?? []
    const { viewer } = owner
    const { rules } = await served.app.limiter.peek([{ sets: place, caller: toCaller(viewer, '192.0.2.1') }])
    expect(rules.map(({ remaining }) => remaining)).toEqual([2])
  })

  test('is served if the token may read, charged to the holder, or to nobody with the token of a superadmin', async () => {
    for (const [role, charged] of [
      ['user', ['2 download of owner', '2 zipping of owner']],
      ['superadmin', undefined],
    ] as const) {
      const init = await bearing(await served.person({ role }), ['read'])
      const seen = chargesSeen()
      expect((await read(zip, null, init)).status).toBe(200)
      expect(seen()[0]).toEqual(charged)
      vi.restoreAllMocks()
    }
  })
})

test('a zip of more images than the limit is refused, and not logged as a fault', async () => {
  const { limiter, limitAdmin, log } = served.app
  const terms: OverrideTerms = { rules: [{ limit: 1, window: '1m' }] }
  const worked = limitAdmin.overrides.compileOverride({ ruleSet: 'download', target: { kind: 'all' }, terms })
  if (worked.problem !== null) return expect.unreachable()
  const failed = vi.spyOn(log, 'error')
  limiter.override([worked.override])
  const refused = await read(zip)
  const link = await served
    .as(owner)
    .image.downloadMany({})
    .catch((error) => error)
  limiter.override([])
  expect(link).toMatchObject({ code: 'BAD_REQUEST', message: 'A zip can hold 1 image. Choose fewer.' })
  expect([refused.status, await refused.text()]).toEqual([403, 'This request exceeds what its limit ever allows.\n'])
  expect(failed).not.toHaveBeenCalled()
})

describe('an invalid link', () => {
  const ask = (url: string, address: string) => read(url, null, { headers: { 'x-forwarded-for': address } })
  const forged = () => `${served.origin}/api/zip?link=${randomBytes(60).toString('base64url')}`

  /** Counts this many invalid links for an address. */
  async function spend(address: string, cost: number): Promise<void> {
    const permit = await served.app.limiter.reserve([
      { sets: zipLinksRoute.sets, caller: toCaller(null, address), cost },
    ])
    await permit.end('failed')
  }

  test('is limited to thirty per address; a valid link passes all the same', async () => {
    const leaver = await served.person()
    const { id } = await storeImageFor(served, leaver)
    const ended = (await served.as(leaver).image.downloadMany({ ids: [id] })).url
    await served.app.db.session.delete({ where: { id: leaver.sessionId } })
    await spend('198.51.100.2', 28)
    expect((await ask(forged(), '198.51.100.2')).status).toBe(404)
    expect((await ask(ended, '198.51.100.2')).status).toBe(404)
    for (const url of [forged(), ended]) {
      const refused = await ask(url, '198.51.100.2')
      expect([refused.status, await refused.text()]).toEqual([
        429,
        expect.stringMatching(/^Limit reached: zip-link allows 30 per minute\. Try again in (\d+ s|1 min)\.\n$/),
      ])
      expect(refused.headers.get('ratelimit')).toContain('"zip-link-1m";r=0')
      expect(refused.headers.get('retry-after')).toMatch(/^[1-6]?\d$/)
    }
    expect((await ask(zip, '198.51.100.2')).status).toBe(200)
  })

  test('is not counted if it is valid, even with two at once', async () => {
    await spend('198.51.100.4', 29)
    const peeked = await Promise.all(Array.from({ length: 2 }, () => ask(zip, '198.51.100.4')))
    expect(peeked.map(({ status }) => status)).toEqual([200, 200])
    for (const answer of peeked) await answer.arrayBuffer()
    expect((await ask(forged(), '198.51.100.4')).status).toBe(404)
    expect((await ask(forged(), '198.51.100.4')).status).toBe(429)
  })

  test('is limited by a rule set that admins see', async () => {
    const { procedures, ruleSets } = await served.as(await served.person({ role: 'admin' })).limits.list()
    expect(procedures.find(({ path }) => path === 'zip links')).toEqual({
      path: 'zip links',
      kind: 'route',
      ruleSets: ['zip-link'],
      arguments: [],
    })
    const listed = ruleSets.find(({ name }) => name === 'zip-link')
    expect(listed).toMatchObject({
      count: 'failures',
      unit: 'calls',
      usedBy: ['zip links'],
      targets: ['all', 'subject'],
    })
  })
})
