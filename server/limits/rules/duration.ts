/** A length of time: whole milliseconds, or a decimal number with its unit, as '500ms', '1s', '15m', '24h', '7d'. */
export type Duration = number | `${number}ms` | `${number}s` | `${number}m` | `${number}h` | `${number}d`

interface Unit {
  readonly suffix: string
  readonly word: string
  readonly ms: number
}

const MILLISECOND: Unit = { suffix: 'ms', word: 'millisecond', ms: 1 }
const UNITS: readonly Unit[] = [
  { suffix: 'd', word: 'day', ms: 86_400_000 },
  { suffix: 'h', word: 'hour', ms: 3_600_000 },
  { suffix: 'm', word: 'minute', ms: 60_000 },
  { suffix: 's', word: 'second', ms: 1_000 },
  MILLISECOND,
]

/** Milliseconds of a duration; NaN for text that is none. */
export function toMilliseconds(duration: number | string): number {
  if (typeof duration === 'number') return duration
  const [, count, suffix] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration) ?? []
  const unit = UNITS.find((candidate) => candidate.suffix === suffix)
  if (!unit) return Number.NaN
  // 0.1 * 3 is not 0.3 in binary: what is a whole number but for that error is taken for one.
  const ms = Number(count) * unit.ms
  return Math.abs(ms - Math.round(ms)) < 1e-6 ? Math.round(ms) : ms
}

/** The shortest exact spelling: 60_000 is '1m', 90_000 is '90s', 500 is '500ms'. */
export function shortDuration(ms: number): string {
  const unit = largestUnitOf(ms)
  return `${ms / unit.ms}${unit.suffix}`
}

/** In words: 'minute' for 60_000, '15 minutes' for 900_000. */
export function durationWords(ms: number): string {
  const unit = largestUnitOf(ms)
  const count = ms / unit.ms
  return count === 1 ? unit.word : `${count} ${unit.word}s`
}

function largestUnitOf(ms: number): Unit {
  return UNITS.find((unit) => ms % unit.ms === 0) ?? MILLISECOND
}
