import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { type CountingMeter, createCountingMeter } from '#testing/storage/counting-meter.ts'
import { BodyRoom } from './body-room.ts'
import { BudgetSpent } from './meter.ts'

let meter: CountingMeter
let body: Readable
beforeEach(() => {
  meter = createCountingMeter()
  body = new Readable({ read: () => undefined })
})

const kilobytes = (count: number) => Buffer.alloc(count * 1_000)

test('counts an incoming body as it arrives, including bytes from before take(), and releases the rest on close', async () => {
  const room = await BodyRoom.reserve(meter, 'out', 4_000)
  body.push(kilobytes(1))
  await room.take(body, 10_000, meter)
  expect(meter).toMatchObject({ counts: { out: 1_000 }, held: { out: 9_000 } })
  body.push(kilobytes(6))
  expect(meter).toMatchObject({ counts: { out: 7_000 }, held: { out: 3_000 } })
  body.destroy()
  await once(body, 'close')
  expect(meter).toMatchObject({ counts: { out: 7_000 }, held: { out: 0 } })
})

test('counts a body in full when it is longer than declared', async () => {
  using room = await BodyRoom.reserve(meter, 'out', 1_000)
  await room.take(body, 2_000, meter)
  body.push(kilobytes(5))
  body.push(null)
  await buffer(body)
  expect(meter).toMatchObject({ counts: { out: 5_000 }, held: { out: 0 } })
})

test('receives no more of a body without budget than was reserved, then destroys it', async () => {
  meter.limits = { out: 5_000 }
  {
    using room = await BodyRoom.reserve(meter, 'out', 4_000)
    body.push(kilobytes(1))
    await expect(room.take(body, 6_000, meter)).rejects.toThrow(BudgetSpent)
  }
  expect(meter).toMatchObject({ counts: { out: 1_000 }, held: { out: 3_000 } })
  body.push(kilobytes(3))
  // Immediately: only a body that leaves its reservation unused is destroyed after two seconds.
  await expect.poll(() => body.destroyed, { timeout: 1_000 }).toBe(true)
  expect(meter).toMatchObject({ counts: { out: 4_000 }, held: { out: 0 } })
})

test('counts what arrived of a refused body that was interrupted', async () => {
  meter.limits = { out: 5_000 }
  {
    using room = await BodyRoom.reserve(meter, 'out', 4_000)
    body.push(kilobytes(1))
    await expect(room.take(body, 6_000, meter)).rejects.toThrow(BudgetSpent)
  }
  body.destroy()
  await once(body, 'close')
  expect(meter).toMatchObject({ counts: { out: 1_000 }, held: { out: 0 } })
})

test('reports a connection reset when the body closes during the reservation', async () => {
  {
    using room = await BodyRoom.reserve(meter, 'out', 1_000)
    const taken = room.take(body, 6_000, meter)
    body.destroy()
    await expect(taken).rejects.toMatchObject({ code: 'ECONNRESET' })
  }
  expect(meter.held.out).toBe(0)
})

test('counts an outgoing body as the socket accepts it', async () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
  using room = await BodyRoom.reserve(meter, 'in', bytes.length)
  const given = room.give(bytes)
  await once(given, 'readable')
  // One slice, and the next that is buffered.
  expect(meter.counts.in).toBeLessThanOrEqual(131_072)
  expect((await buffer(given)).equals(bytes)).toBe(true)
  expect(meter).toMatchObject({ counts: { in: 200_000 }, held: { in: 0 } })
})
