import { formatCount } from '#app/ui/format.ts'
import type { Amount, Unit } from '#server/limits/rule-set.ts'
import type { Duration } from '#server/limits/rules/duration.ts'

const units = [
  { suffix: 'd', word: 'day', ms: 86_400_000 },
  { suffix: 'h', word: 'hour', ms: 3_600_000 },
  { suffix: 'm', word: 'minute', ms: 60_000 },
  { suffix: 's', word: 'second', ms: 1000 },
  { suffix: 'ms', word: 'millisecond', ms: 1 },
] as const

/** A length of time as typed: `500ms`, `1.5 h`, or `60000` in milliseconds; null for what is none. */
export function parseDuration(text: string): Duration | null {
  if (/^\d+$/.test(text.trim())) return Number(text) || null
  const [, digits = '', suffix] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  const unit = units.find((candidate) => candidate.suffix === suffix)
  return unit && Number(digits) > 0 ? `${Number(digits)}${unit.suffix}` : null
}

/** The shortest spelling: 60_000 and `60s` are both `1m`. */
export function spellDuration(duration: Duration): Duration {
  const { amount, unit } = inLargestUnit(duration)
  return `${amount}${unit.suffix}`
}

/** In words behind "per" and "for": `minute`, `15 minutes`. */
export function durationWords(duration: Duration): string {
  const { amount, unit } = inLargestUnit(duration)
  return amount === 1 ? unit.word : `${amount} ${unit.word}s`
}

/** How many permits, as typed: a whole number, or for bytes a size such as `20 MB`; null for what is none. A comma groups
 *  thousands of permits; of a size it is none, for `1,5 GB` is not 15. */
export function parseAmount(text: string, unit: Unit): Amount | null {
  const [, digits = '', suffix] = /^([1-9]\d{0,2}(?:,\d{3})+|\d+(?:\.\d+)?) ?([kmgt]?b)?$/i.exec(text.trim()) ?? []
  const amount = Number(digits.replaceAll(',', ''))
  if (amount <= 0) return null
  const size = sizes.find((candidate) => candidate === suffix?.toUpperCase())
  if (size) return unit === 'bytes' && !digits.includes(',') ? `${amount}${size}` : null
  return Number.isInteger(amount) ? amount : null
}

/** An amount for reading: `15,000`, or of bytes as declared, `20GB`. */
export const amountWords = (amount: Amount): string => (typeof amount === 'number' ? formatCount(amount) : amount)

const sizes = ['B', 'KB', 'MB', 'GB', 'TB'] as const

function inLargestUnit(duration: Duration) {
  const ms = millisecondsOf(duration)
  const unit = units.find((candidate) => ms % candidate.ms === 0) ?? units[4]
  return { amount: ms / unit.ms, unit }
}

function millisecondsOf(duration: Duration): number {
  if (typeof duration === 'number') return duration
  const unit = units.find(({ suffix }) => suffix === duration.replace(/^[\d.]+/, ''))
  // 0.1 * 3 is not 0.3 in binary.
  return Math.round(Number.parseFloat(duration) * (unit?.ms ?? Number.NaN) * 1000) / 1000
}
