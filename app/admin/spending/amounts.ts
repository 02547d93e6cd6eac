import type { Translate } from '#app/ui/translate.ts'
import type { Formats } from '#format/formats.ts'
import type { BillLine, BudgetUnit } from './types.ts'

/** Formats an amount of a budget's unit. */
export function formatBudgetAmount(
  format: Formats,
  { unit, amount, currency }: { readonly unit: BudgetUnit; readonly amount: number; readonly currency: string },
): string {
  if (unit === 'money') return format.money(amount, currency)
  if (unit === 'bytes' || unit === 'bytesOut' || unit === 'stored') return format.bytes(amount)
  return format.count(amount)
}

/** Formats the quantity of a bill's line: requests, GB as its prices define them, or GB-months, which the line's name says. Adds
 *  what is free: `312 GB, 100 free`. A number and its unit stay on one line. */
export function formatBilled(
  { kind, amount, free, per }: Pick<BillLine, 'kind' | 'amount' | 'free' | 'per'>,
  t: Translate<'adminSpending'>,
  format: Formats,
): string {
  const isRequests = kind === 'writes' || kind === 'reads' || kind === 'deletes'
  const number = (of: number) => {
    if (isRequests) return format.count(of)
    return of > 0 && of / per < 0.001 ? `<\u00a0${format.precise(0.001)}` : format.precise(of / per)
  }
  const billed = `${number(amount)}${isRequests || kind === 'stored' ? '' : '\u00a0GB'}`
  if (free === 0) return billed
  return free === amount ? t('allFree', { amount: billed }) : t('freeAmount', { amount: billed, free: number(free) })
}
