import { formatExactBytes, parseByteSize } from '#format/bytes.ts'
import { formatCount } from '#format/counts.ts'
import type { Amount, Unit } from '#server/limits/rule-set.ts'

/** How many permits, as typed: a whole number, or for bytes a size such as `20 MB` or `20 MiB`. Null for anything else. A comma
 *  groups thousands of permits, but not of a size: `1,5 GB` is not 15. */
export function parseAmount(text: string, unit: Unit): Amount | null {
  const [, digits = '', suffix] = /^([1-9]\d{0,2}(?:,\d{3})+|\d+(?:\.\d+)?) ?([kmgt]?i?b)?$/i.exec(text.trim()) ?? []
  const amount = Number(digits.replaceAll(',', ''))
  if (amount <= 0) return null
  // Stored as `20MB`, the one spelling that every version reads.
  const size = sizes.find((candidate) => candidate === suffix?.toUpperCase().replace('I', ''))
  if (size) return unit === 'bytes' && !digits.includes(',') ? `${amount}${size}` : null
  return Number.isInteger(amount) ? amount : null
}

/** An amount for reading: `15,000`, or for bytes `20 GiB`. */
export const amountWords = (amount: Amount): string =>
  typeof amount === 'number' ? formatCount(amount) : formatExactBytes(parseByteSize(amount) ?? Number.NaN)

const sizes = ['B', 'KB', 'MB', 'GB', 'TB'] as const
