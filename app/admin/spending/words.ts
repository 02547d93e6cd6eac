import { formatBytes, formatCount } from '#app/ui/format.ts'
import type { BillLine, BudgetItem, Period, Prices, Unit } from './types.ts'

/** Billionths of the currency's unit, which amounts of money are counted in. */
export const NANOS = 1_000_000_000

/** An amount of money for reading: `$12.40`; of less than the smallest coin as many digits as say something: `$0.0031`,
 *  `¥0.4`. */
export function formatMoney(nanos: number, currency: string): string {
  const amount = nanos / NANOS
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const whole = new Intl.NumberFormat('en-GB', options)
  const coin = 10 ** -(whole.resolvedOptions().maximumFractionDigits ?? 2)
  if (amount === 0 || Math.abs(amount) >= coin) return whole.format(amount)
  return new Intl.NumberFormat('en-GB', { ...options, maximumSignificantDigits: 2 }).format(amount)
}

/** A price for reading, in all its digits: `$0.023`. */
export const formatPrice = (nanos: number, currency: string): string =>
  new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 9,
  }).format(nanos / NANOS)

/** An amount of a budget's unit for reading. */
export function formatAmount(unit: Unit, amount: number, currency: string): string {
  if (unit === 'money') return formatMoney(amount, currency)
  if (unit === 'bytes' || unit === 'bytesOut' || unit === 'stored') return formatBytes(amount)
  return formatCount(amount)
}

/** Bytes of a GB wherever an amount is shown or typed; prices have the provider's. */
export const GB = 1024 ** 3

/** Which GB is meant, where one is typed or priced. */
export const gigabyteWords = (bytes: number): string => `A GB is ${formatCount(bytes)} bytes here.`

const precise = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 })

/** How much a line of a bill is for, and what of it is free: requests, GB as its prices have them, or GB-months, which its
 *  name says: `312 GB, 100 free`. A number and its unit stay on one line. */
export function amountWords({ kind, amount, free, per }: Pick<BillLine, 'kind' | 'amount' | 'free' | 'per'>): string {
  const isRequests = kind === 'writes' || kind === 'reads' || kind === 'deletes'
  const number = (of: number) => {
    if (isRequests) return formatCount(of)
    return of > 0 && of / per < 0.001 ? 'under 0.001' : precise.format(of / per)
  }
  const words = `${number(amount)}${isRequests || kind === 'stored' ? '' : '\u00a0GB'}`
  if (free === 0) return words
  return `${words}, ${free === amount ? 'all' : number(free)}\u00a0free`
}

export const unitWords = {
  money: 'Money',
  requests: 'Requests',
  writes: 'Writes and lists',
  reads: 'Reads',
  bytes: 'Bytes in and out',
  bytesOut: 'Bytes out',
  stored: 'Bytes stored',
} satisfies Record<Unit, string>

export const periodWords = { day: 'a day', month: 'a month', standing: 'at any time' } satisfies Record<Period, string>

/** What a budget is of: `Reads a day`; `Bytes stored`. */
export const budgetWords = ({ unit, period }: Pick<BudgetItem, 'unit' | 'period'>): string =>
  period === 'standing' ? unitWords[unit] : `${unitWords[unit]} ${periodWords[period]}`

const held = {
  money: ['uploads', 'reads'],
  requests: ['uploads', 'reads'],
  bytes: ['uploads', 'reads'],
  writes: ['uploads'],
  stored: ['uploads'],
  reads: ['reads'],
  bytesOut: ['reads'],
} as const satisfies Record<Unit, readonly ('uploads' | 'reads')[]>

/** What is refused while budgets of these units are spent: `uploads and images that are not cached`. */
export function refusedWords(units: readonly Unit[]): string {
  const all = new Set<string>(units.flatMap((unit) => held[unit]))
  const words = [
    ...(all.has('uploads') ? ['uploads'] : []),
    ...(all.has('reads') ? ['images that are not cached'] : []),
  ]
  return words.join(' and ')
}

/** `November 2026`, of `2026-11`. */
export const monthWords = (month: string): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`))

/** `21 Nov`, of `2026-11-21`. */
export const dayWords = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))

/** The month (`YYYY-MM`) and those before it, the latest first. */
export function lastMonths(month: string, length: number): readonly string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return Array.from({ length }, (_, back) => new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 7))
}

/** A share for reading: `83 %`, `0.4 %`, `under 0.1 %`. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return 'under 0.1 %'
  return `${share > 0 && share < 0.01 ? Math.floor(share * 1000) / 10 : Math.floor(share * 100)} %`
}

/** What keeps the images, whatever it is charged at. */
export const storeWord = ({ provider }: Pick<Prices, 'provider'>): 'disk' | 'bucket' =>
  provider === 'disk' ? 'disk' : 'bucket'
