import { afterAll, expect, it } from 'vitest'
import { formBody } from '#testing/http/form-body.ts'
import { at, openUploadScene } from '#testing/http/upload-client.ts'

const scene = await openUploadScene()
afterAll(() => scene[Symbol.asyncDispose]())
const { test, png, jpeg, host } = scene

const BOUNDARY = 'x-x-x'
const file = (value: Buffer) => ({ name: 'file', filename: 'a.png', type: 'image/png', value })

async function open(scopes: Parameters<typeof scene.client>[0] = ['upload', 'manage']) {
  const { person, token } = await scene.client(scopes)
  const head = (path: string) => [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`]
  return {
    person,
    sendForm: (headers: readonly string[], files = [png], path = '/api/upload') =>
      scene.send(
        [...head(path), `Content-Type: multipart/form-data; boundary=${BOUNDARY}`, ...headers],
        formBody(BOUNDARY, files.map(file)),
      ),
    sendFile: (...headers: string[]) =>
      scene.send([...head('/api/upload'), 'Content-Type: image/png', ...headers], png),
  }
}

const tokenIn = (url: unknown) => String(url).split('/').at(-1) ?? ''
const openShare = (url: unknown, password?: string) =>
  test.as(null, '198.51.100.9').share.open({ token: tokenIn(url), ...(password && { password }) })

const LINK = new RegExp(`^${test.app.config.origin}/s/[\\w-]{24}$`)

it('an upload with Zipline’s headers answers with a link that they protect, and the image stays private', async () => {
  const { person, sendForm } = await open()
  const answer = await sendForm(['X-Zipline-Deletes-At: 7d', 'X-Zipline-Password: sesame', 'X-Zipline-Max-Views: 1'])
  expect(answer.status).toBe(200)
  const url = at(answer, 'files.0.url')
  expect(url).toMatch(LINK)
  expect([at(answer, 'url'), at(answer, 'data.url'), at(answer, 'data.links.url')]).toEqual([url, url, url])
  expect([at(answer, 'thumbnail_url'), at(answer, 'visibility')]).toEqual([null, 'private'])
  expect(at(answer, 'data.links.html')).toBe(`<a href="${url}">a.png</a>`)
  expect(await scene.listImages(person)).toMatchObject([{ visibility: 'private' }])
  const [share] = (await test.as(person).share.list()).items
  expect(share).toMatchObject({ url, hasPassword: true, maxViews: 1, originals: true, count: 1 })
  expect(at(answer, 'expires_at')).toBe(share?.expiresAt)
  await expect(openShare(url, 'wrong')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  const shown = await openShare(url, 'sesame')
  const bytes = await fetch(shown.images[0]?.originalUrl ?? '', { headers: { 'x-share-visit': shown.visit } })
  expect([bytes.status, (await bytes.arrayBuffer()).byteLength]).toEqual([200, shown.images[0]?.size])
  await expect(openShare(url, 'sesame')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await test.as(null).image.deleteByLink({ link: tokenIn(at(answer, 'deletion_url')) })
})

it('each file of a form has its own link; a body of its own has one; as text they are lines', async () => {
  const { person, sendForm, sendFile } = await open()
  const text = await sendForm(['X-Zipline-Deletes-At: 1h', 'X-Zipline-No-JSON: true'], [png, jpeg])
  const lines = text.body.trimEnd().split('\n')
  expect(new Set(lines).size).toBe(2)
  for (const line of lines) expect(line).toMatch(LINK)
  // The same image again: another link to it.
  const again = await sendFile('X-Zipline-Max-Views: 5')
  expect(at(again, 'url')).toMatch(LINK)
  expect(at(again, 'deletion_url')).toBeNull()
  expect((await scene.listImages(person)).map(({ visibility }) => visibility)).toEqual(['private', 'private'])
  expect((await test.as(person).share.list()).items).toHaveLength(3)
})

it('answers in the formats of Lsky Pro and Chevereto lead to the link too', async () => {
  const { sendForm } = await open()
  const lsky = await sendForm(['X-Zipline-Password: x'], [png], '/api/v1/upload')
  expect(at(lsky, 'data.links.markdown')).toMatch(/^\[a\\?\.png\]\(.*\/s\/[\w-]{24}\)$/)
  const chevereto = await sendForm(['X-Zipline-Password: x'], [png], '/api/1/upload')
  expect([at(chevereto, 'image.url'), at(chevereto, 'image.url_viewer')]).toEqual([
    expect.stringMatching(LINK),
    at(chevereto, 'image.url'),
  ])
})

it('a header that cannot be met, and a token that may not share, are refused before a file is stored', async () => {
  const manager = await open()
  const refused = await manager.sendForm(['X-Zipline-Deletes-At: yesterday'])
  expect([refused.status, at(refused, 'message')]).toEqual([400, 'The header x-zipline-deletes-at is not valid.'])
  const uploader = await open(['upload'])
  for (const answer of [
    await uploader.sendForm(['X-Zipline-Password: x']),
    await uploader.sendFile('X-Zipline-Password: x'),
  ])
    expect([answer.status, at(answer, 'error')]).toEqual([403, 'token-scope'])
  expect((await uploader.sendForm(['X-Zipline-Password: '])).status).toBe(200)
  for (const { person } of [manager, uploader])
    expect(await scene.listImages(person)).toHaveLength(person === manager.person ? 0 : 1)
})

it('a file whose link is refused is stored in private, and sending it again makes the link', async () => {
  const { person, sendForm } = await open()
  const root = await test.person({ role: 'superadmin' })
  const override = { ruleSet: 'share-change', target: { kind: 'subject' as const, subject: person.viewer.userId } }
  await test.as(root).limits.override({ ...override, terms: { rules: [{ limit: 1, window: '1m' }] } })
  const answer = await sendForm(['X-Zipline-Password: x'], [png, jpeg])
  // Which of the two asks first is open.
  const errors = [at(answer, 'files.0.error'), at(answer, 'files.1.error')]
  expect([at(answer, 'stored'), errors.filter((error) => error !== undefined)]).toEqual([1, ['too-many-requests']])
  expect(await scene.listImages(person)).toMatchObject([{ visibility: 'private' }, { visibility: 'private' }])
  await test.as(root).limits.clear(override)
  expect(at(await sendForm(['X-Zipline-Password: x'], [jpeg]), 'url')).toMatch(LINK)
})

it('guests cannot protect links', async () => {
  const body = formBody(BOUNDARY, [file(png)])
  const head = ['POST /upload HTTP/1.1', `Host: ${host}`, `Content-Type: multipart/form-data; boundary=${BOUNDARY}`]
  const answer = await scene.send([...head, 'X-Zipline-Password: x'], body)
  expect([answer.status, at(answer, 'error')]).toEqual([401, 'no-token'])
})
