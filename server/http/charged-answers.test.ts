import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSlug } from '#server/images/slug.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { picture } from '#testing/images/pictures.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let site: TestApp
let owner: Person
let root: Person
let open: StoredImage
let hidden: StoredImage
let token: string
beforeAll(async () => {
  site = await startApp()
  ;[owner, root] = [await site.person(), await site.person({ role: 'superadmin' })]
  open = await storeImageFor(site, owner)
  hidden = await storeImageFor(site, owner, { visibility: 'private' })
  token = (await insertToken(site, owner, ['upload'])).token
})
afterAll(() => site[Symbol.asyncDispose]())

const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, site.origin), { redirect: 'manual', ...init })

/** The names of the policies that an answer shows; each has a state. */
function policiesOf({ headers }: Response): readonly string[] {
  const names = (header: string) =>
    [...(headers.get(header) ?? '').matchAll(/"([^"]+)";[qr]=/g)].map(([, name]) => name ?? '')
  expect(names('ratelimit')).toEqual(names('ratelimit-policy'))
  return names('ratelimit-policy')
}

const bearer = (own: string) => ({ headers: { authorization: `Bearer ${own}` } })

describe('an answer that no public cache keeps shows what it was charged', () => {
  test.each([
    ['a missing image', `/i/${newSlug()}.png`, {}, 404, 'download-1m'],
    ['a missing variant', `/i/${newSlug()}.png?w=400`, {}, 404, 'view-1m'],
    ['an address that no image can have', '/i/nothing', {}, 404, 'invalid-request-1m'],
    ['a wrong method', `/i/${newSlug()}.png`, { method: 'DELETE' }, 405, 'invalid-request-1m'],
    ['a wrong token', `/i/${newSlug()}.png`, bearer(`slu_${'a'.repeat(43)}`), 401, 'wrong-token-1m'],
    ['a missing image of a share', `/i/s/${'A'.repeat(43)}/${'A'.repeat(22)}.png`, {}, 404, 'download-1m'],
    ['a missing zip of a share', `/i/s/${'A'.repeat(43)}/zip`, {}, 404, 'download-1m'],
    ['a wrong link to a zip', '/api/zip?link=x', {}, 404, 'zip-link-1m'],
    ['a missing picture', `/p/${'a'.repeat(64)}.webp`, {}, 404, 'picture-view-1m'],
    ['a preview of nothing', '/api/oembed?url=x', {}, 404, 'view-1m'],
    ['a preview in another format', '/api/oembed?url=x&format=xml', {}, 501, 'view-1m'],
    ['a procedure of others', '/api/trpc/user.list', {}, 401, 'account-view-1m'],
    ['an upload with a wrong token', '/api/upload', { method: 'POST', ...bearer('slu_x') }, 401, 'wrong-token-1m'],
    ['a guest’s form without a file', '/upload', { method: 'POST', body: new FormData() }, 400, 'upload-form-1m'],
  ])('%s', async (_, path, init, status, policy) => {
    const answer = await ask(path, init)
    expect([answer.status, policiesOf(answer)]).toEqual([status, expect.arrayContaining([policy])])
  })

  test('a private image, and one that its viewer may not see, alike', async () => {
    const seen = await ask(hidden.url, { headers: { cookie: owner.cookie } })
    expect([seen.status, policiesOf(seen)]).toEqual([200, expect.arrayContaining(['download-1m', 'sent-bytes-1d'])])
    const [stranger, missing] = [await ask(hidden.url), await ask(`/i/${newSlug()}.png`)]
    expect([stranger.status, policiesOf(stranger)]).toEqual([404, policiesOf(missing)])
  })

  test('a condition that fails, and a range beyond the end', async () => {
    for (const [status, headers] of [
      [412, { 'if-match': '"x"' }],
      [416, { range: 'bytes=99999999-' }],
    ] as const) {
      const answer = await ask(open.url, { headers })
      expect([answer.status, policiesOf(answer)]).toEqual([status, expect.arrayContaining(['download-1m'])])
    }
  })

  test('an upload that is stored, one that is no image, and a request without a file', async () => {
    const send = (body: BodyInit) => ask('/api/upload', { method: 'POST', body, ...bearer(token) })
    const form = new FormData()
    form.append(
      'file',
      new Blob([new Uint8Array(await picture({ format: 'png', width: 9, height: 9, seed: 5 }))]),
      'a.png',
    )
    const bad = new FormData()
    bad.append('file', new Blob(['no image']), 'a.png')
    const answers = [await send(form), await send(bad), await send(new FormData())]
    expect(answers.map(({ status }) => status)).toEqual([200, 415, 400])
    const [stored = [], refused = [], empty = []] = answers.map(policiesOf)
    expect(stored).toContain('upload-1m')
    expect(refused).toContain('upload-1m')
    expect(empty).toContain('upload-form-1m')
  })
})

describe('a forged link', () => {
  const left = async (path: string, policy: string) => {
    const { headers } = await ask(path, { method: 'HEAD' })
    return Number(new RegExp(`"${policy}";r=(\\d+)`).exec(headers.get('ratelimit') ?? '')?.[1])
  }
  const share = (key: string) => `/i/s/${key}/${'A'.repeat(22)}.png`

  test.each([
    ['to bytes of a share', share('A'.repeat(43))],
    ['to an original', () => `${new URL(open.url).pathname}?download=forged`],
  ])('%s costs ten calls, and answers like one that has ended', async (_, made) => {
    const forged = typeof made === 'string' ? made : made()
    const before = await left(`/i/${newSlug()}.png`, 'revalidate-1m')
    const answer = await ask(forged, { method: 'HEAD' })
    const ended = await ask(share(site.app.sharing.keys.keyFor(randomUUID())), { method: 'HEAD' })
    expect([answer.status, ended.status]).toEqual([404, 404])
    // The forged one, the one that has ended, and this one.
    await expect.poll(() => left(`/i/${newSlug()}.png`, 'revalidate-1m')).toBeLessThanOrEqual(before - 12)
  })
})

describe('a caller without limits', () => {
  test('is told so by a policy of its own, on every route', async () => {
    const headers = { cookie: root.cookie }
    for (const path of ['/api/trpc/limits.list', hidden.url, `/i/${newSlug()}.png`]) {
      const answer = await ask(path, { headers })
      expect([path, answer.headers.get('ratelimit-policy'), answer.headers.get('ratelimit')]).toEqual([
        path,
        '"exempt";q=999999999999999;w=1',
        '"exempt";r=999999999999999',
      ])
    }
  })
})

describe('an answer that a public cache may keep shows nothing', () => {
  test('of the image, of its variant and of a copy that is current', async () => {
    const asked: Record<string, string>[] = [{}, { 'if-none-match': '*' }, { cookie: root.cookie }]
    for (const headers of asked) {
      const answer = await ask(open.url, { headers })
      expect([200, 304]).toContain(answer.status)
      expect(answer.headers.get('cache-control')).toMatch(/^public/)
      expect([...answer.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
    }
  })
})
