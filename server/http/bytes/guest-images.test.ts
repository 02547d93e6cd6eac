import { expect, test, vi } from 'vitest'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { FoundImage } from '#server/images/image-by-address.ts'
import { originalKey } from '#server/storage/object-store.ts'
import { BELIEVED_MS, GuestImages, type ImageFinder, spellUrl } from './guest-images.ts'

const asked: ByteRequest = { slug: 'a'.repeat(22), extension: 'png', width: null, download: null }
const address = spellUrl(asked)

function makeFound(change: Partial<FoundImage['image']> = {}): FoundImage {
  const at = new Date(0)
  const sha256 = 'a'.repeat(64)
  const size = { width: 1, height: 1, size: 1 }
  const names = { mime: 'image/png', filename: 'a.png', title: 'a', visibility: 'link' } as const
  const image = {
    id: 'one',
    ownerId: 'ann',
    sha256,
    ...size,
    ...names,
    createdAt: at,
    trashedAt: null,
    replacedAt: null,
    awaitsApproval: false,
    ...change,
  }
  const key = originalKey(sha256)
  const sent = { key, mime: names.mime, etag: '"a"', size: 1, storedAt: at, filename: 'a.png', standsIn: false }
  return { image, representation: sent }
}

const policy = { secure: false, cacheSeconds: 300 }

function scene(change: Partial<ImageFinder> = {}) {
  const clock = { now: 0 }
  const database = { found: makeFound() as FoundImage | null, renewals: 0 }
  const finder: ImageFinder = {
    find: async () => database.found,
    findForGuests: async (each) => {
      database.renewals += 1
      return each.map(() => database.found)
    },
    ...change,
  }
  const guests = new GuestImages({ finder, policy, now: () => clock.now })
  const find = () => guests.lookUp(asked, null)
  return { clock, database, guests, find }
}

/** Look-ups that tests resolve one by one. */
function heldFinds() {
  const finds: PromiseWithResolvers<FoundImage | null>[] = []
  const find = () => {
    const each = Promise.withResolvers<FoundImage | null>()
    finds.push(each)
    return each.promise
  }
  return { finds, find }
}

test('caches a look-up for one second', async () => {
  const { clock, guests, find, database } = scene()
  expect(guests.get(address)).toBeNull()
  await find()
  database.found = null
  clock.now = BELIEVED_MS / 2 - 1
  expect(guests.get(address)?.image.id).toBe('one')
  clock.now = BELIEVED_MS
  expect(guests.get(address)).toBeNull()
  expect(database.renewals).toBe(0)
})

test('caches a slow look-up for the rest of its second, and not at all after a second', async () => {
  const { finds, find } = heldFinds()
  const { clock, guests, database } = scene({ find })
  const late = async (ms: number) => {
    const finding = guests.lookUp(asked, null)
    clock.now += ms
    finds.at(-1)?.resolve(database.found)
    await finding
  }
  await late(BELIEVED_MS - 1)
  expect(guests.get(address)).not.toBeNull()
  clock.now += 1
  expect(guests.get(address)).toBeNull()
  await late(BELIEVED_MS)
  expect(guests.get(address)).toBeNull()
})

test('refreshes a look-up in use once, in the background, and prepares it again only if it has changed', async () => {
  const { clock, guests, find, database } = scene()
  await find()
  const prepared = guests.get(address)?.prepared
  clock.now = BELIEVED_MS / 2
  for (let i = 0; i < 3; i += 1) expect(guests.get(address)).not.toBeNull()
  await expect.poll(() => guests.get(address)?.askedAt).toBe(BELIEVED_MS / 2)
  expect(database.renewals).toBe(1)
  expect(guests.get(address)?.prepared).toBe(prepared)
  database.found = makeFound({ visibility: 'public' })
  clock.now = BELIEVED_MS
  guests.get(address)
  await expect.poll(() => guests.get(address)?.image.visibility).toBe('public')
  expect(guests.get(address)?.prepared).not.toBe(prepared)
})

test('a caller that finds its look-up expired waits for the refresh in progress', async () => {
  const find = vi.fn(async () => makeFound())
  const { clock, guests, database } = scene({ find })
  await guests.lookUp(asked, null)
  clock.now = BELIEVED_MS / 2
  guests.get(address)
  clock.now = BELIEVED_MS
  expect(guests.get(address)).toBeNull()
  expect(await guests.lookUp(asked, null)).toEqual(database.found)
  expect(find).toHaveBeenCalledTimes(1)
  expect(guests.get(address)?.askedAt).toBe(BELIEVED_MS / 2)
})

test('drops an image whose refresh no longer finds it', async () => {
  const { clock, guests, find, database } = scene()
  await find()
  database.found = null
  clock.now = BELIEVED_MS / 2
  expect(guests.get(address)).not.toBeNull()
  await expect.poll(() => guests.get(address)).toBeNull()
})

test('drops what this process changes at once, also from a look-up in progress', async () => {
  const { guests, find } = scene()
  await find()
  guests.forget(['another'])
  expect(guests.get(address)).not.toBeNull()
  guests.forget(['one'])
  expect(guests.get(address)).toBeNull()
  const finding = find()
  guests.forget(['one'])
  await finding
  expect(guests.get(address)).toBeNull()
  await find()
  guests.forget('any')
  expect(guests.get(address)).toBeNull()
})

test('concurrent guests share one query, unless something has changed since it began', async () => {
  const { finds, find } = heldFinds()
  const { guests, database } = scene({ find })
  const early = [guests.lookUp(asked, null), guests.lookUp(asked, null)]
  expect(finds).toHaveLength(1)
  guests.forget(['one'])
  const late = guests.lookUp(asked, null)
  expect(finds).toHaveLength(2)
  finds[0]?.resolve(database.found)
  finds[1]?.resolve(null)
  expect(await Promise.all(early)).toEqual([database.found, database.found])
  expect(await late).toBeNull()
  const failing = guests.lookUp(asked, null)
  finds[2]?.reject(new Error('down'))
  await expect(failing).rejects.toThrow('down')
  expect(finds).toHaveLength(3)
})

test('a download caches nothing of its link for those who view the image', async () => {
  const { guests } = scene()
  await guests.lookUp({ ...asked, download: 'token' }, null)
  expect(guests.get(address)).toMatchObject({ asked })
  const headers = guests.get(address)?.prepared.whole.join()
  expect(headers).toContain('inline')
  expect(headers).toContain('public, max-age=300')
})

test.each([{ visibility: 'private' }, { trashedAt: new Date(0) }] as const)(
  'never caches an image that is not public, whoever looked it up: %j',
  async (change) => {
    const { guests, database } = scene()
    database.found = makeFound(change)
    expect(await guests.lookUp(asked, null)).not.toBeNull()
    expect(guests.get(address)).toBeNull()
  },
)
