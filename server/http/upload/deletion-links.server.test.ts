import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Conflict } from '#server/database/transact.ts'
import { setAccountPassword } from '#server/owner/accounts.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { resetPassword } from '#testing/accounts/reset-password.ts'
import { openUploadScene, type UploadScene } from '#testing/http/upload-client.ts'
import type { Person } from '#testing/sluice/sluice-app.ts'

const PASSWORD = 'long enough to pass'
let scene: UploadScene
let root: Person
beforeAll(async () => {
  scene = await openUploadScene()
  root = await scene.test.person({ role: 'superadmin' })
})
afterAll(() => scene[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

/** A user whose client has uploaded an image, and the secret of the deletion link in the response. */
async function uploader(who?: Person) {
  const person = who ?? (await scene.test.person())
  const { headers: sender } = await insertToken(scene.test, person, ['upload'])
  const headers = { ...sender, 'content-type': 'image/png' }
  const body = new Uint8Array(scene.png)
  const answer = await fetch(`${scene.test.origin}/api/upload`, { method: 'POST', headers, body })
  const { deletion_url: url } = JSON.parse(await answer.text())
  return { person, id: person.viewer.userId, username: person.viewer.username, link: String(url).slice(-43) }
}

/** The responses to a holder of the link, who opens it and then deletes. */
async function statuses(link: string): Promise<readonly number[]> {
  const { origin } = scene.test
  const input = encodeURIComponent(JSON.stringify({ link }))
  const shown = await fetch(`${origin}/api/trpc/image.showByLink?input=${input}`)
  const headers = { 'content-type': 'application/json' }
  const asked = { method: 'POST', headers, body: JSON.stringify({ link }) }
  const deleted = await fetch(`${origin}/api/trpc/image.deleteByLink`, asked)
  for (const answer of [shown, deleted]) await answer.arrayBuffer()
  return [shown.status, deleted.status]
}

describe('a deletion link becomes invalid', () => {
  test.each<[string, (id: string, username: string) => Promise<unknown>]>([
    ['the password is set by an admin’s link', (id) => resetPassword(scene.test, root, id, PASSWORD)],
    ['the account is banned', (id) => scene.test.as(root).user.ban({ id })],
    ['the account becomes a shared one', (id) => scene.test.as(root).user.update({ id, shared: true })],
    [
      'the owner resets the password by the command line',
      (_, username) => setAccountPassword(scene.test.app.db, { username, password: PASSWORD }),
    ],
  ])('when %s, while those of other users stay valid', async (_, change) => {
    const [one, other] = [await uploader(), await uploader()]
    await change(one.id, one.username)
    expect(await statuses(one.link)).toEqual([404, 404])
    expect((await scene.listImages(one.person)).map(({ trashedAt }) => trashedAt)).toEqual([null])
    expect(await statuses(other.link)).toEqual([200, 200])
  })

  test('but not if the change is rolled back: the ban of the last superadmin', async () => {
    const { link, id } = await uploader(root)
    await expect(scene.test.as(root).user.ban({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await statuses(link)).toEqual([200, 200])
  })

  test('but not with a new role', async () => {
    const { link, id } = await uploader()
    await scene.test.as(root).user.update({ id, role: 'admin' })
    expect(await statuses(link)).toEqual([200, 200])
  })
})

test('the command line retries setting a password after a conflict', async () => {
  const { db } = scene.test.app
  const { username } = (await scene.client()).person.viewer
  const transaction = vi.spyOn(db, '$transaction').mockRejectedValueOnce(new Conflict())
  expect(await setAccountPassword(db, { username, password: PASSWORD })).toMatchObject({
    done: expect.stringContaining(`${username} has a new password`),
  })
  expect(transaction).toHaveBeenCalledTimes(2)
})
