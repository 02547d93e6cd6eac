import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { type CountingMeter, createCountingMeter } from '#testing/counting-meter.ts'
import { BodyRoom } from './body-room.ts'
import { BudgetSpent } from './meter.ts'

let meter: CountingMeter
let body: Readable
beforeEach(() => {
  meter = createCountingMeter()
  body = new Readable({ read: () => undefined })
})

const kilobytes = (count: number) => Buffer.alloc(count * 1_000)

test('a body counts as it comes, also what came before it was taken, and gives back the rest as it closes', async () => {
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

test('a body that is longer than declared counts whole', async () => {
  using room = await BodyRoom.reserve(meter, 'out', 1_000)
  await room.take(body, 2_000, meter)
  body.push(kilobytes(5))
  body.push(null)
  await buffer(body)
  expect(meter).toMatchObject({ counts: { out: 5_000 }, held: { out: 0 } })
})

test('a body without room comes as far as what was reserved for it, and is destroyed then', async () => {
  meter.limits = { out: 5_000 }
  {
    using room = await BodyRoom.reserve(meter, 'out', 4_000)
    body.push(kilobytes(1))
    await expect(room.take(body, 6_000, meter)).rejects.toThrow(BudgetSpent)
  }
  expect(meter).toMatchObject({ counts: { out: 1_000 }, held: { out: 3_000 } })
  body.push(kilobytes(3))
  // At once: a body that does not use its room up is destroyed after two seconds.
  await expect.poll(() => body.destroyed, { timeout: 1_000 }).toBe(true)
  expect(meter).toMatchObject({ counts: { out: 4_000 }, held: { out: 0 } })
})

test('a body without room that breaks off counts by what came of it', async () => {
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

test('a body that closes while its room is reserved is said to have broken off, as a connection is', async () => {
  {
    using room = await BodyRoom.reserve(meter, 'out', 1_000)
    const taken = room.take(body, 6_000, meter)
    body.destroy()
    await expect(taken).rejects.toMatchObject({ code: 'ECONNRESET' })
  }
  expect(meter.held.out).toBe(0)
})

test('what is given counts as the socket takes it', async () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
  using room = await BodyRoom.reserve(meter, 'in', bytes.length)
  const given = room.give(bytes)
  await once(given, 'readable')
  // One slice, and the one that is ready behind it.
  expect(meter.counts.in).toBeLessThanOrEqual(131_072)
  expect((await buffer(given)).equals(bytes)).toBe(true)
  expect(meter).toMatchObject({ counts: { in: 200_000 }, held: { in: 0 } })
})
