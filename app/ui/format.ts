const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A size in bytes for reading, by powers of 1024, as the upload limit counts: `812 bytes`, `1.4 MB`, `25 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${units[unit]}`
}

/** An ISO 8601 date for reading: `20 Nov 2026`, with `time` also `, 08:12`. */
export function formatDate(iso: string, options: { time: boolean; timeZone?: string }): string {
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    ...(options.time ? { timeStyle: 'short' } : {}),
    ...(options.timeZone ? { timeZone: options.timeZone } : {}),
  }).format(new Date(iso))
}

const grouped = new Intl.NumberFormat('en-GB')

/** A whole number for reading: `15,000`. */
export const formatCount = (amount: number): string => grouped.format(amount)

/** `1 image`, `2 images`, `1,027 images`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${formatCount(amount)} ${amount === 1 ? one : many}`
}

const day = 24 * 60 * 60_000
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' })

/** How far away a date is, in the unit that fits: `in 29 days`, `in 5 hours`; `soon` in the last hour, and when it has passed. */
export function formatUntil(iso: string, now: number): string {
  const left = Date.parse(iso) - now
  if (left >= day) return relative.format(Math.round(left / day), 'day')
  return left >= day / 24 ? relative.format(Math.round((left / day) * 24), 'hour') : 'soon'
}
