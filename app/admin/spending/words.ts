import { formatBytes } from '#format/bytes.ts'
import { formatCount } from '#format/counts.ts'
import { formatMoney } from '#format/money.ts'
import type { BillLine, BudgetItem, BudgetUnit, Period, Prices } from './types.ts'

/** An amount of a budget's unit for reading. */
export function formatAmount(unit: BudgetUnit, amount: number, currency: string): string {
  if (unit === 'money') return formatMoney(amount, currency)
  if (unit === 'bytes' || unit === 'bytesOut' || unit === 'stored') return formatBytes(amount)
  return formatCount(amount)
}

/** Which GB a price is of: providers differ. */
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
} satisfies Record<BudgetUnit, string>

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
} as const satisfies Record<BudgetUnit, readonly ('uploads' | 'reads')[]>

/** What is refused while budgets of these units are spent: `uploads and images that are not cached`. */
export function refusedWords(units: readonly BudgetUnit[]): string {
  const all = new Set<string>(units.flatMap((unit) => held[unit]))
  const words = [
    ...(all.has('uploads') ? ['uploads'] : []),
    ...(all.has('reads') ? ['images that are not cached'] : []),
  ]
  return words.join(' and ')
}

/** The month (`YYYY-MM`) and those before it, the latest first. */
export function lastMonths(month: string, length: number): readonly string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return Array.from({ length }, (_, back) => new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 7))
}

/** What keeps the images, whatever it is charged at. */
export const storeWord = ({ provider }: Pick<Prices, 'provider'>): 'disk' | 'bucket' =>
  provider === 'disk' ? 'disk' : 'bucket'
