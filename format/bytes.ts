import { formatCount } from './counts.ts'
import { numberFormat } from './formatters.ts'
import type { Locale } from './locale.ts'

/** A size as settings and rules declare it, in powers of 1,024: '20MB', '1.5GB'. */
export type ByteSize = `${number}${'B' | 'KB' | 'MB' | 'GB' | 'TB'}`

/** Powers of 1,024. */
const symbols = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const pattern = /^(\d+(?:\.\d+)?)\s*(?:([KMGT])i?)?B$/i

/** The bytes of a size such as '25MB', '25 MiB' or '1.5 gb', rounded: both spellings are powers of 1,024. Null for anything else. */
export function parseByteSize(text: string): number | null {
  const [match, digits = '', prefix = ''] = pattern.exec(text.trim()) ?? []
  if (match === undefined) return null
  const bytes = Math.round(Number(digits) * 1024 ** ['', 'K', 'M', 'G', 'T'].indexOf(prefix.toUpperCase()))
  return Number.isSafeInteger(bytes) ? bytes : null
}

/** A size for people, in powers of 1,024 and two figures or more: `812 B`, `1.4 KiB`, `25 MiB`, `102 KiB`. */
export function formatBytes(bytes: number, locale: Locale): string {
  const power = powerFitting(bytes)
  const value = bytes / 1024 ** power
  const digits = power === 0 || value >= 9.95 ? 0 : 1
  const number = numberFormat(locale, { maximumFractionDigits: digits }).format(value)
  return `${number} ${symbols[power]}`
}

/** A size and what it is compared with; to the byte where both would read alike. */
export function formatBytesApart(one: number, other: number, locale: Locale): [string, string] {
  const texts: [string, string] = [formatBytes(one, locale), formatBytes(other, locale)]
  if (texts[0] !== texts[1]) return texts
  return [`${formatCount(one, locale)} B`, `${formatCount(other, locale)} B`]
}

/** A size to the byte, in the largest unit that needs at most four figures and a decimal: 20_971_520 is `20 MiB`, 1_000_000_000 is
 *  `1,000,000,000 B`. */
export function formatExactBytes(bytes: number, locale: Locale): string {
  const power = [4, 3, 2, 1].find((each) => isShort(bytes / 1024 ** each)) ?? 0
  return `${formatCount(bytes / 1024 ** power, locale)} ${symbols[power]}`
}

const isShort = (value: number): boolean => value >= 1 && value < 10_000 && Number.isInteger(value * 10)

function powerFitting(bytes: number): number {
  let power = 0
  while (bytes / 1024 ** power >= 1023.5 && power < symbols.length - 1) power += 1
  return power
}
