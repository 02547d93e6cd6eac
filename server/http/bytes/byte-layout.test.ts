import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ObjectCorrupt } from '#server/storage/object-store.ts'
import { type ByteLayout, countBytes, cut, layOut } from './byte-layout.ts'
import { rangesOf } from './byte-ranges.ts'

const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 251))

const readBy = ({ read }: ByteLayout) => (read ? bytes.subarray(read.start, read.end + 1) : bytes)

/** Yields what a store returns for a layout's read, in chunks of these sizes. */
async function* chunksOf(body: Buffer, sizes: readonly number[]) {
  for (let at = 0, next = 0; at < body.length; next += 1) {
    const size = sizes[next % sizes.length] ?? 1
    yield body.subarray(at, at + size)
    at += size
  }
}

async function sent(header: string | undefined, sizes: readonly number[] = [64]) {
  const ranges = rangesOf(header, bytes.length)
  if (ranges === 'unsatisfiable') return expect.unreachable()
  const { layout, ...head } = layOut(bytes.length, 'image/png', ranges)
  const body = Buffer.concat(await Array.fromAsync(cut(chunksOf(readBy(layout), sizes), layout)))
  expect(body).toHaveLength(countBytes(layout))
  return { ranges, plan: { ...head, read: layout.read }, body }
}

test('lays out the whole object and a single range', async () => {
  const whole = await sent(undefined)
  expect(whole.plan).toMatchObject({
    status: 200,
    headers: { 'Content-Type': 'image/png', 'Content-Length': '1000' },
    read: null,
  })
  expect(whole.body).toEqual(bytes)
  const one = await sent('bytes=10-19')
  expect(one.plan).toMatchObject({
    status: 206,
    headers: { 'Content-Length': '10', 'Content-Range': 'bytes 10-19/1000' },
    read: { start: 10, end: 19 },
  })
  expect(one.body).toEqual(bytes.subarray(10, 20))
})

test('reads a range that covers the whole as the whole, and so verifies it', async () => {
  expect((await sent('bytes=0-')).plan).toMatchObject({ status: 206, read: null })
  expect((await sent('bytes=0-0,-1')).plan).toMatchObject({ status: 206, read: null })
})

test('lays out several ranges as in RFC 9110, 14.6', async () => {
  const { plan, body } = await sent('bytes=500-501,-2')
  const [, boundary] = /^multipart\/byteranges; boundary=([0-9a-f]{32})$/.exec(plan.headers['Content-Type'] ?? '') ?? []
  expect(plan.status).toBe(206)
  expect(plan.headers['Content-Range']).toBeUndefined()
  const head = (range: string) =>
    `--${boundary}\r\nContent-Type: image/png\r\nContent-Range: bytes ${range}/1000\r\n\r\n`
  const parts = [
    head('500-501'),
    bytes.subarray(500, 502),
    `\r\n${head('998-999')}`,
    bytes.subarray(998),
    `\r\n--${boundary}--\r\n`,
  ]
  expect(body).toEqual(Buffer.concat(parts.map((part) => Buffer.from(part))))
  expect(Number(plan.headers['Content-Length'])).toBe(body.length)
})

test('keeps the length and every part for any ranges and chunks', async () => {
  const range = fc.tuple(fc.nat(999), fc.nat(200)).map(([start, length]) => `${start}-${start + length}`)
  const ranges = fc.array(range, { minLength: 1, maxLength: 8 })
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(ranges, sizes, async (asked, chunks) => {
      const { ranges: found, plan, body } = await sent(`bytes=${asked}`, chunks)
      expect(body.length).toBe(Number(plan.headers['Content-Length']))
      for (const { start, end } of found ?? []) expect(body.includes(bytes.subarray(start, end + 1))).toBe(true)
    }),
  )
})

test.each([undefined, 'bytes=0-', 'bytes=10-19', 'bytes=0-1,500-501'])(
  'fails on a body that ends too early: %s',
  async (header) => {
    const ranges = rangesOf(header, bytes.length)
    if (ranges === 'unsatisfiable') return expect.unreachable()
    const { layout } = layOut(bytes.length, 'image/png', ranges)
    const read = readBy(layout)
    for (const left of [0, 1, read.length - 1]) {
      await expect(Array.fromAsync(cut(chunksOf(read.subarray(0, left), [7]), layout))).rejects.toThrow(ObjectCorrupt)
    }
  },
)
