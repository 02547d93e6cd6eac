import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { tokenOf } from '#testing/api-token.ts'
import { formBody } from '#testing/form-body.ts'
import { everythingKept, upload } from '#testing/image-client.ts'
import { picture } from '#testing/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'

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

/** Waits until the body of an upload is let in. */
async function letIn(req: ClientRequest): Promise<void> {
  using asked = vi.spyOn(served.app.images, 'accept')
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

test('an upload that is under way when its owner is banned stores nothing', async () => {
  const before = await everythingKept(served)
  const req = upstream()
  await letIn(req)
  await ban()
  req.end(await picture({ width: 20, height: 20 }))
  const { status, body } = await answerOf(req)
  expect([status, body]).toMatchObject([401, { error: { data: { reason: 'owner-gone' } } }])
  expect(await everythingKept(served)).toEqual(before)
})

test('nor is an image that they had taken out of the trash, or shown to others', async () => {
  const bytes = await picture({ width: 21, height: 20 })
  const { id } = await upload(served, person, bytes, { headers: { 'x-visibility': 'private' } })
  await served.as(person).image.delete({ id })
  const req = upstream()
  await letIn(req)
  await ban()
  req.end(bytes)
  expect((await answerOf(req)).status).toBe(401)
  const row = await served.app.db.image.findUniqueOrThrow({ where: { id } })
  expect([row.visibility, row.trashedAt === null]).toEqual(['private', false])
})

test('what came in a form before the ban is shown to nobody by what comes behind it', async () => {
  const { headers } = await tokenOf(served, person, ['upload'])
  const value = await picture({ width: 22, height: 20 })
  const form = formBody('xx', [
    { name: 'file', filename: 'a.png', type: 'image/png', value },
    // A file is whole when something follows it.
    { name: 'album', value: 'none' },
    { name: 'visibility', value: Buffer.from('public') },
  ])
  const req = begin('/api/upload', { ...headers, 'content-type': 'multipart/form-data; boundary=xx' })
  const cut = form.lastIndexOf('public')
  req.write(form.subarray(0, cut))
  const { db } = served.app
  const own = { ownerId: person.viewer.userId }
  await expect.poll(() => db.image.count({ where: { ...own, formOpen: true } })).toBe(1)
  await ban()
  req.end(form.subarray(cut))
  expect((await answerOf(req)).status).toBe(401)
  expect(await db.image.findMany({ where: own, select: { visibility: true } })).toEqual([{ visibility: 'private' }])
})

test('a token that is revoked in the middle of a form adds no further file of it', async () => {
  const { id, headers } = await tokenOf(served, person, ['upload'])
  const [first, second] = [await picture({ width: 23, height: 20 }), await picture({ width: 24, height: 20 })]
  const file = (filename: string, value: Buffer) => ({ name: 'files[]', filename, type: 'image/png', value })
  const form = formBody('xx', [file('1.png', first), { name: 'album', value: 'none' }, file('2.png', second)])
  const req = begin('/api/upload', { ...headers, 'content-type': 'multipart/form-data; boundary=xx' })
  const cut = form.indexOf('2.png')
  req.write(form.subarray(0, cut))
  const own = { ownerId: person.viewer.userId }
  await expect.poll(() => served.app.db.image.count({ where: own })).toBe(1)
  await served.as(person).token.revoke({ id })
  req.end(form.subarray(cut))
  const { status, body } = await answerOf(req)
  expect([status, body]).toMatchObject([200, { stored: 1, refused: 1, files: [{}, { error: 'void-token' }] }])
  expect(await served.app.db.image.findMany({ where: own, select: { filename: true } })).toEqual([
    { filename: '1.png' },
  ])
})
