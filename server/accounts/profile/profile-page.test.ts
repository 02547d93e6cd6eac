import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { readAccountFacts } from '../account-facts.ts'

let test: TestApp
let root: Person
let stranger: Person
beforeAll(async () => {
  test = await startApp({ SLUICE_GALLERY: 'on' })
  root = await test.person({ role: 'superadmin' })
  stranger = await test.person()
})
afterAll(() => test[Symbol.asyncDispose]())

let names = 0
async function opened(change: { isOpen?: boolean; line?: string } = {}) {
  const person = await test.person()
  names += 1
  const profile = { isOpen: true, name: `ann-${names}`, line: 'Boats', ...change }
  await test.as(person).account.setProfile(profile)
  return { person, id: person.viewer.userId, profile }
}

/** What a call answers, or its whole error as programs get it. */
const outcome = (call: Promise<unknown>) =>
  call.catch((error: unknown) => ({
    code: Reflect.get(Object(error), 'code'),
    message: Reflect.get(Object(error), 'message'),
  }))
const show = (name: string, by: Person | null = null) => outcome(test.as(by).profile.show({ name }))
const NOTHING = { code: 'NOT_FOUND', message: 'Profile not found.' }

describe('a profile', () => {
  it('is closed until its user opens it, and shows everybody the name, the picture and the line', async () => {
    const person = await test.person()
    const { userId: id, username } = person.viewer
    expect((await test.as(person).account.profile()).profile).toBe(null)
    expect(await outcome(test.as(null).profile.show({ owner: id }))).toEqual(NOTHING)
    const profile = { isOpen: true, name: 'ada-lovelace', line: 'Boats' }
    const given = { ...profile, name: ' Ada-Lovelace ', line: ' Boats\u202e\n' }
    expect(await test.as(person).account.setProfile(given)).toEqual({ ...profile, previous: null })
    await test.as(person).account.setDisplayName({ displayName: 'Ada' })
    const seen = { owner: id, name: 'ada-lovelace', displayName: 'Ada', picture: null, line: 'Boats' }
    for (const by of [null, stranger, root]) expect(await show('Ada-Lovelace', by)).toEqual(seen)
    expect(await test.as(null).profile.show({ owner: id })).toEqual(seen)
    expect(JSON.stringify(seen)).not.toContain(username)
  })

  it('answers alike when it is closed, of a banned or shared account, of nobody, and without a public gallery', async () => {
    const [closed, banned, shared, deleted] = [await opened(), await opened(), await opened(), await opened()]
    await test.as(closed.person).account.setProfile({ ...closed.profile, isOpen: false })
    await test.as(root).user.ban({ id: banned.id })
    await test.as(root).user.update({ id: shared.id, shared: true })
    await test.as(root).user.delete({ id: deleted.id })
    const names = [closed, banned, shared, deleted].map(({ profile }) => profile.name)
    for (const by of [null, stranger, root, closed.person]) {
      for (const name of [...names, 'nobody', '', '../x', 'x'.repeat(200), '\0', '%'])
        expect([name, await show(name, by)]).toEqual([name, NOTHING])
    }
    const open = await opened()
    expect(await show(open.profile.name)).toMatchObject({ owner: open.id })
    await using plain = await startApp()
    const user = await plain.person()
    await plain.as(user).account.setProfile(open.profile)
    expect(await outcome(plain.as(null).profile.show({ name: open.profile.name }))).toEqual(NOTHING)
  })

  it('keeps its name while it is closed, and nobody else gets it', async () => {
    const { person, profile } = await opened({ isOpen: false })
    const taken = test.as(stranger).account.setProfile({ ...profile, name: profile.name.toUpperCase() })
    expect(await outcome(taken)).toMatchObject({ code: 'CONFLICT' })
    const changed = { ...profile, name: `${profile.name}-b` }
    expect(await test.as(person).account.setProfile(changed)).toEqual({ ...changed, previous: profile })
    expect(await test.as(stranger).account.setProfile(profile)).toMatchObject({ name: profile.name })
  })

  it.each([
    '',
    'ab',
    '-ann',
    'ann-',
    'a--b',
    'an n',
    'änn',
    'а'.repeat(5),
    'a/b',
    'a.b',
    'x'.repeat(31),
    'admin',
    'sluice',
  ])('refuses the address %j', async (name) => {
    const person = await test.person()
    const call = test.as(person).account.setProfile({ isOpen: true, name, line: '' })
    expect(await outcome(call)).toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('refuses the user name as an address, a long line, and shared accounts', async () => {
    const person = await test.person()
    const { username } = person.viewer
    const { account } = test.as(person)
    const own = username.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    for (const input of [
      { name: own, line: '' },
      { name: 'ann-long', line: 'x'.repeat(161) },
    ])
      expect(await outcome(account.setProfile({ isOpen: true, ...input }))).toMatchObject({ code: 'BAD_REQUEST' })
    const shared = await test.person({ shared: true })
    const call = test.as(shared).account.setProfile({ isOpen: true, name: 'ann-shared', line: '' })
    expect(await outcome(call)).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is audited, and part of an export', async () => {
    const { person, id, profile } = await opened()
    await test.as(person).account.setProfile({ ...profile, isOpen: false })
    await test.as(person).account.setProfile({ ...profile, isOpen: false })
    const entries = await test.app.db.auditEntry.findMany({
      where: { target: `user/${id}`, action: 'account.setProfile' },
      orderBy: { at: 'asc' },
      select: { before: true, after: true },
    })
    const states = [true, false].map((profileOpen) => {
      return { profileOpen, profileName: profile.name, profileLine: 'Boats' }
    })
    expect(entries).toEqual([
      { before: null, after: states[0] },
      { before: states[0], after: states[1] },
    ])
    expect((await readAccountFacts(test.app.db, { userId: id })).profile).toEqual({ ...profile, isOpen: false })
  })
})

it('guests list the public images and albums of one owner', async () => {
  const [one, other] = [await opened(), await opened()]
  const image = await storeImageFor(test, one.person, { visibility: 'public' })
  await storeImageFor(test, other.person, { visibility: 'public' })
  for (const options of [
    { visibility: 'link' },
    { visibility: 'private' },
    { visibility: 'public', trashed: true },
  ] as const)
    await storeImageFor(test, one.person, options)
  const { album } = test.as(one.person)
  const shown = await album.create({ title: 'Shown', visibility: 'public' })
  await album.create({ title: 'Unlisted', visibility: 'link' })
  await album.create({ title: 'Private' })
  await test.as(other.person).album.create({ title: 'Other', visibility: 'public' })
  const guest = test.as(null)
  const images = await guest.image.list({ scope: 'gallery', query: { owner: one.id } })
  expect(images.items.map(({ id }) => id)).toEqual([image.id])
  const albums = await guest.album.list({ scope: 'gallery', owner: one.id })
  expect(albums.items.map(({ id }) => id)).toEqual([shown.id])
})
