import type { Prices } from '#server/budgets/bill/prices.ts'

/** Requests to a bucket; bytes are counted from its side. */
export interface BilledRequests {
  readonly writes: number
  readonly reads: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** The total of a bill, in nanos. */
export function sumCost({ writes, reads, bytesIn, bytesOut }: BilledRequests, prices: Prices): number {
  const requests = (writes * prices.writes + reads * prices.reads) / 1_000_000
  return requests + (bytesIn * prices.bytesIn + bytesOut * prices.bytesOut) / prices.gigabyte
}

/** The difference between a bill and an earlier one. */
export const since = (now: BilledRequests, before: BilledRequests): BilledRequests => ({
  writes: now.writes - before.writes,
  reads: now.reads - before.reads,
  bytesIn: now.bytesIn - before.bytesIn,
  bytesOut: now.bytesOut - before.bytesOut,
})

/** A bill in words, with its total. */
export function describeBill(bill: BilledRequests, prices: Prices): string {
  const { writes, reads, bytesIn, bytesOut } = bill
  const parts = [`${writes} writes`, `${reads} reads`, `${megabytes(bytesIn)} in`, `${megabytes(bytesOut)} out`]
  return `${parts.join(', ')}: ${money(sumCost(bill, prices), prices)}`
}

export const money = (nanos: number, { currency }: Prices): string => `${(nanos / 1e9).toFixed(5)} ${currency}`

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
