import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { toCaller } from '#server/accounts/viewer.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { sendUpload } from '#testing/http/image-client.ts'
import { flatPng, picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { upload } from '../limits.ts'

const sets = compileRuleSets('test', upload)
let served: TestApp
beforeAll(async () => {
  served = await startApp({ SLUICE_MAX_UPLOAD: '1MB' })
})
afterAll(() => served[Symbol.asyncDispose]())

const requestOf = ({ viewer }: Person) => [{ sets, caller: toCaller(viewer, '127.0.0.1'), bytes: 1 }]

/** Bytes charged to the daily limit. */
async function charged(person: Person): Promise<number> {
  const { rules } = await served.app.limiter.peek(requestOf(person))
  const rule = rules.find(({ policy }) => policy === 'upload-bytes-day')
  return rule ? rule.limit - rule.remaining : Number.NaN
}

/** Starts an upload whose body the test sends itself. States no length if none is given. */
function begin(person: Person, headers: Record<string, string | number> = {}) {
  const req = request(`${served.origin}/api/trpc/image.upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream', Cookie: person.cookie, ...headers },
  })
  req.on('error', () => undefined)
  req.flushHeaders()
  return req
}

test('an upload is charged for its bytes, whether it is stored or refused', async () => {
  const person = await served.person()
  const bytes = await picture({ width: 64, height: 48, seed: 1 })
  expect((await sendUpload(served, person, bytes)).status).toBe(200)
  expect(await charged(person)).toBe(bytes.length)
  expect((await sendUpload(served, person, Buffer.alloc(700, 'x'))).status).toBe(415)
  expect(await charged(person)).toBe(bytes.length + 700)
})

test('a decompression bomb costs ten uploads, and a file that is no image one', async () => {
  const person = await served.person()
  const left = async () => {
    const { rules } = await served.app.limiter.peek(requestOf(person))
    return rules.find(({ policy }) => policy === 'upload-1h')?.remaining
  }
  expect((await sendUpload(served, person, Buffer.alloc(700, 'x'))).status).toBe(415)
  expect(await left()).toBe(299)
  expect((await sendUpload(served, person, flatPng(30_000, 30_000))).status).toBe(422)
  expect(await left()).toBe(289)
  const { rows } = served.app.limiter.ownStats()
  expect(rows.find(({ policy }) => policy === 'upload-1h')?.total.penaltyPoints).toBe(9)
})

test('an upload whose body is not accepted is charged for no bytes', async () => {
  const person = await served.person()
  const refused = await sendUpload(served, person, Buffer.alloc(700), { headers: { 'x-file-name': '%' } })
  expect([refused.status, await charged(person)]).toEqual([400, 0])
  const req = begin(person, { 'Content-Length': 2_000_000 })
  const [answer] = await once(req, 'response')
  req.destroy()
  expect([answer.statusCode, await charged(person)]).toEqual([413, 0])
})

test('an upload without a length is charged for the largest upload until it has been received', async () => {
  const person = await served.person()
  const req = begin(person)
  req.write(Buffer.alloc(300, 'x'))
  await expect.poll(() => charged(person)).toBe(1024 ** 2)
  req.end(Buffer.alloc(200, 'x'))
  const [answer] = await once(req, 'response')
  answer.resume()
  expect([answer.statusCode, await charged(person)]).toEqual([415, 500])
})

test('an interrupted upload is charged for the received bytes', async () => {
  const person = await served.person()
  const { images } = served.app
  const receive = images.receive.bind(images)
  let read = 0
  vi.spyOn(images, 'receive').mockImplementation((upload) => {
    const onRead = (bytes: number) => {
      read += bytes
      upload.onRead?.(bytes)
    }
    return receive({ ...upload, onRead })
  })
  const req = begin(person, { 'Content-Length': 900_000 })
  req.write(Buffer.alloc(400, 'x'))
  await expect.poll(() => charged(person)).toBe(900_000)
  // Bytes that are unread when the connection ends do not count as received.
  await expect.poll(() => read).toBe(400)
  req.destroy()
  await expect.poll(() => charged(person)).toBe(400)
})

/** Concurrent uploads of a person. */
async function held(person: Person): Promise<number> {
  const { rules } = await served.app.limiter.peek(requestOf(person))
  const rule = rules.find(({ policy }) => policy === 'uploading-concurrent')
  return rule ? rule.limit - rule.remaining : Number.NaN
}

// tRPC reads a form to its end before the procedure sees it, and its reader never learns that the client has left.
test('a tRPC form whose body stops half-way holds its place only until its client disconnects', async () => {
  const person = await served.person()
  const req = begin(person, { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 500 })
  req.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf')
  await expect.poll(() => held(person)).toBe(1)
  req.destroy()
  await expect.poll(() => held(person)).toBe(0)
})

test('beyond eight concurrent uploads others wait, and one whose client disconnects takes no place', async () => {
  const person = await served.person()
  const under = Array.from({ length: 8 }, () => begin(person, { 'Content-Length': 100 }))
  await expect.poll(() => charged(person)).toBe(800)
  const reserve = vi.spyOn(served.app.limiter, 'reserve')
  const left = begin(person, { 'Content-Length': 100 })
  const ninth = begin(person, { 'Content-Length': 100 })
  const waiting = () => served.app.limiter.ownStats().rows.filter(({ policy }) => policy === 'uploading-concurrent')
  await expect.poll(() => reserve.mock.calls.length).toBe(2)
  left.destroy()
  await expect.poll(() => waiting().map(({ total }) => total.abandoned)).toEqual([1])
  const [first] = under
  first?.end(Buffer.alloc(100, 'x'))
  ninth.end(Buffer.alloc(100, 'x'))
  const [answer] = await once(ninth, 'response')
  answer.resume()
  expect(answer.statusCode).toBe(415)
  expect(await charged(person)).toBe(900)
  for (const req of under) req.destroy()
})
