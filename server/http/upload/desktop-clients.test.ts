import { afterAll, describe, expect, it } from 'vitest'
import { formBody } from '#testing/http/form-body.ts'
import { sendRaw } from '#testing/http/raw-http.ts'
import { at, openUploadScene } from '#testing/http/upload-client.ts'

const scene = await openUploadScene()
afterAll(() => scene[Symbol.asyncDispose]())
const { test, png, jpeg, host } = scene

describe('ShareX', () => {
  const boundary = '--------------------8dd7e6f5c4b3a21'
  const send = (authorization: string, parts: Parameters<typeof formBody>[1]) =>
    scene.send(
      [
        'POST /api/upload HTTP/1.1',
        `Authorization: ${authorization}`,
        'User-Agent: ShareX/17.1.0',
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        `Host: ${host}`,
        'Accept-Encoding: gzip, deflate',
      ],
      formBody(boundary, parts),
    )
  const file = () => ({ name: 'file', filename: 'Bildschirmfoto ü_1.png', type: 'image/png', value: png })

  it('reads {json:url}, {json:thumbnail_url} and {json:deletion_url}; the last opens a page in a browser', async () => {
    const { person, token } = await scene.client()
    const answer = await send(`Bearer ${token}`, [{ name: 'visibility', value: 'public' }, file()])
    expect(answer.status).toBe(200)
    await scene.expectPicture(at(answer, 'url'))
    await scene.expectPicture(at(answer, 'thumbnail_url'))
    const deletionUrl = String(at(answer, 'deletion_url'))
    expect(deletionUrl).toMatch(new RegExp(`^${test.app.config.origin}/delete/[A-Za-z0-9_-]{43}$`))
    expect(await scene.listImages(person)).toMatchObject([
      { filename: 'Bildschirmfoto ü_1.png', visibility: 'public', trashedAt: null },
    ])
    const link = deletionUrl.slice(-43)
    expect((await test.as(null).image.showByLink({ link })).thumbnailUrl).toBe(at(answer, 'thumbnail_url'))
    await test.as(null).image.deleteByLink({ link })
    expect((await scene.listImages(person))[0]?.trashedAt).not.toBeNull()
  })

  it('shows {json:message} of an unsuccessful response', async () => {
    const answer = await send('Bearer slu_wrong', [file()])
    expect([answer.status, at(answer, 'error'), at(answer, 'message')]).toEqual([
      401,
      'void-token',
      'This token is not valid. It has expired or been revoked.',
    ])
  })
})

describe('PicGo with web-uploader', () => {
  const boundary = '--------------------------492833027645120839475601'

  it.each(['data.url', 'files.0.url', 'url'])('reads %s', async (path) => {
    const { token } = await scene.client()
    const body = formBody(boundary, [{ name: 'image', filename: '20261122.jpg', type: 'image/jpeg', value: jpeg }])
    const answer = await scene.send(
      [
        'POST /api/upload HTTP/1.1',
        'Accept: application/json, text/plain, */*',
        `content-type: multipart/form-data; boundary=${boundary}`,
        'contentType: multipart/form-data',
        'User-Agent: PicGo',
        `Authorization: Bearer ${token}`,
        'Accept-Encoding: gzip, compress, deflate, br',
        `Host: ${host}`,
        'Connection: close',
      ],
      body,
    )
    expect(answer.status).toBe(200)
    await scene.expectPicture(at(answer, path))
  })
})

describe('PicList', () => {
  const boundary = '--------------------------771204593384650192837465'
  const send = (lines: readonly string[], parts: Parameters<typeof formBody>[1]) =>
    scene.send(
      [
        ...lines,
        `content-type: multipart/form-data; boundary=${boundary}`,
        'User-Agent: PicList',
        `Host: ${host}`,
        'Connection: keep-alive',
      ],
      formBody(boundary, parts),
    )
  const file = (name = 'file') => ({ name, filename: 'photo.jpg', type: 'image/jpeg', value: jpeg })

  it.each(['POST', 'PUT'])(
    'as advancedplist, by %s, sends the file before its fields, and reads data.url',
    async (method) => {
      const { token } = await scene.client()
      const accepted = 'Accept: application/json, text/plain, */*'
      const head = [`${method} /api/upload?visibility=private HTTP/1.1`, accepted, `Authorization: Bearer ${token}`]
      const answer = await send([...head, 'contentType: multipart/form-data'], [file(), { name: 'folder', value: 'x' }])
      expect([answer.status, at(answer, 'visibility')]).toEqual([200, 'private'])
      expect(at(answer, 'data.url')).toBe(at(answer, 'url'))
    },
  )

  it('as advancedplist shows body.message', async () => {
    const answer = await send(['POST /api/upload HTTP/1.1'], [file()])
    expect([answer.status, at(answer, 'message')]).toEqual([
      401,
      'Send an API token in a header: Authorization: Bearer slu_…',
    ])
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it.each(['Bearer ', ''])(
    'as lsky of version 2, with "%s" before its token, uploads and deletes by its key',
    async (prefix) => {
      const { person, token } = await scene.client(['upload', 'manage'])
      const lines = ['POST /api/v1/upload HTTP/1.1', 'Accept: application/json', `Authorization: ${prefix}${token}`]
      const parts = [
        file(),
        { name: 'ssl', value: 'true' },
        { name: 'strategy_id', value: '1' },
        { name: 'permission', value: '0' },
      ]
      const answer = await send(lines, parts)
      expect([answer.status, at(answer, 'status')]).toEqual([200, true])
      await scene.expectPicture(at(answer, 'data.links.url'))
      const key = String(at(answer, 'data.key'))
      const deletion = await sendRaw(
        test.origin,
        [`DELETE /api/v1/images/${key} HTTP/1.1`, `Authorization: ${prefix}${token}`, `Host: ${host}`, '', ''].join(
          '\r\n',
        ),
      )
      expect([deletion.status, at(deletion, 'status'), at(deletion, 'message')]).toEqual([
        200,
        true,
        'Image moved to trash.',
      ])
      expect(await scene.listImages(person)).toMatchObject([{ id: key, trashedAt: expect.any(Date) }])
    },
  )

  it.each([
    ['0', 'link'],
    ['1', 'public'],
  ])('as lsky version 2 with permission %s stores an image as %s', async (value, visibility) => {
    const { person, token } = await scene.client()
    const lines = ['POST /api/v1/upload HTTP/1.1', `Authorization: Bearer ${token}`]
    const answer = await send(lines, [file(), { name: 'permission', value }])
    await scene.expectPicture(at(answer, 'data.links.url'))
    expect(await scene.listImages(person)).toMatchObject([{ visibility }])
  })

  it('as lsky version 2 shows the message of status false, with a real HTTP status', async () => {
    const { token } = await scene.client(['read'])
    const lines = ['POST /api/v1/upload HTTP/1.1', 'Accept: application/json', `Authorization: Bearer ${token}`]
    const answer = await send(lines, [file()])
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      403,
      { status: false, error: 'token-scope', message: 'This token does not have the scope “upload”.', data: {} },
    ])
  })

  it('as lsky version 1 sends its token in the header token, and reads data.url if code is 200', async () => {
    const { token } = await scene.client()
    const answer = await send(
      ['POST /api/upload HTTP/1.1', `token: ${token}`],
      [file('image'), { name: 'ssl', value: 'true' }],
    )
    expect([answer.status, at(answer, 'code')]).toEqual([200, 200])
    await scene.expectPicture(at(answer, 'data.url'))
  })
})

describe('uPic', () => {
  it('sends a form with its fields first, and reads ["files",0,"url"]', async () => {
    const { token } = await scene.client()
    const boundary = 'alamofire.boundary.5f0c9ab1d2e34786'
    const parts = [
      { name: 'visibility', value: 'link' },
      { name: 'file', filename: 'uPic-2026.png', type: 'image/png', value: png },
    ]
    const answer = await scene.send(
      [
        'POST /api/upload HTTP/1.1',
        `Host: ${host}`,
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        'Connection: keep-alive',
        'Accept: */*',
        'User-Agent: uPic/0.21.1 (com.svend.uPic; build:1; macOS 15.1.0) Alamofire/5.6.1',
        'Accept-Language: en;q=1.0',
        `Authorization: Bearer ${token}`,
        'Accept-Encoding: br;q=1.0, gzip;q=0.9, deflate;q=0.8',
      ],
      formBody(boundary, parts),
    )
    expect(answer.status).toBe(200)
    await scene.expectPicture(at(answer, ['files', 0, 'url']))
  })

  it.each([
    ['as it is', ''],
    ['as a data URL', 'data:image/png;base64,'],
  ])('without a type sends JSON with the file in base64 %s, its slashes escaped', async (_, prefix) => {
    const { person, token } = await scene.client()
    const body = JSON.stringify({ file: `${prefix}${png.toString('base64')}`, visibility: 'public' })
    const answer = await scene.send(
      [
        'POST /api/upload HTTP/1.1',
        `Host: ${host}`,
        'Content-Type: application/json',
        `Authorization: Bearer ${token}`,
        'User-Agent: uPic/0.21.1 Alamofire/5.6.1',
        'Accept: */*',
      ],
      Buffer.from(body.replaceAll('/', String.raw`\/`)),
    )
    expect(answer.status).toBe(200)
    await scene.expectPicture(at(answer, ['url']))
    expect(await scene.listImages(person)).toMatchObject([{ filename: 'image.png' }])
  })
})
