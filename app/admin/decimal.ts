import { formatCount } from '#format/counts.ts'

/** A number from 0 as it is typed: `0.4`, `1500`. NaN for all else. A comma is none of it: for one reader it groups
 *  thousands, for another it begins the decimals. */
export const parseDecimal = (text: string): number =>
  /^(\d+(\.\d{0,9})?|\.\d{1,9})$/.test(text.trim()) ? Number(text) : Number.NaN

/** As it is typed: without groups, and never with an exponent. */
export const spellDecimal = (value: number): string =>
  Number.isNaN(value) ? '' : value.toLocaleString('en-GB', { useGrouping: false, maximumFractionDigits: 9 })

/** What is wrong with what is typed in a field for numbers up to `max`; null where nothing is, or nothing is typed. */
export function decimalProblem(text: string, max: number): string | null {
  if (text.trim() === '') return null
  const value = parseDecimal(text)
  if (Number.isNaN(value)) return 'A number such as 1500 or 0.25: a point before the decimals, and no comma.'
  return value > max ? `At most ${formatCount(max)}.` : null
}
