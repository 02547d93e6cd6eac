import type { Translate } from '#app/ui/translate.ts'
import { formatBytes } from '#format/bytes.ts'
import { formatCount } from '#format/counts.ts'
import { formatMoney } from '#format/money.ts'
import type { BillLine, BudgetUnit } from './types.ts'

/** Formats an amount of a budget's unit. */
export function formatBudgetAmount(unit: BudgetUnit, amount: number, currency: string): string {
  if (unit === 'money') return formatMoney(amount, currency)
  if (unit === 'bytes' || unit === 'bytesOut' || unit === 'stored') return formatBytes(amount)
  return formatCount(amount)
}

const precise = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 })

/** Formats the quantity of a bill's line: requests, GB as its prices define them, or GB-months, which the line's name says. Adds
 *  what is free: `312 GB, 100 free`. A number and its unit stay on one line. */
export function formatBilled(
  { kind, amount, free, per }: Pick<BillLine, 'kind' | 'amount' | 'free' | 'per'>,
  t: Translate<'adminSpending'>,
): string {
  const isRequests = kind === 'writes' || kind === 'reads' || kind === 'deletes'
  const number = (of: number) => {
    if (isRequests) return formatCount(of)
    return of > 0 && of / per < 0.001 ? '<\u00a00.001' : precise.format(of / per)
  }
  const billed = `${number(amount)}${isRequests || kind === 'stored' ? '' : '\u00a0GB'}`
  if (free === 0) return billed
  return free === amount ? t('allFree', { amount: billed }) : t('freeAmount', { amount: billed, free: number(free) })
}
