import type { Amount, Unit } from '#server/limits/rule-set.ts'

/** Parses an amount of permits: a whole number, or for bytes a size such as `20 MB` or `20 MiB`. Null for anything else. A comma
 *  separates thousands of permits, but not of a size: `1,5 GB` is not 15. */
export function parseAmount(text: string, unit: Unit): Amount | null {
  const [, digits = '', suffix] = /^([1-9]\d{0,2}(?:,\d{3})+|\d+(?:\.\d+)?) ?([kmgt]?i?b)?$/i.exec(text.trim()) ?? []
  const amount = Number(digits.replaceAll(',', ''))
  if (amount <= 0) return null
  // Stored as `20MB`, the only form that every version reads.
  const size = sizes.find((candidate) => candidate === suffix?.toUpperCase().replace('I', ''))
  if (size) return unit === 'bytes' && !digits.includes(',') ? `${amount}${size}` : null
  return Number.isInteger(amount) ? amount : null
}

const sizes = ['B', 'KB', 'MB', 'GB', 'TB'] as const
