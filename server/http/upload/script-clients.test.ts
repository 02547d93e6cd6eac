import { afterAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { chunked, formBody } from '#testing/http/form-body.ts'
import { sendRaw } from '#testing/http/raw-http.ts'
import { at, openUploadScene } from '#testing/http/upload-client.ts'
import { picture } from '#testing/images/pictures.ts'

const scene = await openUploadScene()
afterAll(() => scene[Symbol.asyncDispose]())
const { test, png, jpeg, host } = scene

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
    const { token } = await scene.client()
    const body = formBody(boundary, [{ name: 'file', filename: 'a.png', type: 'image/png', value: png }])
    const type = `Content-Type: multipart/form-data; boundary=${boundary}`
    const answer = await scene.send(head(token, 'POST /api/upload HTTP/1.1', type), body)
    await scene.expectPicture(at(answer, 'url'))
  })

  it.each(['Accept: text/plain', null])(
    'for Typora sends several files, and answers a line for each (%s)',
    async (accept) => {
      const { token } = await scene.client()
      const value = (seed: number) => picture({ format: 'png', width: 64, height: 48, seed })
      const values = await Promise.all([4, 5, 6].map(value))
      const parts = values.map((each, n) => ({ name: 'file', filename: `${n}.png`, type: 'image/png', value: each }))
      const lines = head(
        token,
        `POST /api/upload${accept ? '' : '?format=txt'} HTTP/1.1`,
        ...(accept ? [accept] : []),
        `Content-Type: multipart/form-data; boundary=${boundary}`,
      )
      const answer = await scene.send(lines, formBody(boundary, parts))
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
      const last = answer.body.trimEnd().split('\n').slice(-3)
      expect(new Set(last).size).toBe(3)
      for (const url of last) await scene.expectPicture(url)
    },
  )

  it.each([
    ['--data-binary, of the type that curl says by itself', 'Content-Type: application/x-www-form-urlencoded'],
    ['--data-binary with the image’s type', 'Content-Type: image/png'],
    ['--data-binary with no image’s type', 'Content-Type: application/octet-stream'],
  ])('%s sends the file as it is', async (_, type) => {
    const { person, token } = await scene.client()
    const answer = await scene.send(
      head(token, 'POST /api/upload?filename=Meer%20%26%20Strand.png HTTP/1.1', type),
      png,
    )
    await scene.expectPicture(at(answer, 'url'))
    expect(await scene.listImages(person)).toMatchObject([{ filename: 'Meer & Strand.png' }])
  })

  it('-T sends the file under its name, after 100 Continue', async () => {
    const { person, token } = await scene.client()
    const lines = head(token, 'PUT /api/upload/K%C3%A4se.png HTTP/1.1', 'Expect: 100-continue')
    const answer = await scene.send(lines, png)
    await scene.expectPicture(at(answer, 'url'))
    expect(await scene.listImages(person)).toMatchObject([{ filename: 'Käse.png' }])
  })

  it.each([
    ['-T -', 'PUT /api/upload HTTP/1.1', null],
    ['--data-binary @-', 'POST /api/upload HTTP/1.1', 'Content-Type: image/png'],
  ])('%s, from flameshot or any other pipe, sends a file without a length', async (_, line, type) => {
    const { token } = await scene.client()
    const more = [...(type ? [type] : []), 'Transfer-Encoding: chunked', 'Expect: 100-continue', '', '']
    const answer = await sendRaw(test.origin, head(token, line, ...more).join('\r\n'), chunked(png, 400))
    await scene.expectPicture(at(answer, 'url'))
  })

  it('-F file=@- from a pipe sends a form without a length', async () => {
    const { token } = await scene.client()
    const body = formBody(boundary, [{ name: 'file', filename: 'shot.png', type: 'image/png', value: png }])
    const more = ['Transfer-Encoding: chunked', `Content-Type: multipart/form-data; boundary=${boundary}`, '', '']
    const answer = await sendRaw(
      test.origin,
      head(token, 'POST /api/upload HTTP/1.1', ...more).join('\r\n'),
      chunked(body, 333),
    )
    await scene.expectPicture(at(answer, 'url'))
  })
})

describe('clients of Chevereto', () => {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
  const head = (line: string, ...more: string[]) => [line, `Host: ${host}`, 'Accept: */*', ...more]
  const form = (token: string, more: Readonly<Record<string, string>> = {}) =>
    Buffer.from(`${new URLSearchParams({ key: token, ...more, source: jpeg.toString('base64') })}`)
  const urlencoded = 'Content-Type: application/x-www-form-urlencoded'

  it('send a file with X-API-Key, and read image.url and the other links', async () => {
    const { token } = await scene.client()
    const body = formBody(boundary, [{ name: 'source', filename: 'me.jpg', type: 'image/jpeg', value: jpeg }])
    const type = `Content-Type: multipart/form-data; boundary=${boundary}`
    const lines = head('POST /api/1/upload HTTP/1.1', `X-API-Key: ${token}`, type)
    const answer = await scene.send(lines, body)
    expect([answer.status, at(answer, 'status_code'), at(answer, 'status_txt')]).toEqual([200, 200, 'OK'])
    await scene.expectPicture(at(answer, 'image.url'))
    await scene.expectPicture(at(answer, 'image.thumb.url'))
    expect(at(answer, 'image.url_viewer')).toMatch(/\/image\/[A-Za-z0-9_-]{22}$/)
    expect(at(answer, 'image.delete_url')).toMatch(/\/delete\/[A-Za-z0-9_-]{43}$/)
  })

  it('send base64 with their key in a form, and read lines with format=txt', async () => {
    const { token } = await scene.client()
    const lines = head('POST /api/1/upload/ HTTP/1.1', urlencoded)
    const answer = await scene.send(lines, form(token, { format: 'txt' }))
    expect(answer.status).toBe(200)
    await scene.expectPicture(answer.body.trimEnd())
  })

  it('are redirected to the image’s page with format=redirect, with their key in the address', async () => {
    const { token } = await scene.client()
    const lines = head(`POST /api/1/upload?key=${token}&format=redirect HTTP/1.1`, urlencoded)
    const answer = await scene.send(lines, form(''))
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toMatch(new RegExp(`^${test.app.config.origin}/image/[A-Za-z0-9_-]{22}$`))
  })

  it('are refused when they send a URL', async () => {
    const { token } = await scene.client()
    const body = Buffer.from(`key=${token}&source=${encodeURIComponent('http://169.254.169.254/x.png')}`)
    const answer = await scene.send(head('POST /api/1/upload HTTP/1.1', urlencoded), body)
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      {
        status_code: 400,
        error: { message: 'Images cannot be uploaded by URL. Send the file itself.', code: 'no-url' },
        status_txt: 'Bad Request',
      },
    ])
  })
})

it('no token gets a deletion link for an image that existed before', async () => {
  const { person, token } = await scene.client()
  const { token: stronger } = await insertToken(test, person, ['upload', 'manage'])
  const send = async (authorization: string) => {
    const lines = [
      'POST /api/upload HTTP/1.1',
      `Host: ${host}`,
      'Content-Type: image/png',
      `Authorization: ${authorization}`,
    ]
    return JSON.parse((await scene.send(lines, png)).body)
  }
  const first = await send(`Bearer Bearer ${token}`)
  const again = await send(token)
  expect([again.id, first.deletion_url !== null, again.deletion_url]).toEqual([first.id, true, null])
  expect((await send(stronger)).deletion_url).toBeNull()
})

it('clients of EasyImages send a token in the form, and read url and thumb', async () => {
  const { token } = await scene.client()
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
  const answer = await scene.send(lines, formBody(boundary, parts))
  expect([answer.status, at(answer, 'result'), at(answer, 'code')]).toEqual([200, 'success', 200])
  await scene.expectPicture(at(answer, 'url'))
})
