import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { everythingKept } from '#testing/http/image-client.ts'
import { openUploadScene, type UploadScene } from '#testing/http/upload-client.ts'
import type { TestApp } from '#testing/sluice/sluice-app.ts'

let scene: UploadScene
let test: TestApp
beforeAll(async () => {
  scene = await openUploadScene()
  test = scene.test
})
afterAll(() => scene[Symbol.asyncDispose]())

describe('an upload endpoint', () => {
  it.each([
    ['/api/upload', 'POST, PUT'],
    ['/api/v1/upload', 'POST'],
    ['/api/1/upload', 'POST'],
    ['/api/v1/images/x', 'DELETE'],
  ])('%s allows only %s', async (path, allow) => {
    for (const method of ['GET', 'OPTIONS', 'PATCH', 'HEAD']) {
      const answer = await fetch(test.origin + path, { method })
      const text = await answer.text()
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
      if (method !== 'HEAD') expect(text).toContain(`This address only supports ${allow.replace(', ', ' and ')}.`)
    }
  })

  const nowhere = 'Nothing here. Upload images by POST /api/upload.'
  const ofLsky = {
    status: false,
    error: 'not-found',
    message:
      'Of the Lsky Pro API, Sluice only supports POST /api/v1/upload and DELETE /api/v1/images/{key}. Create tokens on the account page.',
    data: {},
  }
  const chevereto = {
    status_code: 404,
    error: { message: 'Of the Chevereto API, Sluice only supports POST /api/1/upload.', code: 'not-found' },
    status_txt: 'Not Found',
  }
  const own = { result: 'failed', code: 404, error: 'not-found', message: nowhere }

  it.each<readonly [string, string, object]>([
    ['GET', '/api/v1/profile', ofLsky],
    ['GET', '/api/v1/strategies', ofLsky],
    ['GET', '/api/v1/images?page=1', ofLsky],
    ['POST', '/api/v1/tokens', ofLsky],
    ['GET', '/api/1/albums', chevereto],
    ['POST', '/api/index.php', own],
    ['GET', '/api/upload/a/b', own],
    ['GET', '/api', own],
  ])('that does not exist is refused in the format of its API: %s %s', async (method, path, body) => {
    const answer = await fetch(test.origin + path, { method })
    expect([answer.status, await answer.json()]).toEqual([404, body])
  })

  it('ignores cookies, and refuses pages of other sites', async () => {
    const { person, token } = await scene.client()
    const body = new Uint8Array(scene.png)
    const before = await everythingKept(test)
    const send = (headers: Record<string, string>) =>
      fetch(`${test.origin}/api/upload`, { method: 'POST', headers: { 'content-type': 'image/png', ...headers }, body })
    expect((await send({ cookie: person.cookie })).status).toBe(401)
    expect((await send({ cookie: person.cookie, origin: test.origin })).status).toBe(401)
    const foreign = await send({ authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' })
    expect([foreign.status, (await foreign.json()).error]).toEqual([403, 'forbidden'])
    expect(await everythingKept(test)).toEqual(before)
    const preflight = await fetch(`${test.origin}/api/upload`, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example' },
    })
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('deletes an image by its key, for its owner only', async () => {
    const { person, token: own } = await scene.client(['upload', 'manage'])
    const headers = { authorization: `Bearer ${own}`, 'content-type': 'image/png' }
    const sent = await fetch(`${test.origin}/api/upload`, { method: 'POST', headers, body: new Uint8Array(scene.png) })
    const { id } = await sent.json()
    const remove = (key: string, bearer: string) =>
      fetch(`${test.origin}/api/v1/images/${key}`, { method: 'DELETE', headers: { authorization: `Bearer ${bearer}` } })
    const stranger = (await insertToken(test, await test.person(), ['manage'])).token
    const weak = (await insertToken(test, person, ['upload', 'read'])).token
    const statuses = []
    for (const [key, bearer] of [
      [id, stranger],
      [id, weak],
      [id, 'slu_none'],
      ['x', own],
      ['%00', own],
      [crypto.randomUUID(), own],
    ] as const)
      statuses.push((await remove(key, bearer)).status)
    expect(statuses).toEqual([403, 403, 401, 404, 404, 404])
    expect((await test.app.db.image.findUniqueOrThrow({ where: { id } })).trashedAt).toBeNull()
    expect((await remove(id, own)).status).toBe(200)
    expect((await test.app.db.image.findUniqueOrThrow({ where: { id } })).trashedAt).not.toBeNull()
  })
})
