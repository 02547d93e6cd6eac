import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toCaller } from '#server/accounts/viewer.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { behindProxy, everythingKept, read, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import type { Format } from './format.ts'
import { remove } from './limits.ts'
import { trash } from './maintenance/maintenance-jobs.ts'

let served: TestApp
let seed = 0

beforeAll(async () => {
  served = await startApp({ ...behindProxy, SLUICE_GALLERY: 'on' })
})
afterAll(() => served[Symbol.asyncDispose]())

/** A picture that no other test has uploaded. */
const fresh = (options: Parameters<typeof picture>[0] = {}) => {
  seed += 1
  return picture({ width: 64, height: 48, seed, ...options })
}
const person = (kind?: Parameters<TestApp['person']>[0]) => served.person(kind)
const readBody = async (response: Response) => Buffer.from(await response.arrayBuffer())
const listObjects = async (sha256: string) => Array.fromAsync(served.app.images.store.list(sha256), ({ key }) => key)

const SIGNATURE = 'taken by Somebody'

/** A picture with metadata about its author. */
async function signed(format: Format): Promise<Buffer> {
  const image = sharp(await fresh({ format: 'png', width: 800, height: 600 }))
  if (format === 'gif') return Buffer.concat([await image.gif().toBuffer(), Buffer.from(SIGNATURE)])
  return image
    .withExif({ IFD0: { Artist: SIGNATURE } })
    .toFormat(format)
    .toBuffer()
}

const readPixels = (image: Buffer) => sharp(image).raw().toBuffer()

describe('upload', () => {
  test.each([
    ['jpeg', 'jpg'],
    ['png', 'png'],
    ['gif', 'gif'],
    ['webp', 'webp'],
    ['avif', 'avif'],
  ] as const)(
    'a %s is returned, stored and served, pixel for pixel and without its metadata',
    async (format, extension) => {
      const owner = await person()
      const bytes = await signed(format)
      const answer = await uploadAccepted(served, owner, bytes)
      const stored = await readBody(await read(answer.url))
      const sha256 = createHash('sha256').update(stored).digest('hex')
      const url = `${served.origin}/i/${answer.slug}.${extension}`
      expect(answer).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        slug: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        url,
        thumbnailUrl: `${url}?w=400`,
        width: 800,
        height: 600,
        size: stored.length,
        mime: `image/${format}`,
        sha256,
        visibility: 'link',
        filename: 'photo.jpg',
        isNew: true,
        removed: [format === 'gif' ? 'trailer' : 'exif'],
        convertedFrom: null,
      })
      expect(stored.includes(SIGNATURE)).toBe(false)
      expect((await readPixels(stored)).equals(await readPixels(bytes))).toBe(true)
      const thumbnail = await readBody(await read(answer.thumbnailUrl))
      expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 400, height: 300 })
      // A full-size WebP of the AVIF would have more bytes.
      expect(await listObjects(sha256)).toHaveLength(format === 'avif' ? 2 : 3)
    },
  )

  test('stores the name, the title and the visibility', async () => {
    const owner = await person()
    const options = { name: 'Ferien/Käse & Meer.jpeg', headers: { 'x-visibility': 'private' } }
    const { id } = await uploadAccepted(served, owner, await fresh(), options)
    const item = await served.as(owner).image.get({ id })
    expect(item).toMatchObject({ filename: 'Käse & Meer.jpeg', title: 'Käse & Meer', visibility: 'private' })
  })

  test('the same bytes from the same owner are the same image, even if it is in the trash', async () => {
    const owner = await person()
    const bytes = await fresh()
    const first = await uploadAccepted(served, owner, bytes)
    await served.as(owner).image.delete({ id: first.id })
    expect(await uploadAccepted(served, owner, bytes, { name: 'other.jpg' })).toEqual({ ...first, isNew: false })
    expect((await served.as(owner).image.get({ id: first.id })).trashedAt).toBeNull()
  })

  test('twenty concurrent uploads of the same bytes create one image and one object', async () => {
    const owner = await person({ role: 'superadmin' })
    const bytes = await fresh()
    const answers = await Promise.all(Array.from({ length: 20 }, () => uploadAccepted(served, owner, bytes)))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(await served.app.db.storedObject.count({ where: { sha256: answers[0]?.sha256 ?? '' } })).toBe(1)
  })

  test('another owner has a separate image of the shared object, which is deleted with the last image', async () => {
    const [one, two] = [await person(), await person()]
    const bytes = await fresh()
    const [first, second] = [await uploadAccepted(served, one, bytes), await uploadAccepted(served, two, bytes)]
    expect(second.id).not.toBe(first.id)
    expect(second.slug).not.toBe(first.slug)
    await purge(one, first.id)
    expect((await readBody(await read(second.url))).equals(bytes)).toBe(true)
    await purge(two, second.id)
    expect(await listObjects(first.sha256)).toEqual([])
    expect(await served.app.db.storedObject.findUnique({ where: { sha256: first.sha256 } })).toBeNull()
  })

  async function purge(owner: Person, id: string) {
    await served.as(owner).image.delete({ id })
    await served.as(owner).image.purge({ id })
    await jobsDone(served.app)
  }
})

describe('the trash', () => {
  test('hides an image from everyone but its owner until it is restored', async () => {
    const owner = await person()
    const { id, url } = await uploadAccepted(served, owner, await fresh())
    const trashed = await served.as(owner).image.delete({ id })
    expect(trashed.trashedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect((await served.as(owner).image.delete({ id })).trashedAt).toBe(trashed.trashedAt)
    expect((await read(url)).status).toBe(404)
    const kept = await read(url, owner)
    expect([kept.status, kept.headers.get('Cache-Control')]).toEqual([200, 'private, no-cache'])
    expect((await served.as(owner).image.list({})).items).toEqual([])
    expect((await served.as(owner).image.list({ trash: true })).items.map((item) => item.id)).toEqual([id])
    await served.as(owner).image.restore({ id })
    expect((await read(url)).status).toBe(200)
  })

  test('is the only place from which an image can be purged', async () => {
    const owner = await person()
    const { id, url, sha256 } = await uploadAccepted(served, owner, await fresh())
    await expect(served.as(owner).image.purge({ id })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' })
    expect((await read(url)).status).toBe(200)
    await served.as(owner).image.delete({ id })
    expect(await served.as(owner).image.purge({ id })).toEqual({ id })
    await jobsDone(served.app)
    await expect(served.as(owner).image.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await listObjects(sha256)).toEqual([])
  })

  test('deleting a user deletes all their images', async () => {
    const [owner, root] = [await person(), await person({ role: 'superadmin' })]
    const images = [
      await uploadAccepted(served, owner, await fresh()),
      await uploadAccepted(served, owner, await fresh()),
    ]
    await served.as(root).user.delete({ id: owner.viewer.userId })
    await jobsDone(served.app)
    for (const { url, sha256 } of images) {
      expect((await read(url)).status).toBe(404)
      expect(await listObjects(sha256)).toEqual([])
    }
  })

  test('moderation is charged in addition to the deletion, and a refused call to neither', async () => {
    const [owner, admin, shared] = [
      await person(),
      await person({ role: 'admin' }),
      await person({ role: 'admin', shared: true }),
    ]
    const ids: string[] = []
    for (let image = 0; image < 3; image += 1) {
      ids.push((await uploadAccepted(served, owner, await fresh(), { headers: { 'x-visibility': 'public' } })).id)
    }
    const [first = '', second = '', third = ''] = ids
    await served.as(shared).image.delete({ id: first })
    await served.as(shared).image.delete({ id: second })
    // A bucket regains a permit each second.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const before = await deletionsLeft(shared)
    await expect(served.as(shared).image.delete({ id: third })).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: expect.stringContaining('moderate-shared allows 2 per minute'),
    })
    expect(await deletionsLeft(shared)).toEqual(before)
    expect((await served.as(owner).image.get({ id: third })).trashedAt).toBeNull()
    for (let time = 0; time < 10; time += 1) await served.as(admin).image.restore({ id: first })
    await expect(served.as(admin).image.restore({ id: second })).rejects.toMatchObject({
      message: expect.stringContaining('moderate allows 10 per minute'),
    })
  })
})

async function deletionsLeft({ viewer }: Person): Promise<readonly number[]> {
  const request = { sets: compileRuleSets('test', remove), caller: toCaller(viewer, '203.0.113.7') }
  return (await served.app.limiter.peek([request])).rules.map(({ remaining }) => remaining)
}

describe('update', () => {
  test('cleans titles, and restores the default for an empty one', async () => {
    const owner = await person()
    const { id } = await uploadAccepted(served, owner, await fresh(), { name: 'harbour.jpg' })
    const { update } = served.as(owner).image
    expect((await update({ id, title: '  <b>\u202e"Sea"\n</b> ' })).title).toBe('<b>"Sea"</b>')
    expect((await update({ id, title: 'a\0b\ud800c\udc00' })).title).toBe('ab\ufffdc\ufffd')
    expect((await update({ id, title: ' ' })).title).toBe('harbour')
    expect((await update({ id, title: 'x'.repeat(200) })).title).toHaveLength(200)
    await expect(update({ id, title: 'x'.repeat(201) })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('a title replaces only the one that the client has seen', async () => {
    const owner = await person()
    const { id } = await uploadAccepted(served, owner, await fresh(), { name: 'harbour.jpg' })
    const { update, get } = served.as(owner).image
    expect((await update({ id, title: 'one', seenTitle: 'harbour' })).title).toBe('one')
    await expect(update({ id, title: 'other', seenTitle: 'harbour' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await get({ id })).title).toBe('one')
    // A repetition, as after a lost answer.
    expect((await update({ id, title: 'one', seenTitle: 'harbour' })).title).toBe('one')
    expect((await update({ id, visibility: 'public', seenTitle: 'harbour' })).visibility).toBe('public')
    const both = ['left', 'right'].map((title) => update({ id, title, seenTitle: 'one' }))
    const outcomes = await Promise.allSettled(both)
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('an image made private gets a new URL, and the old one is unknown', async () => {
    const owner = await person()
    const { id, slug, url } = await uploadAccepted(served, owner, await fresh())
    const hidden = await served.as(owner).image.update({ id, visibility: 'private' })
    expect(hidden.slug).not.toBe(slug)
    expect((await read(url, owner)).status).toBe(404)
    expect((await read(hidden.url ?? '')).status).toBe(404)
    expect((await read(hidden.url ?? '', owner)).status).toBe(200)
    const again = await served.as(owner).image.update({ id, visibility: 'private', title: 'still' })
    expect(again.slug).toBe(hidden.slug)
  })

  test.each(['ownerId', 'sha256', 'slug', 'size', 'createdAt', 'trashedAt', '__proto__x'])(
    'rejects the read-only field %s',
    async (field) => {
      const owner = await person()
      const { id } = await uploadAccepted(served, owner, await fresh())
      const before = await served.app.db.image.findUnique({ where: { id } })
      const call: unknown = Reflect.apply(served.as(owner).image.update, null, [{ id, title: 'x', [field]: 'x' }])
      await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      expect(await served.app.db.image.findUnique({ where: { id } })).toEqual(before)
    },
  )
})

describe('lists', () => {
  test('pages are newest first, without gaps or repetitions', async () => {
    const owner = await person()
    const ids: string[] = []
    for (let image = 0; image < 7; image += 1) ids.unshift((await uploadAccepted(served, owner, await fresh())).id)
    // Three images of one instant are ordered by ID, and a cursor falls between them.
    const createdAt = new Date('2026-01-01T00:00:00.123Z')
    await served.app.db.image.updateMany({ where: { id: { in: ids.slice(2, 5) } }, data: { createdAt } })
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 4; page += 1) {
      const answer = await served.as(owner).image.list({ limit: 2, ...(cursor ? { cursor } : {}) })
      seen.push(...answer.items.map((item) => item.id))
      cursor = answer.nextCursor ?? undefined
    }
    expect(cursor).toBeUndefined()
    const tied = ids.slice(2, 5).sort().reverse()
    expect(seen).toEqual([...ids.slice(0, 2), ...ids.slice(5), ...tied])
  })

  test('an admin sees that private images exist, but nothing that leads to them', async () => {
    const [owner, admin, root] = [await person(), await person({ role: 'admin' }), await person({ role: 'superadmin' })]
    const hidden = await uploadAccepted(served, owner, await fresh(), { headers: { 'x-visibility': 'private' } })
    const seenBy = async (viewer: Person) => (await served.as(viewer).image.list({})).items[0]
    const blank = { title: null, filename: null, url: null, thumbnailUrl: null, slug: null, sha256: null }
    expect(await seenBy(admin)).toMatchObject({ id: hidden.id, ...blank, visibility: 'private', mine: false })
    expect(JSON.stringify(await seenBy(admin))).not.toContain(hidden.slug)
    expect(await seenBy(root)).toMatchObject({ id: hidden.id, slug: hidden.slug, title: 'photo' })
  })

  test('the gallery shows guests public images that are not in the trash', async () => {
    const owner = await person()
    const publicly = { headers: { 'x-visibility': 'public' } }
    const shown = await uploadAccepted(served, owner, await fresh(), publicly)
    const trashed = await uploadAccepted(served, owner, await fresh(), publicly)
    const linked = await uploadAccepted(served, owner, await fresh())
    await served.as(owner).image.delete({ id: trashed.id })
    const ids = (await served.as(null).image.list({ limit: 100 })).items.map((item) => item.id)
    expect(ids.filter((id) => [shown.id, trashed.id, linked.id].includes(id))).toEqual([shown.id])
  })
})

test('the hourly maintenance completes interrupted deletions', async () => {
  const owner = await person()
  const { id, sha256 } = await uploadAccepted(served, owner, await fresh())
  await served.app.db.image.delete({ where: { id } })
  await served.app.db.storedObject.update({ where: { sha256 }, data: { state: 'deleting' } })
  await served.app.jobs.send(null, trash, [{ data: {} }])
  await jobsDone(served.app)
  expect(await listObjects(sha256)).toEqual([])
  expect((await everythingKept(served)).unfinished).toEqual([])
})
