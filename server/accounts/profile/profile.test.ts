import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { flatPng, picture } from '#testing/images/pictures.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let person: Person
beforeAll(async () => {
  test = await startApp({ SLUICE_GALLERY: 'on' })
})
afterAll(() => test[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await test.person()
})

const reread = async ({ cookie }: Person) => (await test.app.findViewer({ cookie })) ?? expect.unreachable()
const send = async (file: Buffer | string, from = person) => {
  const body = typeof file === 'string' ? file : new Uint8Array(file)
  const headers = { cookie: from.cookie, 'content-type': 'application/octet-stream' }
  const answer = await fetch(`${test.origin}/api/trpc/account.setPicture`, { method: 'POST', headers, body })
  const { result, error } = JSON.parse(await answer.text())
  return { status: answer.status, picture: result?.data?.picture, reason: error?.data?.reason }
}

describe('a display name', () => {
  it('is cleaned, returned with the one before, and audited', async () => {
    const { account } = test.as(person)
    expect(await account.setDisplayName({ displayName: ' Ada \u202e L. ' })).toEqual({
      displayName: 'Ada L.',
      previous: null,
    })
    expect(await account.setDisplayName({ displayName: null })).toEqual({ displayName: null, previous: 'Ada L.' })
    const entries = await test.app.db.auditEntry.findMany({
      where: { target: `user/${person.viewer.userId}`, action: 'account.setDisplayName' },
      orderBy: { id: 'asc' },
      select: { action: true, before: true, after: true },
    })
    expect(entries).toEqual([
      { action: 'account.setDisplayName', before: { displayName: null }, after: { displayName: 'Ada L.' } },
      { action: 'account.setDisplayName', before: { displayName: 'Ada L.' }, after: { displayName: null } },
    ])
  })

  it('is never the user name', async () => {
    const call = test.as(person).account.setDisplayName({ displayName: person.viewer.username.toUpperCase() })
    await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('other than') })
  })

  it('is what others see, and never the user name, without which they see nothing', async () => {
    const [user, admin] = [await test.person(), await test.person({ role: 'admin' })]
    const { id } = await storeImageFor(test, person, { visibility: 'public' })
    const { userId, username } = person.viewer
    const seenBy = async (who: Person | null) => [
      (await test.as(who).image.get({ id })).owner,
      (await test.as(who).image.list({ scope: 'gallery' })).items.find((item) => item.id === id)?.owner,
    ]
    const unnamed = { id: userId, name: null, picture: null, username: null }
    for (const who of [null, user]) expect(await seenBy(who)).toEqual([unnamed, unnamed])
    await test.as(person).account.setDisplayName({ displayName: 'Ada' })
    const named = { ...unnamed, name: 'Ada' }
    for (const who of [null, user]) expect(await seenBy(who)).toEqual([named, named])
    for (const who of [person, admin]) expect(await seenBy(who)).toEqual(Array(2).fill({ ...named, username }))
  })
})

describe('a picture', () => {
  it('is a small square WebP at an address of its own, for everybody', async () => {
    const jpeg = await picture({ width: 900, height: 400, seed: 4 })
    const { picture: path } = await send(jpeg)
    expect(path).toMatch(/^\/p\/[0-9a-f]{64}\.webp$/)
    const answer = await fetch(test.origin + path)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'public, max-age=86400',
    ])
    const { format, width, height, exif } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect({ format, width, height, exif }).toEqual({ format: 'webp', width: 256, height: 256, exif: undefined })
    const etag = answer.headers.get('etag') ?? ''
    expect((await fetch(test.origin + path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await fetch(test.origin + path, { method: 'POST' })).status).toBe(405)
    // Another account's picture of the same file has another address.
    expect((await send(jpeg, await test.person())).picture).not.toBe(path)
    expect((await reread(person)).pictureHash).toBe(path?.slice(3, -5))
  })

  it('is gone at once when it is replaced or removed, and when its owner is banned', async () => {
    const first = await send(await picture({ width: 64, height: 64, seed: 1 }))
    const second = await send(await picture({ format: 'png', width: 30, height: 90, seed: 2 }))
    const status = async (path: string) => (await fetch(test.origin + path)).status
    expect([await status(first.picture), await status(second.picture)]).toEqual([404, 200])
    const where = { id: person.viewer.userId }
    await test.app.db.user.update({ where, data: { bannedAt: new Date() } })
    expect(await status(second.picture)).toBe(404)
    await test.app.db.user.update({ where, data: { bannedAt: null } })
    expect(await test.as(person).account.removePicture()).toEqual({ picture: null })
    expect([await status(second.picture), await test.app.db.userPicture.count()]).toEqual([404, 2])
  })

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'not-an-image'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'not-an-image'],
    ['nothing', '', 'empty'],
    ['a truncated file', Buffer.from('ffd8ffe000104a46494600010100', 'hex'), 'undecodable'],
  ])('is not made of %s', async (_name, body, reason) => {
    expect(await send(body)).toMatchObject({ reason })
    expect((await reread(person)).pictureHash).toBeNull()
  })

  it('is not made of a bomb, or of more than ten megabytes', async () => {
    expect(await send(flatPng(16_000, 16_000))).toMatchObject({ reason: 'too-many-pixels' })
    expect(await send(Buffer.alloc(10 * 1024 * 1024 + 1))).toMatchObject({ status: 413, reason: 'too-large' })
  })
})
