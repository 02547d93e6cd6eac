import { describe, expect, it, test } from 'vitest'
import { type BilledDay, type BillLine, computeBill } from './bill.ts'
import { type Prices, published } from './prices.ts'

const GB = 1_000_000_000
const GIB = 1_073_741_824
const nothing: BilledDay = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0, stored: 0 }
const days = (count: number, day: Partial<BilledDay>): BilledDay[] =>
  Array.from({ length: count }, () => ({ ...nothing, ...day }))
const costs = (lines: readonly BillLine[]) => lines.map(({ kind, free, nanos }) => [kind, free, nanos])

describe('S3', () => {
  const { s3 } = published

  it('deducts 100 GiB from the traffic, and bills each request class to the single request', () => {
    const month = days(30, {
      writes: 1_000,
      reads: 20_001,
      deletes: 9,
      bytesIn: GIB,
      bytesOut: 10 * GIB,
      stored: 7 * GIB,
    })
    expect(computeBill(s3, month, 30)).toEqual({
      lines: [
        { kind: 'writes', amount: 30_000, free: 0, per: 1_000_000, nanos: 150_000_000 },
        { kind: 'reads', amount: 600_030, free: 0, per: 1_000_000, nanos: 240_012_000 },
        { kind: 'bytesOut', amount: 300 * GIB, free: 100 * GIB, per: GIB, nanos: 18_000_000_000 },
        { kind: 'stored', amount: 210 * GIB, free: 0, per: 30 * GIB, nanos: 161_000_000 },
      ],
      nanos: 18_551_012_000,
    })
  })

  it('charges nothing for an allowance exactly used up, and a nano beyond it', () => {
    const bill = (bytesOut: number) => costs(computeBill(s3, days(1, { bytesOut }), 30).lines)[2]
    expect(bill(100 * GIB - 1)).toEqual(['bytesOut', 100 * GIB - 1, 0])
    expect(bill(100 * GIB)).toEqual(['bytesOut', 100 * GIB, 0])
    expect(bill(100 * GIB + 1)).toEqual(['bytesOut', 100 * GIB, 1])
  })

  it('divides by the days of the calendar month', () => {
    const stored = (count: number, length: number) =>
      computeBill(s3, days(count, { stored: GIB }), length).lines.map(({ nanos }) => nanos)[3]
    expect([stored(28, 28), stored(30, 30), stored(31, 31)]).toEqual([23_000_000, 23_000_000, 23_000_000])
    // One day of 31, rounded up.
    expect(stored(1, 31)).toBe(741_936)
  })
})

describe('R2', () => {
  const { r2 } = published

  it('rounds requests up to whole millions', () => {
    const bill = (writes: number, reads: number) =>
      costs(computeBill(r2, days(1, { writes, reads }), 30).lines).slice(0, 2)
    expect(bill(1_000_000, 10_000_000)).toEqual([
      ['writes', 1_000_000, 0],
      ['reads', 10_000_000, 0],
    ])
    expect(bill(1_000_001, 12_000_000)).toEqual([
      ['writes', 1_000_000, 4_500_000_000],
      ['reads', 10_000_000, 720_000_000],
    ])
  })

  it('deducts 10 GB-months from storage, however they are spread', () => {
    const stored = (bytes: readonly number[]) =>
      computeBill(
        r2,
        bytes.map((each) => ({ ...nothing, stored: each })),
        30,
      ).lines.map(({ free, nanos }) => [free, nanos])[2]
    // 20 GB for half a month.
    const half = Array.from({ length: 30 }, (_, at) => (at < 15 ? 20 * GB : 0))
    expect(stored(half)).toEqual([300 * GB, 0])
    expect(stored(half.with(29, 1))).toEqual([300 * GB, 15_000_000])
    // The example on Cloudflare's price page: 1000 GB for a month.
    expect(stored(half.fill(1_000 * GB))).toEqual([300 * GB, 14_850_000_000])
  })

  it('charges nothing for traffic', () => {
    const bill = computeBill(r2, days(30, { bytesIn: 1_000 * GB, bytesOut: 1_000 * GB }), 30)
    expect(bill.lines.map(({ kind }) => kind)).toEqual(['writes', 'reads', 'stored'])
    expect(bill.nanos).toBe(0)
  })
})

describe('B2', () => {
  const { b2 } = published

  it('bills the storage above 10 GB by the day, at a thirtieth of the price, and no requests', () => {
    const month = [...days(15, { writes: 9_999, reads: 9_999, stored: 20 * GB }), ...days(16, { stored: 10 * GB })]
    expect(computeBill(b2, month, 31)).toEqual({
      lines: [
        { kind: 'bytesOut', amount: 0, free: 0, per: GB, nanos: 0 },
        { kind: 'stored', amount: 460 * GB, free: 310 * GB, per: 30 * GB, nanos: 34_750_000 },
      ],
      nanos: 34_750_000,
    })
  })

  it('sends three times the mean of what is stored for free', () => {
    const out = (bytesOut: number) =>
      costs(computeBill(b2, [...days(15, { stored: 4 * GB }), ...days(15, { stored: 2 * GB, bytesOut })], 30).lines)[0]
    expect(out((9 * GB) / 15)).toEqual(['bytesOut', 9 * GB, 0])
    expect(out((9 * GB) / 15 + 1)).toEqual(['bytesOut', 9 * GB, 1])
    expect(out(GB)).toEqual(['bytesOut', 9 * GB, 60_000_000])
  })
})

test('COS bills storage at a thirtieth of the price per day and has no allowances', () => {
  const month = days(31, { writes: 10_000, reads: 1, bytesOut: GIB, stored: 30 * GIB })
  expect(costs(computeBill(published.cos, month, 31).lines)).toEqual([
    ['writes', 0, 310_000_000],
    ['reads', 0, 31_000],
    ['bytesOut', 0, 15_500_000_000],
    ['stored', 0, 3_658_000_000],
  ])
})

describe('a price table of the owner’s', () => {
  const own: Prices = { ...published.other, writes: 4_000_000_000, reads: 400_000_000, bytesOut: 10_000_000, free: [] }
  const charged = (free: Prices['free'], month: BilledDay[]) => costs(computeBill({ ...own, free }, month, 30).lines)

  it('deducts a daily allowance from each day, without carrying the rest over', () => {
    const month = [...days(1, { reads: 4_000 }), ...days(1, { reads: 1_000 }), ...days(1, { reads: 2_500 })]
    const [, reads] = charged([{ period: 'day', unit: 'reads', limit: 2_500 }], month)
    expect(reads).toEqual(['reads', 6_000, 600_000])
  })

  it('deducts an allowance for several classes from the cheapest first', () => {
    const month = days(2, { writes: 30, reads: 70, bytesIn: 5, bytesOut: 5 })
    expect(charged([{ period: 'month', unit: 'requests', limit: 150 }], month)).toEqual([
      ['writes', 10, 200_000],
      ['reads', 140, 0],
      ['bytesOut', 0, 1],
    ])
    expect(charged([{ period: 'day', unit: 'requests', limit: 80 }], month).slice(0, 2)).toEqual([
      ['writes', 20, 160_000],
      ['reads', 140, 0],
    ])
    expect(charged([{ period: 'month', unit: 'bytes', limit: 12 }], month)[2]).toEqual(['bytesOut', 2, 1])
  })

  it('is exact beyond the safe integers', () => {
    const bill = computeBill({ ...own, bytesOut: 1e15 }, days(2, { bytesOut: 4_503_599_627_370_495 }), 30)
    expect(bill.lines[2]?.nanos).toBe(Number(9_007_199_254_740_990n * 1_000_000n))
  })

  it('has no lines without prices', () => {
    for (const prices of [published.disk, published.other]) {
      expect(computeBill(prices, days(30, { reads: 9, stored: GB }), 30)).toEqual({ lines: [], nanos: 0 })
    }
  })
})

it('is 0 for no days', () => {
  expect(computeBill(published.b2, [], 30).nanos).toBe(0)
})
