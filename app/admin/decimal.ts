/** Parses a number from 0 up, as typed: `0.4`, `1500`. NaN for anything else. Commas are refused: some readers group thousands with
 *  them, others begin the decimals. */
export const parseDecimal = (text: string): number =>
  /^(\d+(\.\d{0,9})?|\.\d{1,9})$/.test(text.trim()) ? Number(text) : Number.NaN

/** Formats a number as it would be typed: without separators or exponent. */
export const spellDecimal = (value: number): string =>
  Number.isNaN(value) ? '' : value.toLocaleString('en-GB', { useGrouping: false, maximumFractionDigits: 9 })

/** What is wrong with the text of a field for numbers up to `max`; null if nothing is, or the field is empty. A key of the messages
 *  `admin`. */
export function decimalProblem(text: string, max: number): 'numberInvalid' | 'numberTooLarge' | null {
  if (text.trim() === '') return null
  const value = parseDecimal(text)
  if (Number.isNaN(value)) return 'numberInvalid'
  return value > max ? 'numberTooLarge' : null
}
