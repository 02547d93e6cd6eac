/** Periods are in UTC, as on providers' bills; 'standing' never resets, for stored bytes. */
export const periods = ['day', 'month', 'standing'] as const

/** 'requests' are writes and reads, 'bytes' go in and out, 'money' is in nanos (billionths of the currency unit). Deletes
 *  count towards no budget, because they are never refused. */
export const units = ['requests', 'writes', 'reads', 'bytes', 'bytesOut', 'money', 'stored'] as const

export type Period = (typeof periods)[number]
export type BudgetUnit = (typeof units)[number]

/** A limit per unit and period: 'standing' for stored bytes, a day or a month for all other units. */
export interface Budget {
  readonly period: Period
  readonly unit: BudgetUnit
  readonly limit: number
}

/** A budget is also 'spent' if it has refused a request and the rest is too little for an ordinary one. */
export type BudgetState = 'fine' | 'near' | 'spent'

/** A budget and how much of it is used; leased amounts count as used. */
export interface BudgetUse extends Budget {
  readonly used: number
  /** The limit is the provider's free allowance. */
  readonly isFree: boolean
}

/** A budget is near its limit from this share on. */
const NEAR = 0.8

/** The bytes of an ordinary upload. With room for one the budget is not spent; only larger uploads are refused. */
export const ORDINARY_UPLOAD = 1024 * 1024

/** Judges a budget by its count alone, without regard to refusals. */
export function judgeBudget({ used, limit }: Pick<BudgetUse, 'used' | 'limit'>): BudgetState {
  if (used >= limit) return 'spent'
  return used >= NEAR * limit ? 'near' : 'fine'
}

/** Returns the instant at which the period that contains `day` (`YYYY-MM-DD`) ends; null for 'standing'. */
export function periodEnd(period: Period, day: string): Date | null {
  if (period === 'standing') return null
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(period === 'day' ? Date.UTC(year, month - 1, date + 1) : Date.UTC(year, month, 1))
}

/** Returns the first day (`YYYY-MM-DD`) of the period that contains `day`; for 'standing', `day` itself. */
export function periodStart(period: Period, day: string): string {
  return period === 'month' ? `${day.slice(0, 7)}-01` : day
}
