import type { BudgetUnit } from '../budget.ts'
import type { Prices, Provider } from './prices.ts'

/** The lines of a bill; each has a price. */
const kinds = ['writes', 'reads', 'deletes', 'bytesIn', 'bytesOut', 'stored'] as const
type Kind = (typeof kinds)[number]

/** A day's requests and traffic at the bucket, and the most bytes stored at any time of it. */
export type BilledDay = Readonly<Record<Kind, number>>

export interface BillLine {
  readonly kind: Kind
  /** Requests or bytes; for storage, byte-days. */
  readonly amount: number
  /** The part of `amount` that is free. */
  readonly free: number
  /** The amount that the table's price is for: a million requests, a GB, or the byte-days of a GB kept for a month. */
  readonly per: number
  /** Billionths of the currency unit, rounded up. */
  readonly nanos: number
}

/** What a provider charges for some days of a month, with a line for each kind that has a price. */
export interface Bill {
  readonly lines: readonly BillLine[]
  /** The sum of the lines. */
  readonly nanos: number
}

/** A provider's billing rules, apart from its prices. */
interface Billing {
  /** The days in a billing month for storage; null for those of the calendar month. */
  readonly monthDays: number | null
  /** Amounts are rounded up to whole millions of requests and whole GB. */
  readonly roundsUp: boolean
  /** The free storage applies to each day, rather than to the month's mean. */
  readonly isFreeByDay: boolean
  /** Free traffic out per month, as a multiple of the mean bytes stored. */
  readonly freeOut: bigint
}

const plain: Billing = { monthDays: null, roundsUp: false, isFreeByDay: false, freeOut: 0n }

/** From the providers' price pages (`source` in prices.ts) and https://www.tencentcloud.com/document/product/436/32534. */
export const billings: Readonly<Record<Provider, Billing>> = {
  disk: plain,
  other: plain,
  s3: plain,
  r2: { ...plain, roundsUp: true },
  b2: { ...plain, monthDays: 30, isFreeByDay: true, freeOut: 3n },
  cos: { ...plain, monthDays: 30 },
}

/** The lines that an allowance of a unit applies to. No provider grants an allowance of money. */
const kindsByUnit: Readonly<Record<BudgetUnit, readonly Kind[]>> = {
  requests: ['writes', 'reads'],
  writes: ['writes'],
  reads: ['reads'],
  bytes: ['bytesIn', 'bytesOut'],
  bytesOut: ['bytesOut'],
  stored: ['stored'],
  money: [],
}

const MILLION = 1_000_000n

/** Computes the bill for days of a month, from its first day on; `length` is the number of days in the month. Exact, as it
 *  calculates in integers. */
export function computeBill(prices: Prices, days: readonly BilledDay[], length: number): Bill {
  const billing = billings[prices.provider]
  const monthDays = BigInt(billing.monthDays ?? length)
  const pricedAmount = (kind: Kind): bigint => {
    if (kind === 'stored') return BigInt(prices.gigabyte) * monthDays
    return kind === 'bytesIn' || kind === 'bytesOut' ? BigInt(prices.gigabyte) : MILLION
  }
  const charged = new Charged(days)
  for (const { period, unit, limit } of prices.free) {
    // An allowance for several kinds is deducted from the cheapest first, so that the bill is never too low.
    const cheapestFirst = kindsByUnit[unit].toSorted((one, other) => prices[one] - prices[other])
    const isDaily = period === 'day' || (period === 'standing' && billing.isFreeByDay)
    if (isDaily) charged.deductDaily(cheapestFirst, BigInt(limit))
    else charged.deduct(cheapestFirst, BigInt(limit) * (period === 'standing' ? monthDays : 1n))
  }
  const stored = sum(days.map((day) => BigInt(day.stored)))
  charged.deduct(['bytesOut'], (billing.freeOut * stored) / BigInt(days.length || 1))
  const lines = kinds
    .filter((kind) => prices[kind] > 0)
    .map((kind): BillLine => {
      const [amount, per, left] = [sum(days.map((day) => BigInt(day[kind]))), pricedAmount(kind), charged.total(kind)]
      const price = BigInt(prices[kind])
      const nanos = billing.roundsUp ? over(left, per) * price : over(left * price, per)
      return { kind, amount: Number(amount), free: Number(amount - left), per: Number(per), nanos: Number(nanos) }
    })
  return { lines, nanos: lines.reduce((total, { nanos }) => total + nanos, 0) }
}

/** The chargeable amounts of each day: the usage, less the allowances deducted so far. */
class Charged {
  readonly #days: Record<Kind, bigint>[]

  constructor(days: readonly BilledDay[]) {
    this.#days = days.map(({ writes, reads, deletes, bytesIn, bytesOut, stored }) => ({
      writes: BigInt(writes),
      reads: BigInt(reads),
      deletes: BigInt(deletes),
      bytesIn: BigInt(bytesIn),
      bytesOut: BigInt(bytesOut),
      stored: BigInt(stored),
    }))
  }

  total(kind: Kind): bigint {
    return sum(this.#days.map((day) => day[kind]))
  }

  /** Deducts an allowance from the kinds in their order. */
  deduct(from: readonly Kind[], allowed: bigint, days = this.#days): void {
    let room = allowed
    for (const kind of from) {
      for (const day of days) {
        const left = room - day[kind]
        day[kind] = left < 0n ? -left : 0n
        room = left > 0n ? left : 0n
      }
    }
  }

  /** Deducts an allowance from every day. */
  deductDaily(from: readonly Kind[], allowed: bigint): void {
    for (const day of this.#days) this.deduct(from, allowed, [day])
  }
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)

const over = (amount: bigint, by: bigint) => (amount + by - 1n) / by
