import type { Unit } from '../budget.ts'
import type { Prices, Provider } from './prices.ts'

/** What a bill has lines for, each at its price. */
const kinds = ['writes', 'reads', 'deletes', 'bytesIn', 'bytesOut', 'stored'] as const
type Kind = (typeof kinds)[number]

/** What was asked of the bucket on a day, and the most bytes that lay in it. */
export type BilledDay = Readonly<Record<Kind, number>>

export interface BillLine {
  readonly kind: Kind
  /** Requests, or bytes; of what is stored bytes of each day, added up. */
  readonly amount: number
  /** How much of the amount costs nothing. */
  readonly free: number
  /** How much of it has the price of the table: a million, a GB, the bytes of a GB on each day of a month. */
  readonly per: number
  /** Billionths of the currency's unit; what is begun of one is a whole one. */
  readonly nanos: number
}

/** What a provider charges for some days of a month: a line for all that has a price. */
export interface Bill {
  readonly lines: readonly BillLine[]
  /** The lines added up. */
  readonly nanos: number
}

/** How a provider bills, beside its prices. */
interface Billing {
  /** Over how many days a GB costs the price of a month; null for as many as the month has. */
  readonly monthDays: number | null
  /** What is begun of a million, or of a GB, costs as much as a whole one. */
  readonly isWhole: boolean
  /** What may be stored for nothing is so many bytes on each day, and not on the mean of the month. */
  readonly isFreeByDay: boolean
  /** So many times the mean of what is stored may leave in the month for nothing. */
  readonly freeOut: bigint
}

const plain: Billing = { monthDays: null, isWhole: false, isFreeByDay: false, freeOut: 0n }

/** As they say on the pages of their prices, and https://www.tencentcloud.com/document/product/436/32534. */
export const billings: Readonly<Record<Provider, Billing>> = {
  disk: plain,
  other: plain,
  s3: plain,
  r2: { ...plain, isWhole: true },
  b2: { ...plain, monthDays: 30, isFreeByDay: true, freeOut: 3n },
  cos: { ...plain, monthDays: 30 },
}

/** In which lines a unit of an allowance counts. One of money is not taken off: no provider has it. */
const kindsOf: Readonly<Record<Unit, readonly Kind[]>> = {
  requests: ['writes', 'reads'],
  writes: ['writes'],
  reads: ['reads'],
  bytes: ['bytesIn', 'bytesOut'],
  bytesOut: ['bytesOut'],
  stored: ['stored'],
  money: [],
}

const MILLION = 1_000_000n

/** The bill of the days of a month, from its first one on, of which the month has `length`. Exact: integers all along. */
export function billOf(prices: Prices, days: readonly BilledDay[], length: number): Bill {
  const billing = billings[prices.provider]
  const monthDays = BigInt(billing.monthDays ?? length)
  const perOf = (kind: Kind): bigint => {
    if (kind === 'stored') return BigInt(prices.gigabyte) * monthDays
    return kind === 'bytesIn' || kind === 'bytesOut' ? BigInt(prices.gigabyte) : MILLION
  }
  const charged = new Charged(days)
  for (const { period, unit, limit } of prices.free) {
    // The cheapest is free first where there is a choice, so that no less is said than will be asked for.
    const of = kindsOf[unit].toSorted((one, other) => prices[one] - prices[other])
    const isDaily = period === 'day' || (period === 'standing' && billing.isFreeByDay)
    if (isDaily) charged.takeOffDaily(of, BigInt(limit))
    else charged.takeOff(of, BigInt(limit) * (period === 'standing' ? monthDays : 1n))
  }
  const stored = sum(days.map((day) => BigInt(day.stored)))
  charged.takeOff(['bytesOut'], (billing.freeOut * stored) / BigInt(days.length || 1))
  const lines = kinds
    .filter((kind) => prices[kind] > 0)
    .map((kind): BillLine => {
      const [amount, per, left] = [sum(days.map((day) => BigInt(day[kind]))), perOf(kind), charged.of(kind)]
      const price = BigInt(prices[kind])
      const nanos = billing.isWhole ? over(left, per) * price : over(left * price, per)
      return { kind, amount: Number(amount), free: Number(amount - left), per: Number(per), nanos: Number(nanos) }
    })
  return { lines, nanos: lines.reduce((total, { nanos }) => total + nanos, 0) }
}

/** Of each kind what is charged on each day: what was used, and less with each allowance. */
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

  of(kind: Kind): bigint {
    return sum(this.#days.map((day) => day[kind]))
  }

  /** Takes off so much in all, of the kinds in their order. */
  takeOff(of: readonly Kind[], allowed: bigint, days = this.#days): void {
    let room = allowed
    for (const kind of of) {
      for (const day of days) {
        const left = room - day[kind]
        day[kind] = left < 0n ? -left : 0n
        room = left > 0n ? left : 0n
      }
    }
  }

  /** Takes off so much of every day. */
  takeOffDaily(of: readonly Kind[], allowed: bigint): void {
    for (const day of this.#days) this.takeOff(of, allowed, [day])
  }
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)

/** A quotient, rounded up. */
const over = (amount: bigint, by: bigint) => (amount + by - 1n) / by
