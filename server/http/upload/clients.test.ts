import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '#server/accounts/viewer.ts'
import { tokenOf } from '#testing/api-token.ts'
import { chunked, formBody } from '#testing/form-body.ts'
import { picture } from '#testing/pictures.ts'
import { type RawAnswer, sendRaw } from '#testing/raw-http.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'

let test: TestApp
let png: Buffer
let jpeg: Buffer
let host: string
beforeAll(async () => {
  test = await startApp()
  host = new URL(test.origin).host
  png = await picture({ format: 'png', width: 64, height: 48, seed: 1 })
  jpeg = await picture({ width: 64, height: 48, seed: 2 })
})
afterAll(() => test[Symbol.asyncDispose]())

/** Somebody new, with a token for a client. */
async function client(scopes: readonly Scope[] = ['upload']) {
  const person = await test.person()
  const { token } = await tokenOf(test, person, scopes)
  return { person, token }
}

/** Everything that `person` has, by name. */
const imagesOf = (person: Person) =>
  test.app.db.image.findMany({
    where: { ownerId: person.viewer.userId },
    select: { id: true, filename: true, visibility: true, trashedAt: true },
    orderBy: { createdAt: 'asc' },
  })

/** What stands in an answer under a path as clients write it: `data.url`, `files.0.url`, or an array of keys. */
function at(answer: RawAnswer, path: string | readonly (string | number)[]): unknown {
  let found: unknown = JSON.parse(answer.body)
  for (const key of typeof path === 'string' ? path.split('.') : path) found = Reflect.get(Object(found), key)
  return found
}

/** Asserts that an address leads to a picture from where everybody is. */
async function expectPicture(url: unknown): Promise<void> {
  expect(String(url).startsWith(`${test.app.config.origin}/i/`)).toBe(true)
  const answer = await fetch(String(url))
  expect([answer.status, answer.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image'])
  await answer.arrayBuffer()
}

const request = (lines: readonly string[], body: Buffer): [string, Buffer] => [
  [...lines, `Content-Length: ${body.length}`, '', ''].join('\r\n'),
  body,
]

describe('ShareX', () => {
  const boundary = '--------------------8dd7e6f5c4b3a21'
  const send = (authorization: string, parts: Parameters<typeof formBody>[1]) =>
    sendRaw(
      test.origin,
      ...request(
        [
          'POST /api/upload HTTP/1.1',
          `Authorization: ${authorization}`,
          'User-Agent: ShareX/17.1.0',
          `Content-Type: multipart/form-data; boundary=${boundary}`,
          `Host: ${host}`,
          'Accept-Encoding: gzip, deflate',
        ],
        formBody(boundary, parts),
      ),
    )
  const file = () => ({ name: 'file', filename: 'Bildschirmfoto ü_1.png', type: 'image/png', value: png })

  it('reads {json:url}, {json:thumbnail_url} and {json:deletion_url}; the last opens a page in a browser', async () => {
    const { person, token } = await client()
    const answer = await send(`Bearer ${token}`, [{ name: 'visibility', value: 'public' }, file()])
    expect(answer.status).toBe(200)
    await expectPicture(at(answer, 'url'))
    await expectPicture(at(answer, 'thumbnail_url'))
    const deletionUrl = String(at(answer, 'deletion_url'))
    expect(deletionUrl).toMatch(new RegExp(`^${test.app.config.origin}/delete/[A-Za-z0-9_-]{43}$`))
    expect(await imagesOf(person)).toMatchObject([
      { filename: 'Bildschirmfoto ü_1.png', visibility: 'public', trashedAt: null },
    ])
    const link = deletionUrl.slice(-43)
    expect((await test.as(null).image.showByLink({ link })).thumbnailUrl).toBe(at(answer, 'thumbnail_url'))
    await test.as(null).image.deleteByLink({ link })
    expect((await imagesOf(person))[0]?.trashedAt).not.toBeNull()
  })

  it('shows {json:message} of an answer that is no success', async () => {
    const answer = await send('Bearer slu_wrong', [file()])
    expect([answer.status, at(answer, 'error'), at(answer, 'message')]).toEqual([
      401,
      'void-token',
      'This token is not valid: it has expired or was revoked.',
    ])
  })
})

describe('PicGo with web-uploader', () => {
  const boundary = '--------------------------492833027645120839475601'

  it.each(['data.url', 'files.0.url', 'url'])('reads %s', async (path) => {
    const { token } = await client()
    const body = formBody(boundary, [{ name: 'image', filename: '20261122.jpg', type: 'image/jpeg', value: jpeg }])
    const answer = await sendRaw(
      test.origin,
      ...request(
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
      ),
    )
    expect(answer.status).toBe(200)
    await expectPicture(at(answer, path))
  })
})

describe('PicList', () => {
  const boundary = '--------------------------771204593384650192837465'
  const send = (lines: readonly string[], parts: Parameters<typeof formBody>[1]) =>
    sendRaw(
      test.origin,
      ...request(
        [
          ...lines,
          `content-type: multipart/form-data; boundary=${boundary}`,
          'User-Agent: PicList',
          `Host: ${host}`,
          'Connection: keep-alive',
        ],
        formBody(boundary, parts),
      ),
    )
  const file = (name = 'file') => ({ name, filename: 'photo.jpg', type: 'image/jpeg', value: jpeg })

  it.each(['POST', 'PUT'])(
    'as advancedplist, by %s, sends the file before its fields, and reads data.url',
    async (method) => {
      const { token } = await client()
      const accepted = 'Accept: application/json, text/plain, */*'
      const head = [`${method} /api/upload?visibility=private HTTP/1.1`, accepted, `Authorization: Bearer ${token}`]
      const answer = await send([...head, 'contentType: multipart/form-data'], [file(), { name: 'album', value: 'x' }])
      expect([answer.status, at(answer, 'visibility')]).toEqual([200, 'private'])
      expect(at(answer, 'data.url')).toBe(at(answer, 'url'))
    },
  )

  it('as advancedplist shows body.message', async () => {
    const answer = await send(['POST /api/upload HTTP/1.1'], [file()])
    expect([answer.status, at(answer, 'message')]).toEqual([
      401,
      'Send a token of yours in a header: Authorization: Bearer slu_…',
    ])
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it.each(['Bearer ', ''])(
    'as lsky of version 2, with "%s" before its token, uploads and deletes by its key',
    async (prefix) => {
      const { person, token } = await client(['upload', 'manage'])
      const lines = ['POST /api/v1/upload HTTP/1.1', 'Accept: application/json', `Authorization: ${prefix}${token}`]
      const parts = [
        file(),
        { name: 'ssl', value: 'true' },
        { name: 'strategy_id', value: '1' },
        { name: 'permission', value: '0' },
      ]
      const answer = await send(lines, parts)
      expect([answer.status, at(answer, 'status')]).toEqual([200, true])
      await expectPicture(at(answer, 'data.links.url'))
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
        'Moved to the trash.',
      ])
      expect(await imagesOf(person)).toMatchObject([{ id: key, trashedAt: expect.any(Date) }])
    },
  )

  it('as lsky of version 2 shows the message of status false, under a real status', async () => {
    const { token } = await client(['read'])
    const lines = ['POST /api/v1/upload HTTP/1.1', 'Accept: application/json', `Authorization: Bearer ${token}`]
    const answer = await send(lines, [file()])
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      403,
      { status: false, error: 'token-scope', message: 'This token may not upload.', data: {} },
    ])
  })

  it('as lsky of version 1 sends its token in a header of that name, and reads data.url under code 200', async () => {
    const { token } = await client()
    const answer = await send(
      ['POST /api/upload HTTP/1.1', `token: ${token}`],
      [file('image'), { name: 'ssl', value: 'true' }],
    )
    expect([answer.status, at(answer, 'code')]).toEqual([200, 200])
    await expectPicture(at(answer, 'data.url'))
  })
})

describe('uPic', () => {
  it('sends a form, its fields first, and reads ["files",0,"url"]', async () => {
    const { token } = await client()
    const boundary = 'alamofire.boundary.5f0c9ab1d2e34786'
    const parts = [
      { name: 'visibility', value: 'link' },
      { name: 'file', filename: 'uPic-2026.png', type: 'image/png', value: png },
    ]
    const answer = await sendRaw(
      test.origin,
      ...request(
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
      ),
    )
    expect(answer.status).toBe(200)
    await expectPicture(at(answer, ['files', 0, 'url']))
  })

  it.each([
    ['as it is', ''],
    ['as a data URL', 'data:image/png;base64,'],
  ])('without a type sends JSON with the file in base64 %s, its slashes escaped', async (_, prefix) => {
    const { person, token } = await client()
    const body = JSON.stringify({ file: `${prefix}${png.toString('base64')}`, visibility: 'public' })
    const answer = await sendRaw(
      test.origin,
      ...request(
        [
          'POST /api/upload HTTP/1.1',
          `Host: ${host}`,
          'Content-Type: application/json',
          `Authorization: Bearer ${token}`,
          'User-Agent: uPic/0.21.1 Alamofire/5.6.1',
          'Accept: */*',
        ],
        Buffer.from(body.replaceAll('/', String.raw`\/`)),
      ),
    )
    expect(answer.status).toBe(200)
    await expectPicture(at(answer, ['url']))
    expect(await imagesOf(person)).toMatchObject([{ filename: 'image.png' }])
  })
})

describe('curl', () => {
  const boundary = '------------------------Xy7KqPz0aBcDeFgHiJkLmN'
  const head = (token: string, line: string, ...more: string[]) => [
    line,
    `Host: ${host}`,
    'User-Agent: curl/8.14.1',
    ...(more.some((each) => each.startsWith('Accept:')) ? [] : ['Accept: */*']),
    `Authorization: Bearer ${token}`,
    ...more,
  ]

  it('-F sends a form', async () => {
    const { token } = await client()
    const body = formBody(boundary, [{ name: 'file', filename: 'a.png', type: 'image/png', value: png }])
    const type = `Content-Type: multipart/form-data; boundary=${boundary}`
    const answer = await sendRaw(test.origin, ...request(head(token, 'POST /api/upload HTTP/1.1', type), body))
    await expectPicture(at(answer, 'url'))
  })

  it.each(['Accept: text/plain', null])(
    'for Typora sends several files, and answers a line for each (%s)',
    async (accept) => {
      const { token } = await client()
      const value = (seed: number) => picture({ format: 'png', width: 64, height: 48, seed })
      const values = await Promise.all([4, 5, 6].map(value))
      const parts = values.map((each, n) => ({ name: 'file', filename: `${n}.png`, type: 'image/png', value: each }))
      const lines = head(
        token,
        `POST /api/upload${accept ? '' : '?format=txt'} HTTP/1.1`,
        ...(accept ? [accept] : []),
        `Content-Type: multipart/form-data; boundary=${boundary}`,
      )
      const answer = await sendRaw(test.origin, ...request(lines, formBody(boundary, parts)))
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
      const last = answer.body.trimEnd().split('\n').slice(-3)
      expect(new Set(last).size).toBe(3)
      for (const url of last) await expectPicture(url)
    },
  )

  it.each([
    ['--data-binary, of the type that curl says by itself', 'Content-Type: application/x-www-form-urlencoded'],
    ['--data-binary with the image’s type', 'Content-Type: image/png'],
    ['--data-binary with no image’s type', 'Content-Type: application/octet-stream'],
  ])('%s sends the file as it is', async (_, type) => {
    const { person, token } = await client()
    const answer = await sendRaw(
      test.origin,
      ...request(head(token, 'POST /api/upload?filename=Meer%20%26%20Strand.png HTTP/1.1', type), png),
    )
    await expectPicture(at(answer, 'url'))
    expect(await imagesOf(person)).toMatchObject([{ filename: 'Meer & Strand.png' }])
  })

  it('-T puts the file under its name, and waits for a word before it sends it', async () => {
    const { person, token } = await client()
    const lines = head(token, 'PUT /api/upload/K%C3%A4se.png HTTP/1.1', 'Expect: 100-continue')
    const answer = await sendRaw(test.origin, ...request(lines, png))
    await expectPicture(at(answer, 'url'))
    expect(await imagesOf(person)).toMatchObject([{ filename: 'Käse.png' }])
  })

  it.each([
    ['-T -', 'PUT /api/upload HTTP/1.1', null],
    ['--data-binary @-', 'POST /api/upload HTTP/1.1', 'Content-Type: image/png'],
  ])('%s, behind flameshot or any other pipe, sends a file without a length', async (_, line, type) => {
    const { token } = await client()
    const more = [...(type ? [type] : []), 'Transfer-Encoding: chunked', 'Expect: 100-continue', '', '']
    const answer = await sendRaw(test.origin, head(token, line, ...more).join('\r\n'), chunked(png, 400))
    await expectPicture(at(answer, 'url'))
  })

  it('-F file=@- behind a pipe sends a form without a length', async () => {
    const { token } = await client()
    const body = formBody(boundary, [{ name: 'file', filename: 'shot.png', type: 'image/png', value: png }])
    const more = ['Transfer-Encoding: chunked', `Content-Type: multipart/form-data; boundary=${boundary}`, '', '']
    const answer = await sendRaw(
      test.origin,
      head(token, 'POST /api/upload HTTP/1.1', ...more).join('\r\n'),
      chunked(body, 333),
    )
    await expectPicture(at(answer, 'url'))
  })
})

describe('clients of Chevereto', () => {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
  const head = (line: string, ...more: string[]) => [line, `Host: ${host}`, 'Accept: */*', ...more]
  const form = (token: string, more: Readonly<Record<string, string>> = {}) =>
    Buffer.from(`${new URLSearchParams({ key: token, ...more, source: jpeg.toString('base64') })}`)
  const urlencoded = 'Content-Type: application/x-www-form-urlencoded'

  it('send a file with X-API-Key, and read image.url and its kin', async () => {
    const { token } = await client()
    const body = formBody(boundary, [{ name: 'source', filename: 'me.jpg', type: 'image/jpeg', value: jpeg }])
    const type = `Content-Type: multipart/form-data; boundary=${boundary}`
    const lines = head('POST /api/1/upload HTTP/1.1', `X-API-Key: ${token}`, type)
    const answer = await sendRaw(test.origin, ...request(lines, body))
    expect([answer.status, at(answer, 'status_code'), at(answer, 'status_txt')]).toEqual([200, 200, 'OK'])
    await expectPicture(at(answer, 'image.url'))
    await expectPicture(at(answer, 'image.thumb.url'))
    expect(at(answer, 'image.url_viewer')).toMatch(/\/image\/[A-Za-z0-9_-]{22}$/)
    expect(at(answer, 'image.delete_url')).toMatch(/\/delete\/[A-Za-z0-9_-]{43}$/)
  })

  it('send base64 with their key in a form, and read lines under format=txt', async () => {
    const { token } = await client()
    const lines = head('POST /api/1/upload/ HTTP/1.1', urlencoded)
    const answer = await sendRaw(test.origin, ...request(lines, form(token, { format: 'txt' })))
    expect(answer.status).toBe(200)
    await expectPicture(answer.body.trimEnd())
  })

  it('are led to the page of the image under format=redirect, with their key in the address', async () => {
    const { token } = await client()
    const lines = head(`POST /api/1/upload?key=${token}&format=redirect HTTP/1.1`, urlencoded)
    const answer = await sendRaw(test.origin, ...request(lines, form('')))
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toMatch(new RegExp(`^${test.app.config.origin}/image/[A-Za-z0-9_-]{22}$`))
  })

  it('are told that nothing is fetched from addresses', async () => {
    const { token } = await client()
    const body = Buffer.from(`key=${token}&source=${encodeURIComponent('http://169.254.169.254/x.png')}`)
    const answer = await sendRaw(test.origin, ...request(head('POST /api/1/upload HTTP/1.1', urlencoded), body))
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      {
        status_code: 400,
        error: { message: 'Images are not fetched from addresses: send the file itself.', code: 'no-url' },
        status_txt: 'Bad Request',
      },
    ])
  })
})

it('a token that may only upload gets no link to delete what was there before', async () => {
  const { person, token } = await client()
  const { token: stronger } = await tokenOf(test, person, ['upload', 'manage'])
  const send = async (authorization: string) => {
    const lines = [
      'POST /api/upload HTTP/1.1',
      `Host: ${host}`,
      'Content-Type: image/png',
      `Authorization: ${authorization}`,
    ]
    return JSON.parse((await sendRaw(test.origin, ...request(lines, png))).body)
  }
  const first = await send(`Bearer Bearer ${token}`)
  const again = await send(token)
  expect([again.id, first.deletion_url !== null, again.deletion_url]).toEqual([first.id, true, null])
  expect((await send(stronger)).deletion_url).toMatch(/\/delete\//)
})

it('clients of EasyImages send a token in the form, and read url, thumb by their names', async () => {
  const { token } = await client()
  const boundary = '----------------------------4ebf00fbcf09'
  const parts = [
    { name: 'token', value: token },
    { name: 'image', filename: 'x.png', type: 'image/png', value: png },
  ]
  const lines = [
    'POST /api/upload HTTP/1.1',
    `Host: ${host}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
  ]
  const answer = await sendRaw(test.origin, ...request(lines, formBody(boundary, parts)))
  expect([answer.status, at(answer, 'result'), at(answer, 'code')]).toEqual([200, 'success', 200])
  await expectPicture(at(answer, 'url'))
})
