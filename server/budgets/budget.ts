/** Periods in UTC, as providers bill; 'standing' is for what does not reset, such as stored bytes. */
export const periods = ['day', 'month', 'standing'] as const

/** 'requests' are writes and reads, 'bytes' are in and out, 'money' is in nanos: billionths of the currency's unit.
 *  Deletes count in no budget: they are never refused. */
export const units = ['requests', 'writes', 'reads', 'bytes', 'bytesOut', 'money', 'stored'] as const

export type Period = (typeof periods)[number]
export type Unit = (typeof units)[number]

/** A limit for a unit in a period. The period of stored bytes is 'standing', that of all other units a day or a
 *  month. */
export interface Budget {
  readonly period: Period
  readonly unit: Unit
  readonly limit: number
}

/** 'spent' also when something was refused and what is left is too little for an ordinary request. */
export type BudgetState = 'fine' | 'near' | 'spent'

/** A budget and how much of it is used; leased amounts count as used. */
export interface BudgetUse extends Budget {
  readonly used: number
  /** The budget follows from the provider's free allowance. */
  readonly isFree: boolean
}

/** The share of a budget from which on it is near its end. */
const NEAR = 0.8

/** Bytes of an ordinary upload: where there is room for so many, a larger one is refused alone. */
export const ORDINARY_UPLOAD = 1024 * 1024

/** The state of a budget, judged by what is counted alone. */
export function stateOf({ used, limit }: Pick<BudgetUse, 'used' | 'limit'>): BudgetState {
  if (used >= limit) return 'spent'
  return used >= NEAR * limit ? 'near' : 'fine'
}

/** The first moment after the period that `day` (`YYYY-MM-DD`) lies in; null for one without an end. */
export function endOf(period: Period, day: string): Date | null {
  if (period === 'standing') return null
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(period === 'day' ? Date.UTC(year, month - 1, date + 1) : Date.UTC(year, month, 1))
}

/** The first day (`YYYY-MM-DD`) of the period that `day` lies in; of a standing one that day itself. */
export function startOf(period: Period, day: string): string {
  return period === 'month' ? `${day.slice(0, 7)}-01` : day
}
