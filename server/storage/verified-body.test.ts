import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { ObjectCorrupt, ObjectStoreUnavailable } from './object-store.ts'
import { verifiedBody } from './verified-body.ts'

const STALL_MS = 60_000

afterEach(() => {
  vi.useRealTimers()
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

function cut(bytes: Buffer, at: readonly number[]): Readable {
  const ends = [...at.map((each) => each % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return Readable.from(
    ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter((chunk) => chunk.length > 0),
    { objectMode: false },
  )
}

const cuts = fc.array(fc.nat(5_000), { maxLength: 8 })
const content = fc.uint8Array({ minLength: 1, maxLength: 2_000 }).map((bytes) => Buffer.from(bytes))

test('passes on a correct body, in any chunks', async () => {
  await fc.assert(
    fc.asyncProperty(content, cuts, fc.boolean(), async (bytes, at, isWhole) => {
      const expected = { bytes: bytes.length, sha256: isWhole ? sha256(bytes) : null }
      const body = verifiedBody(cut(bytes, at), expected, STALL_MS)
      expect((await buffer(body)).equals(bytes)).toBe(true)
    }),
  )
})

test('never delivers all bytes of a body with a flipped bit, cut short or extended', async () => {
  const spoil = fc.oneof(
    fc.nat().map((at) => (bytes: Buffer) => {
      const spoilt = Buffer.from(bytes)
      spoilt[at % bytes.length] = (spoilt[at % bytes.length] ?? 0) ^ 1
      return spoilt
    }),
    fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % bytes.length)),
    fc.constant((bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])),
  )
  await fc.assert(
    fc.asyncProperty(content, cuts, spoil, async (bytes, at, spoilBytes) => {
      const body = verifiedBody(cut(spoilBytes(bytes), at), { bytes: bytes.length, sha256: sha256(bytes) }, STALL_MS)
      let given = 0
      body.on('data', (chunk: Buffer) => {
        given += chunk.length
      })
      await expect(finished(body)).rejects.toThrow(ObjectCorrupt)
      expect(given).toBeLessThan(bytes.length)
    }),
  )
})

test.each([3, 5])('rejects a range of %d bytes when 4 are expected', async (length) => {
  const body = verifiedBody(Readable.from([Buffer.alloc(length)]), { bytes: 4, sha256: null }, STALL_MS)
  await expect(buffer(body)).rejects.toThrow(ObjectCorrupt)
})

test('reports an outage when the source fails', async () => {
  const source = new PassThrough()
  const body = verifiedBody(source, { bytes: 4, sha256: null }, STALL_MS)
  source.write('ab')
  source.destroy(new Error('reset'))
  await expect(buffer(body)).rejects.toThrow(ObjectStoreUnavailable)
})

test('reports an outage when the source closes before its end', async () => {
  const source = new PassThrough()
  const body = verifiedBody(source, { bytes: 4, sha256: null }, STALL_MS)
  source.destroy()
  await expect(buffer(body)).rejects.toThrow(ObjectStoreUnavailable)
})

test('reports an outage when the source stalls while being read', async () => {
  const source = new PassThrough()
  vi.useFakeTimers()
  const body = verifiedBody(source, { bytes: 4, sha256: null }, STALL_MS)
  source.write('ab')
  const whole = buffer(body)
  vi.advanceTimersByTime(STALL_MS - 1)
  expect(source.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  await expect(whole).rejects.toThrow('stalled')
  expect(source.destroyed).toBe(true)
})

test('does not take a slow reader for a stall', async () => {
  vi.useFakeTimers()
  const bytes = Buffer.alloc(1_000_000, 3)
  const body = verifiedBody(cut(bytes, [300_000, 600_000]), { bytes: bytes.length, sha256: sha256(bytes) }, STALL_MS)
  await once(body, 'readable')
  vi.advanceTimersByTime(10 * STALL_MS)
  expect((await buffer(body)).equals(bytes)).toBe(true)
})

test('closes the source when the reader stops', async () => {
  const source = new PassThrough()
  const body = verifiedBody(source, { bytes: 4, sha256: null }, STALL_MS)
  body.destroy()
  await once(source, 'close')
  expect(body.destroyed).toBe(true)
})
