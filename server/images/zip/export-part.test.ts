import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { readZip } from '#testing/http/read-zip.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let test: TestApp
let person: Person
beforeAll(async () => {
  test = await startApp(behindProxy)
})
afterAll(() => test[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await test.person()
})

const open = async (url: string) => {
  const files = readZip(Buffer.from(await (await read(url)).arrayBuffer()))
  return new Map(files.map(({ name, bytes }) => [name, bytes]))
}
const readLeft = async (policy: string) =>
  (await test.as(person).limits.mine()).rules.find((rule) => rule.policy === policy)?.remaining

describe('an export', () => {
  it('has all of the viewer’s images, the trash included, with a manifest and the facts about the account, without secrets', async () => {
    await test.as(person).account.setDisplayName({ displayName: 'Ada' })
    const { token } = await insertToken(test, person, ['read'])
    const first = await storeImageFor(test, person, { filename: 'a.png', createdAt: new Date(1) })
    const second = await storeImageFor(test, person, { filename: 'A.png', trashed: true, visibility: 'private' })
    await storeImageFor(test, await test.person())
    const part = await test.as(person).image.exportPart({ part: 1 })
    expect(part).toMatchObject({ images: 2, bytes: 2_000, next: null, left: { images: 0, bytes: 0 } })
    expect(await readLeft('download-1m')).toBe(100)
    const files = await open(part.url)
    expect(await readLeft('download-1m')).toBe(98)
    expect([...files.keys()]).toEqual(['images/a.png', 'images/A (2).png', 'manifest.json', 'account.json'])
    expect(files.get('images/a.png')).toEqual(first.bytes)
    const { username } = person.viewer
    expect(JSON.parse(String(files.get('manifest.json')))).toMatchObject({
      ...{ format: 'sluice-export', version: 1, server: test.app.config.origin, username },
      images: [
        { file: 'images/a.png', sha256: first.sha256, trashedAt: null },
        { file: 'images/A (2).png', sha256: second.sha256, trashedAt: expect.any(String), visibility: 'private' },
      ],
    })
    const account = String(files.get('account.json'))
    expect(JSON.parse(account)).toMatchObject({ username, displayName: 'Ada', tokens: [{ ending: token.slice(-4) }] })
    const { passwordHash } = await test.app.db.user.findUniqueOrThrow({ where: { id: person.viewer.userId } })
    for (const secret of [token, passwordHash, person.viewer.sessionId ?? '', 'Hash'])
      expect(account).not.toContain(secret)
  })

  it('comes in parts, which stay as they are when images are added', async () => {
    const ids: string[] = []
    for (let at = 0; at < 103; at += 1) {
      const { id } = await insert(at)
      ids.push(id)
    }
    const { exportPart } = test.as(person).image
    const first = await exportPart({ part: 1 })
    expect(first).toMatchObject({ images: 100, left: { images: 3, bytes: 3 } })
    await insert(200)
    const second = await exportPart({ part: 2, after: first.next ?? '' })
    expect(second).toMatchObject({ images: 4, next: null, left: { images: 0 } })
    const order = test.app.images.zipLinks.open(new URL(second.url).searchParams.get('link') ?? '')
    expect([order?.exportPart, order?.ids.slice(0, 3)]).toEqual([2, ids.slice(100)])
    expect(await exportPart({ part: 1 })).toMatchObject({ images: 100 })
    expect(
      await test.app.db.auditEntry.count({ where: { action: 'account.export', actorId: person.viewer.userId } }),
    ).toBe(2)
  })

  it('has at most 256 MB of images in a part, but at least one', async () => {
    for (const at of [1, 2, 3]) await insert(at, 200 * 1024 ** 2)
    await insert(4, 300 * 1024 ** 2)
    const sizes: number[] = []
    for (let after: string | null | undefined, part = 1; after !== null; part += 1) {
      const answer = await test.as(person).image.exportPart({ part, ...(after && { after }) })
      sizes.push(answer.images)
      after = answer.next
    }
    expect(sizes).toEqual([1, 1, 1, 1])
  })

  it('has fewer images in a part where an override allows no more', async () => {
    for (let at = 0; at < 8; at += 1) await insert(at)
    const owner = await test.person({ role: 'superadmin' })
    const target = { kind: 'subject' as const, subject: person.viewer.userId }
    const terms = { rules: [{ limit: 5, window: '1m' as const }] }
    await test.as(owner).limits.override({ ruleSet: 'download', target, terms })
    const { exportPart } = test.as(person).image
    const first = await exportPart({ part: 1 })
    expect(first).toMatchObject({ images: 5, left: { images: 3 } })
    expect(await exportPart({ part: 2, after: first.next ?? '' })).toMatchObject({ images: 3, next: null })
  })

  it('of an empty account has its facts', async () => {
    const part = await test.as(person).image.exportPart({ part: 1 })
    expect([...(await open(part.url)).keys()]).toEqual(['manifest.json', 'account.json'])
  })

  it('ends with the session', async () => {
    await storeImageFor(test, person)
    const { url } = await test.as(person).image.exportPart({ part: 1 })
    await test.as(person).account.signOutEverywhere()
    expect((await read(url)).status).toBe(404)
  })

  it('is refused, uncharged, while the limit of downloads is used up', async () => {
    for (let at = 0; at < 60; at += 1) await insert(at)
    const { exportPart } = test.as(person).image
    await read((await exportPart({ part: 1 })).url)
    await expect(exportPart({ part: 1 })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })
})

async function insert(at: number, size = 1) {
  const sha256 = crypto.randomUUID().replaceAll('-', '').repeat(2)
  await test.app.db.storedObject.create({ data: { sha256, size } })
  const { userId: ownerId } = person.viewer
  const facts = { mime: 'image/png', width: 1, height: 1, filename: 'a.png', title: 'a' }
  const data = { ...facts, ownerId, sha256, slug: sha256, size, createdAt: new Date(1_000_000 + at) }
  return test.app.db.image.create({ data, select: { id: true } })
}
