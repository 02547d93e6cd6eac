import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import {
  ObjectCorrupt,
  type ObjectKey,
  ObjectNotFound,
  type ObjectStore,
  originalKey,
  variantKey,
} from './object-store.ts'

/** An empty store, and a folder for files to put into it. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly store: ObjectStore
  readonly folder: string
}

/** What every object store must do. Each adapter's test calls this with its own factory. */
export function conformsToObjectStore(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} as an object store`, () => {
    test('returns the bytes that were put', async () => {
      await using under = await make()
      const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251))
      const key = await put(under, bytes)
      const { body, size } = await under.store.open(key)
      expect(size).toBe(700_000)
      expect((await buffer(body)).equals(bytes)).toBe(true)
      expect(await under.store.readSize(key)).toBe(700_000)
    })

    test.each([
      { range: { start: 0, end: 0 }, expected: 'a' },
      { range: { start: 2, end: 4 }, expected: 'cde' },
      { range: { start: 7, end: 7 }, expected: 'h' },
      { range: { start: 0, end: 7 }, expected: 'abcdefgh' },
    ])('reads bytes $range.start to $range.end', async ({ range, expected }) => {
      await using under = await make()
      const key = await put(under, Buffer.from('abcdefgh'))
      const { body, size } = await under.store.open(key, range)
      expect((await buffer(body)).toString()).toBe(expected)
      expect(size).toBe(8)
    })

    test.each([
      { start: 0, end: 8 },
      { start: 8, end: 8 },
      { start: 3, end: 2 },
      { start: -1, end: 2 },
    ])('refuses bytes $start to $end of 8', async (range) => {
      await using under = await make()
      const key = await put(under, Buffer.from('abcdefgh'))
      await expect(under.store.open(key, range)).rejects.toThrow(RangeError)
    })

    test('reports missing objects', async () => {
      await using under = await make()
      await expect(under.store.open(absent)).rejects.toThrow(ObjectNotFound)
      expect(await under.store.readSize(absent)).toBeNull()
      expect(await under.store.delete(absent)).toBeUndefined()
    })

    test('allows a put to be repeated, also after a deletion', async () => {
      await using under = await make()
      const bytes = Buffer.from('the same bytes')
      const key = await put(under, bytes)
      await put(under, bytes)
      await under.store.delete(key)
      expect(await under.store.readSize(key)).toBeNull()
      await put(under, bytes)
      expect((await buffer((await under.store.open(key)).body)).toString()).toBe('the same bytes')
    })

    test('deletes nothing after its signal', async () => {
      await using under = await make()
      const key = await put(under, Buffer.from('kept'))
      await expect(under.store.delete(key, AbortSignal.abort(new Error('Too late')))).rejects.toThrow('Too late')
      expect(await under.store.readSize(key)).toBe(4)
    })

    test('keeps one whole object after concurrent puts of a key', async () => {
      await using under = await make()
      const bytes = Buffer.alloc(300_000, 7)
      await Promise.all(Array.from({ length: 8 }, () => put(under, bytes)))
      expect(await listKeys(under.store, '')).toEqual([keyFor(bytes)])
      expect(await under.store.readSize(keyFor(bytes))).toBe(300_000)
    })

    test('rejects a file of another size than given and stores nothing', async () => {
      await using under = await make()
      const path = await fileWith(under, Buffer.from('four'))
      await expect(under.store.put(absent, { path }, 5)).rejects.toThrow('5 bytes')
      expect(await listKeys(under.store, '')).toEqual([])
    })

    test('stores and deletes a variant independently of its original', async () => {
      await using under = await make()
      const original = await put(under, Buffer.from('original'))
      const small = Buffer.from('small')
      const variant = variantKey(original, 400, keyFor(small))
      await under.store.put(variant, { path: await fileWith(under, small) }, 5)
      expect(await listKeys(under.store, original)).toEqual([original, variant])
      await under.store.delete(original)
      expect(await listKeys(under.store, '')).toEqual([variant])
      expect((await buffer((await under.store.open(variant)).body)).toString()).toBe('small')
    })

    test('lists by prefix, with sizes and dates', async () => {
      await using under = await make()
      const keys = await Promise.all(['one', 'two', 'three'].map((text) => put(under, Buffer.from(text))))
      expect(await listKeys(under.store, '')).toEqual([...keys].sort())
      const [first] = keys
      const found = await Array.fromAsync(under.store.list(first?.slice(0, 10) ?? ''))
      expect(found.map(({ key, size }) => ({ key, size }))).toEqual([{ key: first, size: 3 }])
      expect(found[0]?.modifiedAt).toBeInstanceOf(Date)
    })

    test('returns a large object unchanged', async () => {
      await using under = await make()
      const bytes = randomBytes(20_000_001)
      const key = await put(under, bytes)
      expect((await buffer((await under.store.open(key)).body)).equals(bytes)).toBe(true)
      const part = await under.store.open(key, { start: 8_388_600, end: 8_388_617 })
      expect((await buffer(part.body)).equals(bytes.subarray(8_388_600, 8_388_618))).toBe(true)
      expect(await under.store.removeUnfinished(new Date(Date.now() + 60_000))).toBe(0)
      expect(await under.store.readSize(key)).toBe(20_000_001)
    })

    test('fails a read whose bytes do not match the key, withholding the last chunk', async () => {
      await using under = await make()
      const path = await fileWith(under, Buffer.from('other bytes'))
      await under.store.put(absent, { path }, 11)
      const { body } = await under.store.open(absent)
      const seen: Buffer[] = []
      body.on('data', (chunk: Buffer) => seen.push(chunk))
      await expect(finished(body)).rejects.toThrow(ObjectCorrupt)
      expect(seen).toEqual([])
    })

    test('lets a reader stop anywhere', async () => {
      await using under = await make()
      const key = await put(under, Buffer.alloc(3_000_000, 1))
      const unread = await under.store.open(key)
      unread.body.destroy()
      const { body } = await under.store.open(key)
      await once(body, 'readable')
      expect(body.read()).toBeInstanceOf(Buffer)
      body.destroy()
      await Promise.all([unread.body, body].map((each) => each.closed || once(each, 'close')))
      expect(await under.store.readSize(key)).toBe(3_000_000)
    })

    test('passes its checks and leaves nothing behind', async () => {
      await using under = await make()
      await under.store.check()
      expect(await under.store.verify()).toEqual([])
      expect(await listKeys(under.store, '')).toEqual([])
    })
  })
}

const absent = originalKey('0'.repeat(64))

const keyFor = (bytes: Buffer): ObjectKey => originalKey(createHash('sha256').update(bytes).digest('hex'))

async function fileWith({ folder }: StoreUnderTest, bytes: Buffer): Promise<string> {
  const path = join(folder, crypto.randomUUID())
  await writeFile(path, bytes)
  return path
}

async function put(under: StoreUnderTest, bytes: Buffer): Promise<ObjectKey> {
  const key = keyFor(bytes)
  await under.store.put(key, { path: await fileWith(under, bytes) }, bytes.length)
  return key
}

async function listKeys(store: ObjectStore, prefix: string): Promise<ObjectKey[]> {
  return (await Array.fromAsync(store.list(prefix), ({ key }) => key)).sort()
}
