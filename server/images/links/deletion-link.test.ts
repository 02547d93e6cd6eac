import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertToken } from '#testing/accounts/api-token.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { hashLink, MAX_LINKS, makeDeletionLink } from './deletion-link.ts'

let test: TestApp
let owner: Person
let token: string
beforeAll(async () => {
  test = await startApp()
  owner = await test.person()
  token = (await insertToken(test, owner, ['upload'])).id
})
afterAll(() => test[Symbol.asyncDispose]())

const anotherAddress = () => `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
const guest = () => test.as(null, anotherAddress())
const imageOf = (id: string) => test.app.db.image.findUniqueOrThrow({ where: { id }, select: { trashedAt: true } })

async function linked(options: Parameters<typeof insertBareImage>[2] = {}) {
  const { id } = await insertBareImage(test.app.db, owner.viewer.userId, options)
  const link = (await makeDeletionLink(test.app.db, id, token)) ?? ''
  return { id, link }
}

const NOT_FOUND = { code: 'NOT_FOUND', message: 'Image not found.' }

describe('a deletion link', () => {
  it('has 256 random bits, of which only the hash is stored', async () => {
    const { id, link } = await linked()
    expect(Buffer.from(link, 'base64url')).toHaveLength(32)
    const kept = await test.app.db.deletionLink.findMany({ where: { imageId: id }, omit: { createdAt: true } })
    expect(kept).toEqual([{ linkHash: hashLink(link), imageId: id }])
  })

  it('shows what it would delete without changing anything', async () => {
    const { id, link } = await linked({ visibility: 'link' })
    const { slug } = await test.app.db.image.findUniqueOrThrow({ where: { id } })
    const thumbnailUrl = `${test.app.config.origin}/i/${slug}.png?w=400`
    const shown = { title: 'pixel', width: 1, height: 1, trashDays: 30, isFinal: false, thumbnailUrl }
    expect(await guest().image.showByLink({ link })).toEqual(shown)
    expect((await imageOf(id)).trashedAt).toBeNull()
  })

  it('shows nothing of a private image except to its owner', async () => {
    const { link } = await linked({ visibility: 'private' })
    expect(await guest().image.showByLink({ link })).toMatchObject({ thumbnailUrl: null, title: null })
    expect((await test.as(owner).image.showByLink({ link })).thumbnailUrl).not.toBeNull()
  })

  it('moves the image to its owner’s trash, and works once', async () => {
    const { id, link } = await linked()
    const answer = await guest().image.deleteByLink({ link })
    const { trashedAt } = await imageOf(id)
    const purgeAt = new Date(Number(trashedAt) + 30 * 24 * 60 * 60_000).toISOString()
    expect(answer).toEqual({ purgeAt, isFinal: false, ownId: null })
    await expect(guest().image.deleteByLink({ link })).rejects.toMatchObject(NOT_FOUND)
    expect((await imageOf(id)).trashedAt).toEqual(trashedAt)
    await test.as(owner).image.restore({ id })
    await expect(guest().image.deleteByLink({ link })).rejects.toMatchObject(NOT_FOUND)
    expect((await imageOf(id)).trashedAt).toBeNull()
  })

  it('returns the ID to restore to the owner alone', async () => {
    const [one, other] = [await linked({ visibility: 'private' }), await linked()]
    const stranger = test.as(await test.person(), anotherAddress())
    expect((await test.as(owner, anotherAddress()).image.deleteByLink({ link: one.link })).ownId).toBe(one.id)
    expect((await stranger.image.deleteByLink({ link: other.link })).ownId).toBeNull()
  })

  it('deletes no other image', async () => {
    const [one, other] = [await linked(), await linked()]
    await guest().image.deleteByLink({ link: one.link })
    expect([(await imageOf(one.id)).trashedAt !== null, (await imageOf(other.id)).trashedAt]).toEqual([true, null])
  })

  it('is unknown if it is forged, truncated, a hash, or of an image in the trash or deleted', async () => {
    const { id, link } = await linked()
    const trashed = await linked()
    await test.as(owner).image.delete({ id: trashed.id })
    const gone = await linked()
    await test.app.db.image.delete({ where: { id: gone.id } })
    const wrong = ['', 'x', link.slice(0, -1), `${link}A`, link.toLowerCase(), hashLink(link), id, '../..', '\0']
    for (const each of [...wrong, 'A'.repeat(43), trashed.link, gone.link]) {
      await expect(guest().image.showByLink({ link: each })).rejects.toMatchObject(NOT_FOUND)
      await expect(guest().image.deleteByLink({ link: each })).rejects.toMatchObject(NOT_FOUND)
    }
    expect((await imageOf(id)).trashedAt).toBeNull()
  })

  it('is one of at most twenty: the oldest is replaced, also under concurrent calls', async () => {
    const { id, link } = await linked()
    // Older than the others, even if all are created in one millisecond.
    await test.app.db.deletionLink.updateMany({ where: { imageId: id }, data: { createdAt: new Date(0) } })
    const others = await Promise.all(Array.from({ length: MAX_LINKS }, () => makeDeletionLink(test.app.db, id, token)))
    expect(await test.app.db.deletionLink.count({ where: { imageId: id } })).toBe(MAX_LINKS)
    await expect(guest().image.showByLink({ link })).rejects.toMatchObject(NOT_FOUND)
    expect(new Set(others).size).toBe(MAX_LINKS)
  })

  it('is not created for a deleted image or a revoked token', async () => {
    expect(await makeDeletionLink(test.app.db, crypto.randomUUID(), token)).toBeNull()
    const { id } = await insertBareImage(test.app.db, owner.viewer.userId)
    const ended = await insertToken(test, owner, ['upload'])
    await test.as(owner).token.revoke({ id: ended.id })
    expect(await makeDeletionLink(test.app.db, id, ended.id)).toBeNull()
  })

  it('works once under concurrent calls', async () => {
    const { link } = await linked()
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => guest().image.deleteByLink({ link })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is limited by address, whatever the viewer and the link', async () => {
    const caller = test.as(null, '192.0.2.44')
    for (let time = 0; time < 30; time += 1)
      await expect(caller.image.showByLink({ link: 'x' })).rejects.toMatchObject(NOT_FOUND)
    const held = { code: 'TOO_MANY_REQUESTS' }
    await expect(test.as(owner, '192.0.2.44').image.showByLink({ link: 'x' })).rejects.toMatchObject(held)
    await expect(caller.image.deleteByLink({ link: 'x' })).rejects.toMatchObject(held)
  })

  it('cannot be used with a token or from other sites’ pages', async () => {
    const { id, link } = await linked()
    const send = (headers: Record<string, string>) =>
      fetch(`${test.origin}/api/trpc/image.deleteByLink`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ link }),
      })
    const { headers } = await insertToken(test, owner, ['upload', 'read', 'manage'])
    expect((await send(headers)).status).toBe(403)
    expect((await send({ origin: 'https://elsewhere.example' })).status).toBe(403)
    expect(
      (await fetch(`${test.origin}/api/trpc/image.deleteByLink?input=${encodeURIComponent(JSON.stringify({ link }))}`))
        .status,
    ).toBe(405)
    expect((await imageOf(id)).trashedAt).toBeNull()
  })
})
