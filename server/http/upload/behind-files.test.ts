import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { toCaller } from '#server/accounts/viewer.ts'
import { upload } from '#server/images/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { type FormPart, formBody } from '#testing/http/form-body.ts'
import { everythingKept } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let person: Person
let token: string
let seed = 0
beforeAll(async () => {
  test = await startApp({ SLUICE_VISIBILITY: 'public' })
  person = await test.person({ role: 'superadmin' })
})
// Each test has its own token, because a token may send only twenty files per second.
beforeEach(async () => {
  token = (await insertToken(test, person, ['upload'])).token
})
afterAll(() => test[Symbol.asyncDispose]())

const fresh = () => {
  seed += 1
  return picture({ format: 'png', width: 16, height: 12, seed })
}
const file = async (filename = 'a.png'): Promise<FormPart> => ({ name: 'file', filename, value: await fresh() })
const visibility = (value: string): FormPart => ({ name: 'visibility', value })
const permission = (value: string): FormPart => ({ name: 'permission', value })
const MULTIPART = 'multipart/form-data; boundary=xx'

function post(body: Buffer | string, type: string, query = '', bearer = token) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': type }
  return fetch(`${test.origin}/api/upload${query}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(Buffer.from(body)),
  })
}
const postForm = (parts: readonly FormPart[], query?: string) => post(formBody('xx', parts), MULTIPART, query)

/** Returns what the response says about each file, and asserts that the same is stored. */
async function visibilitiesIn(answer: Response): Promise<string[]> {
  const { files } = await answer.json()
  for (const { id, slug, filename, visibility: said } of files.filter((each: { id?: string }) => each.id)) {
    const kept = await test.app.db.image.findUniqueOrThrow({ where: { id } })
    expect({ slug, filename, said }).toEqual({ slug: kept.slug, filename: kept.filename, said: kept.visibility })
  }
  return files.map((each: { visibility?: string; status?: number }) => each.visibility ?? String(each.status))
}

describe('the visibility of a file in a form', () => {
  it.each<readonly [string, () => Promise<readonly FormPart[]>, readonly string[], string]>([
    ['after the file', async () => [await file(), visibility('private')], ['private'], ''],
    ['after all files', async () => [await file(), await file(), visibility('link')], ['link', 'link'], ''],
    ['between two', async () => [await file(), visibility('link'), await file()], ['link', 'link'], ''],
    [
      'before each file: for the files after it, the first also for those before it',
      async () => [await file(), visibility('private'), await file(), visibility('link'), await file()],
      ['private', 'private', 'link'],
      '',
    ],
    [
      'after the file, overriding the address',
      async () => [await file(), visibility('private')],
      ['private'],
      '?visibility=link',
    ],
    ['only in the address', async () => [await file(), { name: 'a', value: 'b' }], ['link'], '?visibility=link'],
    ['nowhere', async () => [await file(), await file()], ['public', 'public'], ''],
    ['by Lsky, in no gallery', async () => [await file(), permission('0')], ['link'], ''],
    ['by Lsky, public', async () => [permission('1'), await file()], ['public'], ''],
    [
      'by Lsky, and more specifically in the address',
      async () => [await file(), permission('1')],
      ['private'],
      '?visibility=private',
    ],
    ['by an unknown value of Lsky’s field', async () => [await file(), permission('2')], ['public'], ''],
  ])('can be stated in a form %s', async (_, parts, expected, query) => {
    const answer = await postForm(await parts(), query)
    expect(answer.status).toBe(200)
    expect(await visibilitiesIn(answer)).toEqual(expected)
  })

  it.each([
    ['JSON', 'application/json', (text: string) => JSON.stringify({ file: text, a: [1], visibility: 'private' })],
    [
      'a form in text',
      'application/x-www-form-urlencoded',
      (text: string) => `source=${encodeURIComponent(text)}&visibility=private`,
    ],
  ])('can be stated after the file in %s', async (_, type, bodyOf) => {
    const answer = await post(bodyOf((await fresh()).toString('base64')), type)
    expect(await visibilitiesIn(answer)).toEqual(['private'])
  })

  it('is known before any file of the form is stored', async () => {
    const { db, images } = test.app
    const before = await everythingKept(test)
    const seen: unknown[] = []
    const store = images.storeReceived
    const spy = vi.spyOn(images, 'storeReceived').mockImplementation(async (...given) => {
      const kept = await everythingKept(test)
      seen.push([kept.images - before.images, kept.unfinished.length, given[1].wish.visibility])
      return store(...given)
    })
    expect(await visibilitiesIn(await postForm([await file(), await file(), visibility('link')]))).toEqual([
      'link',
      'link',
    ])
    spy.mockRestore()
    expect(seen).toEqual([
      [0, 2, 'link'],
      [1, 2, 'link'],
    ])
    expect(await db.image.count()).toBe(before.images + 2)
    expect((await everythingKept(test)).unfinished).toEqual([])
  })

  it('is published once, with its final value', async () => {
    const tell = vi.spyOn(test.app.webhook, 'send')
    await visibilitiesIn(await postForm([await file('diary.png'), visibility('private')]))
    const told = tell.mock.calls.map(([, { type, data }]) => [type, data.visibility, data.filename, data.url])
    tell.mockRestore()
    expect(told).toEqual([['image.stored', 'private', null, null]])
  })

  it('applies when a form is sent again after storing failed, which left and published nothing', async () => {
    const before = await everythingKept(test)
    const store = vi.spyOn(test.app.images, 'storeReceived').mockRejectedValueOnce(new Error('the disk is gone'))
    const tell = vi.spyOn(test.app.webhook, 'send')
    const sent = await file()
    expect(await visibilitiesIn(await postForm([sent]))).toEqual(['500'])
    store.mockRestore()
    expect(await everythingKept(test)).toEqual(before)
    for (let time = 0; time < 2; time += 1) expect(await visibilitiesIn(await postForm([sent]))).toEqual(['public'])
    const told = tell.mock.calls.map(([, { type, data }]) => [type, data.visibility])
    tell.mockRestore()
    expect(told).toEqual([['image.stored', 'public']])
  })

  it('is refused if it is invalid, and nothing is stored', async () => {
    const before = await everythingKept(test)
    const answer = await postForm([await file(), await file(), visibility('all')])
    expect([answer.status, (await answer.json()).message]).toEqual([
      400,
      'The visibility must be private, link or public.',
    ])
    await expect.poll(() => everythingKept(test)).toEqual(before)
  })

  it('is private if the form was not read to its end', async () => {
    const junk = Array.from({ length: 100 }, () => ({ name: 'a', value: 'b' }))
    const answer = await postForm([await file(), ...junk, visibility('private')])
    expect(await visibilitiesIn(answer)).toEqual(['private'])
  })
})

it('a field after a file names a file without a name', async () => {
  const source = (await fresh()).toString('base64')
  const answer = await post(JSON.stringify({ file: source, filename: 'Käse.png' }), 'application/json')
  const { id, filename } = await answer.json()
  const { title } = await test.app.db.image.findUniqueOrThrow({ where: { id } })
  expect([filename, title]).toEqual(['Käse.png', 'Käse'])
})

describe('an interrupted form', () => {
  const broken = async (...parts: readonly FormPart[]) => formBody('xx', [...parts, await file()]).subarray(0, -30)
  const whole = async () => formBody('xx', [await file(), await file(), visibility('public')])

  it.each<readonly [string, () => Promise<Buffer>, readonly string[]]>([
    ['in its second file', async () => broken(await file()), ['400', '400']],
    [
      'in its third, whatever was asked for',
      async () => broken(visibility('public'), await file(), await file()),
      ['400', '400', '400'],
    ],
    ['after its files', async () => (await whole()).subarray(0, -20), ['400', '400']],
    ['in its last boundary', async () => (await whole()).subarray(0, -4), ['400', '400']],
  ])('%s stores nothing', async (_, bodyOf, expected) => {
    const before = await everythingKept(test)
    const answer = await post(await bodyOf(), MULTIPART, '?visibility=link')
    const { error, files, stored, unread } = await answer.clone().json()
    expect([answer.status, error, stored, unread]).toEqual([400, 'incomplete', 0, true])
    expect(files.map(({ error }: { error: string }) => error)).toEqual(expected.map(() => 'incomplete'))
    expect(await visibilitiesIn(answer)).toEqual(expected)
    expect(await everythingKept(test)).toEqual(before)
  })

  it('stores nothing if its client disconnects', async () => {
    const before = await everythingKept(test)
    const body = await whole()
    const socket = connect(Number(new URL(test.origin).port), '127.0.0.1')
    socket.write(
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n` +
        `Content-Type: ${MULTIPART}\r\n\r\n`,
    )
    socket.write(body.subarray(0, -20))
    const waiting = async () => (await everythingKept(test)).unfinished.length
    await expect.poll(waiting).toBe(2)
    socket.destroy()
    await expect.poll(() => everythingKept(test)).toEqual(before)
  })

  it('is charged for the received bytes of each file', async () => {
    const one = await test.person()
    const { token: theirs } = await insertToken(test, one, ['upload'])
    const [first, second] = [await file(), await file()]
    const body = formBody('xx', [first, second, visibility('public')])
    expect((await post(body.subarray(0, -20), MULTIPART, '', theirs)).status).toBe(400)
    const caller = toCaller(one.viewer, '127.0.0.1')
    const { rules } = await test.app.limiter.peek([{ sets: compileRuleSets('test', upload), caller, bytes: 1 }])
    const used = Object.fromEntries(rules.map(({ policy, limit, remaining }) => [policy, limit - remaining]))
    expect(used).toMatchObject({
      'upload-1d': 2,
      'upload-bytes-day': first.value.length + second.value.length,
      'uploading-concurrent': 0,
    })
  })
})

describe('two identical files in a form', () => {
  it('are one image, published once', async () => {
    const sent = await file()
    const tell = vi.spyOn(test.app.webhook, 'send')
    const before = await everythingKept(test)
    const answer = await postForm([sent, sent, visibility('link')])
    const { stored, files } = await answer.clone().json()
    expect(await visibilitiesIn(answer)).toEqual(['link', 'link'])
    const links = files.map(({ deletion_url }: { deletion_url: string | null }) => deletion_url !== null)
    expect([stored, files[0].id === files[1].id, links]).toEqual([2, true, [true, false]])
    expect((await everythingKept(test)).images).toBe(before.images + 1)
    expect(tell).toHaveBeenCalledTimes(1)
    tell.mockRestore()
  })

  it('are refused if they ask for different visibilities', async () => {
    const sent = await file()
    expect(await visibilitiesIn(await postForm([visibility('private'), sent, visibility('link'), sent]))).toEqual([
      'private',
      '409',
    ])
  })
})

describe('junk after a file', () => {
  const junk = (bytes: number) => Buffer.alloc(bytes, ' ')
  const json = async (bytes: number) =>
    JSON.stringify({ file: (await fresh()).toString('base64') }).replace(/}$/, `${junk(bytes)}}`)

  it.each<readonly [string, string, (bytes: number) => Promise<Buffer | string>]>([
    ['a form', MULTIPART, async (bytes) => Buffer.concat([formBody('xx', [await file()]), junk(bytes)])],
    [
      'a field of a form',
      MULTIPART,
      async (bytes) => formBody('xx', [await file(), { name: 'a', value: junk(bytes) }]),
    ],
    ['JSON', 'application/json', json],
    [
      'a form in text',
      'application/x-www-form-urlencoded',
      async (bytes) => `file=${encodeURIComponent((await fresh()).toString('base64'))}&a=${'x'.repeat(bytes)}`,
    ],
  ])('in %s is not read beyond the limit for fields', async (_, type, bodyOf) => {
    const told = async (answer: Response) => {
      const { files, unread } = await answer.json()
      return [files.map((each: { visibility?: string; error?: string }) => each.visibility ?? each.error), unread]
    }
    expect(await told(await post(await bodyOf(100_000), type))).toEqual([['public'], undefined])
    // Without the end of the form, its last file is incomplete.
    const outcome = type === MULTIPART ? 'request-too-large' : 'private'
    expect(await told(await post(await bodyOf(600_000), type))).toEqual([[outcome], true])
  })

  it('does not prevent a large file after it', async () => {
    const large = { ...(await file()), value: await picture({ format: 'png', width: 700, height: 500, seed: 9 }) }
    expect(large.value.length).toBeGreaterThan(600_000)
    expect(await visibilitiesIn(await postForm([await file(), large]))).toEqual(['public', 'public'])
  })
})

describe('an image that already exists', () => {
  it.each<readonly [string, readonly ('upload' | 'manage')[], string | null, readonly [number, string]]>([
    ['keeps its visibility if none is requested', ['upload'], null, [200, 'link']],
    ['is accepted if it already has the requested visibility', ['upload'], 'link', [200, 'link']],
    ['is made more private by a token with manage', ['upload', 'manage'], 'private', [200, 'private']],
    ['is made more public by a token with manage', ['upload', 'manage'], 'public', [200, 'public']],
    ['is refused to a token that may only upload if it is more public', ['upload'], 'private', [409, 'link']],
    ['is refused to a token that may only upload if it is more private', ['upload'], 'public', [409, 'link']],
  ])('%s', async (_, scopes, asked, [status, kept]) => {
    const value = await fresh()
    const parts: readonly FormPart[] = [{ name: 'file', filename: 'a.png', value }]
    const first = await (await postForm([...parts, visibility('link')])).json()
    await test.as(person).image.delete({ id: first.id })
    const weak = (await insertToken(test, person, scopes)).token
    const inForm = await post(formBody('xx', [...parts, ...(asked ? [visibility(asked)] : [])]), MULTIPART, '', weak)
    const told = await inForm.json()
    expect([inForm.status, told.error, told.visibility]).toEqual(
      status === 200 ? [200, undefined, kept] : [409, 'other-visibility', undefined],
    )
    const alone = await post(value, 'image/png', asked ? `?visibility=${asked}` : '', weak)
    expect(alone.status).toBe(status)
    const row = await test.app.db.image.findUniqueOrThrow({ where: { id: first.id } })
    expect([row.visibility, row.trashedAt === null]).toEqual([kept, status === 200])
    expect(row.slug === first.slug).toBe(kept !== 'private')
  })
})
