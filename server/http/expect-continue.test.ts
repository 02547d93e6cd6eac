import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { formBody } from '#testing/http/form-body.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let person: Person
let token: string
let png: Buffer
beforeAll(async () => {
  test = await startApp()
  person = await test.person()
  token = (await insertToken(test, person, ['upload'])).token
  png = await picture({ format: 'png', width: 16, height: 12 })
})
afterAll(() => test[Symbol.asyncDispose]())

/** Sends the body only after 100 Continue, as curl does for a large file. Returns the status and whether the body was requested. */
async function send(method: string, path: string, headers: Readonly<Record<string, string>>, body = png) {
  const call = request(`${test.origin}${path}`, {
    method,
    headers: { ...headers, Expect: '100-continue', 'Content-Length': body.length },
  })
  let isRequested = false
  call.once('continue', () => {
    isRequested = true
    call.end(body)
  })
  call.flushHeaders()
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    call.once('response', resolve).once('error', reject),
  )
  await buffer(answer)
  call.destroy()
  return [answer.statusCode, isRequested]
}

const authorized = () => ({ authorization: `Bearer ${token}`, 'content-type': 'image/png' })
const MULTIPART = 'multipart/form-data; boundary=xx'

it('requests a body that is accepted', async () => {
  expect(await send('PUT', '/api/upload/a.png', authorized())).toEqual([200, true])
  const page = { cookie: person.cookie, 'content-type': 'application/octet-stream', 'x-file-name': 'a.png' }
  expect(await send('POST', '/api/trpc/image.upload', page)).toEqual([200, true])
  const json = { cookie: person.cookie, 'content-type': 'application/json' }
  expect(await send('POST', '/api/trpc/image.delete', json, Buffer.from('{"id":"?"}'))).toEqual([400, true])
})

it('requests a form, which may contain the token', async () => {
  const body = formBody('xx', [
    { name: 'token', value: token },
    { name: 'file', filename: 'a.png', value: png },
  ])
  expect(await send('POST', '/api/upload', { 'content-type': MULTIPART }, body)).toEqual([200, true])
})

it('does not request a body that is refused for its head', async () => {
  expect(await send('PUT', '/api/upload/a.png', { ...authorized(), authorization: 'Bearer slu_void' })).toEqual([
    401,
    false,
  ])
  expect(await send('POST', '/api/upload', { 'content-type': 'image/png' })).toEqual([401, false])
  const signedOut = { 'content-type': 'application/octet-stream', 'x-file-name': 'a.png' }
  expect(await send('POST', '/api/trpc/image.upload', signedOut)).toEqual([401, false])
  expect(await send('POST', '/i/none', {})).toEqual([405, false])
})

it('does not request a body beyond the sender’s limits', async () => {
  const root = await test.person({ role: 'superadmin' })
  await test.as(root).limits.override({
    ruleSet: 'upload',
    target: { kind: 'all' },
    terms: { rules: [{ limit: 1, window: '1h' }] },
  })
  const other = await insertToken(test, await test.person(), ['upload'])
  const headers = { ...authorized(), authorization: `Bearer ${other.token}` }
  expect(await send('PUT', '/api/upload/a.png', headers)).toEqual([200, true])
  expect(await send('PUT', '/api/upload/a.png', headers)).toEqual([429, false])
})
