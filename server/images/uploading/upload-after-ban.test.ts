import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { formBody } from '#testing/http/form-body.ts'
import { everythingKept, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let admin: Person
let person: Person
beforeAll(async () => {
  served = await startApp()
  admin = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await served.person()
})

const ban = () => served.as(admin).user.ban({ id: person.viewer.userId })

/** Waits until the body of an upload is accepted. */
async function letIn(req: ClientRequest): Promise<void> {
  using asked = vi.spyOn(served.app.images, 'receive')
  req.flushHeaders()
  await expect.poll(() => asked.mock.calls.length).toBe(1)
}

function begin(path: string, headers: Readonly<Record<string, string>>): ClientRequest {
  return request(served.origin + path, { method: 'POST', headers })
}

async function answerOf(req: ClientRequest) {
  const [answer] = await once(req, 'response')
  return { status: answer.statusCode, body: await json(answer) }
}

const upstream = () =>
  begin('/api/trpc/image.upload', {
    cookie: person.cookie,
    'content-type': 'application/octet-stream',
    'x-visibility': 'public',
  })

test('an upload in flight when its owner is banned stores nothing', async () => {
  const before = await everythingKept(served)
  const req = upstream()
  await letIn(req)
  await ban()
  req.end(await picture({ width: 20, height: 20 }))
  const { status, body } = await answerOf(req)
  expect([status, body]).toMatchObject([401, { error: { data: { reason: 'owner-gone' } } }])
  expect(await everythingKept(served)).toEqual(before)
})

test.each<readonly [string, () => Promise<{ headers: Record<string, string>; end(): Promise<unknown> }>]>([
  [
    'session',
    async () => ({ headers: { cookie: person.cookie }, end: () => served.as(person).account.signOutEverywhere() }),
  ],
  [
    'token',
    async () => {
      const { id, headers } = await insertToken(served, person, ['upload'])
      return { headers, end: () => served.as(person).token.revoke({ id }) }
    },
  ],
])('an upload in flight when its %s ends stores nothing', async (_, by) => {
  const { headers, end } = await by()
  const before = await everythingKept(served)
  const req = begin('/api/trpc/image.upload', { ...headers, 'content-type': 'application/octet-stream' })
  await letIn(req)
  await end()
  req.end(await picture({ width: 26, height: 20 }))
  expect((await answerOf(req)).status).toBe(401)
  expect(await everythingKept(served)).toEqual(before)
})

test('an upload in flight when its owner is banned neither restores nor publishes an existing image', async () => {
  const bytes = await picture({ width: 21, height: 20 })
  const { id } = await uploadAccepted(served, person, bytes, { headers: { 'x-visibility': 'private' } })
  await served.as(person).image.delete({ id })
  const req = upstream()
  await letIn(req)
  await ban()
  req.end(bytes)
  expect((await answerOf(req)).status).toBe(401)
  const row = await served.app.db.image.findUniqueOrThrow({ where: { id } })
  expect([row.visibility, row.trashedAt === null]).toEqual(['private', false])
})

/** Unfinished uploads: one folder for each file that waits for the end of its form. */
const waiting = async () => (await everythingKept(served)).unfinished.length

test('files of a form received before the ban are not stored when the form ends', async () => {
  const { headers } = await insertToken(served, person, ['upload'])
  const value = await picture({ width: 22, height: 20 })
  const form = formBody('xx', [
    { name: 'file', filename: 'a.png', type: 'image/png', value },
    { name: 'visibility', value: Buffer.from('public') },
  ])
  const before = await everythingKept(served)
  const req = begin('/api/upload', { ...headers, 'content-type': 'multipart/form-data; boundary=xx' })
  const cut = form.lastIndexOf('public')
  req.write(form.subarray(0, cut))
  await expect.poll(waiting).toBe(1)
  await ban()
  req.end(form.subarray(cut))
  expect((await answerOf(req)).status).toBe(401)
  expect(await everythingKept(served)).toEqual(before)
})

test.each<readonly [string, string, readonly object[]]>([
  ['behind its files', 'none', [{ error: 'void-token' }]],
  ['between two of them', '2.png', [{ error: 'void-token' }, { error: 'void-token' }]],
])('a token that is revoked in the middle of a form, %s, stores none of its files', async (_, at, files) => {
  const { id, headers } = await insertToken(served, person, ['upload'])
  const [first, second] = [await picture({ width: 23, height: 20 }), await picture({ width: 24, height: 20 })]
  const file = (filename: string, value: Buffer) => ({ name: 'files[]', filename, type: 'image/png', value })
  const album = { name: 'album', value: 'none' }
  const form = formBody('xx', [file('1.png', first), album, ...(files.length > 1 ? [file('2.png', second)] : [])])
  const before = await everythingKept(served)
  const req = begin('/api/upload', { ...headers, 'content-type': 'multipart/form-data; boundary=xx' })
  const cut = form.indexOf(at)
  req.write(form.subarray(0, cut))
  await expect.poll(waiting).toBe(1)
  await served.as(person).token.revoke({ id })
  req.end(form.subarray(cut))
  const { status, body } = await answerOf(req)
  expect([status, body]).toMatchObject([401, { stored: 0, refused: files.length, files }])
  expect(await everythingKept(served)).toEqual(before)
})
