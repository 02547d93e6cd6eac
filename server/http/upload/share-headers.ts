import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '#server/errors/refuse.ts'

/** What an upload's headers ask of the link that it answers with. */
export interface ShareWish {
  readonly password?: string
  /** ISO 8601. */
  readonly expiresAt?: string
  readonly maxViews?: number
}

const END = 'x-zipline-deletes-at'
const PASSWORD = 'x-zipline-password'
const VIEWS = 'x-zipline-max-views'

const MAX_VIEWS = 1_000_000
const MAX_PASSWORD = 1_000

/**
 * Returns what Zipline's headers (diced/zipline, src/lib/uploader/parseHeaders.ts) ask of an upload; null if they ask for nothing.
 * Throws BAD_REQUEST for one that cannot be met, because a link without it would protect less than was asked for.
 */
export function readShareHeaders(headers: IncomingHttpHeaders, now = Date.now()): ShareWish | null {
  const [end, password, views] = [END, PASSWORD, VIEWS].map((name) => [headers[name] ?? []].flat()[0] ?? '')
  const wish = {
    ...(end && end.toLowerCase() !== 'never' && { expiresAt: readEnd(end, now) }),
    ...(password && { password: readPassword(password) }),
    ...(views && Number(views) !== 0 && { maxViews: readViews(views) }),
  }
  return Object.keys(wish).length > 0 ? wish : null
}

/** `date=` and a time, or how long from now. */
function readEnd(text: string, now: number): string {
  const [, date] = /^date=(.*)$/i.exec(text) ?? []
  const end = date === undefined ? now + parseLength(text) : Date.parse(date)
  if (!(end > now && end < Date.UTC(10_000, 0))) throw refuse('bad-share-header', { name: END })
  return new Date(end).toISOString()
}

/** Node decodes headers as Latin-1, but most clients send UTF-8. */
function readPassword(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const utf8 = bytes.toString('utf8')
  const password = Buffer.from(utf8).equals(bytes) ? utf8 : header
  if (password.length > MAX_PASSWORD) throw refuse('bad-share-header', { name: PASSWORD })
  return password
}

function readViews(text: string): number {
  const views = Number(text)
  if (!Number.isInteger(views) || views < 1 || views > MAX_VIEWS) throw refuse('bad-share-header', { name: VIEWS })
  return views
}

const DAY_MS = 86_400_000

/** As the npm package `ms` reads them, on which Zipline's clients rely. */
const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|milliseconds?)?$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, DAY_MS],
  [/^(?:w|weeks?)$/, 7 * DAY_MS],
  [/^(?:mo|months?)$/, 30.4375 * DAY_MS],
  [/^(?:y|yrs?|years?)$/, 365.25 * DAY_MS],
]

/** Milliseconds of a text such as `7d`, `1.5 hours` or `60000`; NaN for any other. */
function parseLength(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?) {0,5}([a-z]*)$/.exec(text.trim().toLowerCase()) ?? []
  const [, ms] = units.find(([pattern]) => pattern.test(unit)) ?? []
  return amount === undefined || ms === undefined ? Number.NaN : Math.round(Number(amount) * ms)
}
