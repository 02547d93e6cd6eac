import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { hashLink } from '../images/links/deletion-link.ts'

const PASSWORD = 'a password of this test'
const ADDRESS = '198.51.100.9'
const WRONG = 100

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp()
  owner = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

test('an invite works after a hundred wrong codes from the same address, and accounts stay limited', async () => {
  const guest = served.as(null, ADDRESS)
  const { code } = await served.as(owner).invite.create({ uses: 9, days: 1 })
  const signUp = (username: string, invite: string) => guest.account.signUp({ username, password: PASSWORD, invite })
  for (let at = 0; at < WRONG; at += 1)
    await expect(signUp(`wrong-${at}`, `code-${at}`)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  for (let at = 0; at < 5; at += 1) expect(await signUp(`guest-${at}`, code)).toEqual({ username: `guest-${at}` })
  await expect(signUp('guest-5', code)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})

test('a deletion link works after a hundred wrong ones from the same address', async () => {
  const guest = served.as(null, ADDRESS)
  const { id } = await storeImageFor(served, owner)
  const link = 'a'.repeat(22)
  await served.app.db.deletionLink.create({ data: { linkHash: hashLink(link), imageId: id } })
  const codes = []
  for (let at = 0; at < WRONG; at += 1)
    codes.push(await guest.image.showByLink({ link: `wrong-${at}` }).catch(({ code }: { code: string }) => code))
  expect(codes).toEqual([...Array(30).fill('NOT_FOUND'), ...Array(70).fill('TOO_MANY_REQUESTS')])
  expect(await guest.image.showByLink({ link })).toMatchObject({ trashDays: 30 })
  expect(await guest.image.deleteByLink({ link })).toMatchObject({ ownId: null })
})
