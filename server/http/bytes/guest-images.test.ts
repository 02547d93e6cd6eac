import { expect, test } from 'vitest'
import type { ByteRequest } from '#server/images/byte-request.ts'
import { originalKey } from '#server/storage/object-store.ts'
import { addressOf, BELIEVED_MS, type FoundImage, GuestImages } from './guest-images.ts'

const asked: ByteRequest = { slug: 'a'.repeat(22), extension: 'png', width: null, download: null }
const address = addressOf(asked)

function foundOf(change: Partial<FoundImage['image']> = {}): FoundImage {
  const at = new Date(0)
  const sha256 = 'a'.repeat(64)
  const size = { width: 1, height: 1, size: 1 }
  const names = { mime: 'image/png', filename: 'a.png', visibility: 'link' } as const
  const image = { id: 'one', ownerId: 'ann', sha256, ...size, ...names, createdAt: at, trashedAt: null, ...change }
  const key = originalKey(sha256)
  return { image, representation: { key, mime: names.mime, etag: '"a"', size: 1, storedAt: at, filename: 'a.png' } }
}

function scene() {
  const clock = { now: 0 }
  const database = { found: foundOf() as FoundImage | null, asked: 0, prepared: 0 }
  const look = async (each: readonly ByteRequest[]) => {
    database.asked += 1
    return each.map(() => database.found)
  }
  const prepare = () => (database.prepared += 1)
  const hot = new GuestImages({ look, prepare, now: () => clock.now })
  const find = () => hot.find(asked, async () => database.found)
  return { clock, database, hot, find }
}

test('what was found is believed for a second, and no longer', async () => {
  const { clock, hot, find, database } = scene()
  expect(hot.get(address)).toBeNull()
  await find()
  database.found = null
  clock.now = BELIEVED_MS / 2 - 1
  expect(hot.get(address)?.image.id).toBe('one')
  clock.now = BELIEVED_MS
  expect(hot.get(address)).toBeNull()
  expect(database.asked).toBe(0)
})

test('an answer that was long on its way is believed for less, and one that is a second old not at all', async () => {
  const { clock, hot, database } = scene()
  const late = async (ms: number) => {
    await hot.find(asked, async () => {
      clock.now += ms
      return database.found
    })
  }
  await late(BELIEVED_MS - 1)
  expect(hot.get(address)).not.toBeNull()
  clock.now += 1
  expect(hot.get(address)).toBeNull()
  await late(BELIEVED_MS)
  expect(hot.get(address)).toBeNull()
})

test('what is asked for is renewed behind a call, once, and prepared again only where it is another', async () => {
  const { clock, hot, find, database } = scene()
  await find()
  clock.now = BELIEVED_MS / 2
  for (let i = 0; i < 3; i += 1) expect(hot.get(address)).not.toBeNull()
  await expect.poll(() => hot.get(address)?.askedAt).toBe(BELIEVED_MS / 2)
  expect([database.asked, database.prepared]).toEqual([1, 1])
  database.found = foundOf({ visibility: 'public' })
  clock.now = BELIEVED_MS
  hot.get(address)
  await expect.poll(() => hot.get(address)?.image.visibility).toBe('public')
  expect(database.prepared).toBe(2)
})

test('whoever comes too late for an answer waits for the one that is under way', async () => {
  const { clock, hot, find, database } = scene()
  await find()
  clock.now = BELIEVED_MS / 2
  hot.get(address)
  clock.now = BELIEVED_MS
  expect(hot.get(address)).toBeNull()
  const look = () => Promise.reject(new Error('asked again'))
  expect(await hot.findForGuest(asked, look)).toEqual(database.found)
  expect(hot.get(address)?.askedAt).toBe(BELIEVED_MS / 2)
})

test('what is gone is forgotten with its renewal, and a database that fails only ends the belief', async () => {
  const { clock, hot, find, database } = scene()
  await find()
  database.found = null
  clock.now = BELIEVED_MS / 2
  expect(hot.get(address)).not.toBeNull()
  await expect.poll(() => hot.get(address)).toBeNull()
})

test('what this process changes is forgotten at once, and so is an answer that was on its way', async () => {
  const { hot, find } = scene()
  await find()
  hot.forget(['another'])
  expect(hot.get(address)).not.toBeNull()
  const finding = find()
  hot.forget(['one'])
  expect(hot.get(address)).toBeNull()
  await finding
  expect(hot.get(address)).toBeNull()
  await find()
  hot.forget('any')
  expect(hot.get(address)).toBeNull()
})

test('of guests who ask at once one asks the database, unless something has changed since', async () => {
  const { hot, database } = scene()
  const looks: PromiseWithResolvers<FoundImage | null>[] = []
  const look = () => {
    const each = Promise.withResolvers<FoundImage | null>()
    looks.push(each)
    return each.promise
  }
  const early = [hot.findForGuest(asked, look), hot.findForGuest(asked, look)]
  expect(looks).toHaveLength(1)
  hot.forget(['one'])
  const late = hot.findForGuest(asked, look)
  expect(looks).toHaveLength(2)
  looks[0]?.resolve(database.found)
  looks[1]?.resolve(null)
  expect(await Promise.all(early)).toEqual([database.found, database.found])
  expect(await late).toBeNull()
  const failing = hot.findForGuest(asked, look)
  looks[2]?.reject(new Error('down'))
  await expect(failing).rejects.toThrow('down')
  expect(looks).toHaveLength(3)
})

test('a download leaves nothing of its link behind for those who show the image', async () => {
  const prepare = ({ download }: ByteRequest) => download
  const hot = new GuestImages({ look: async () => [], prepare })
  await hot.find({ ...asked, download: 'token' }, async () => foundOf())
  expect(hot.get(address)).toMatchObject({ asked, prepared: null })
})

test.each([{ visibility: 'private' }, { trashedAt: new Date(0) }] as const)(
  'what not anybody may read is never remembered, whoever found it: %j',
  async (change) => {
    const { hot, database } = scene()
    database.found = foundOf(change)
    expect(await hot.find(asked, async () => database.found)).not.toBeNull()
    expect(hot.get(address)).toBeNull()
  },
)
