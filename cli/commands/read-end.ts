import { parseDuration, toMilliseconds } from '#format/durations.ts'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'

/** Returns when something ends, in ISO 8601: after a duration ('7d', '12h'), with a day ('2026-12-31', in the time zone of this
 *  machine), or at a time ('2026-12-31T18:00', or with an offset). Throws CommandFailed for anything else, and for the past. */
export function readEnd(text: string, now: Date): string {
  const duration = /^\d+$/.test(text) ? null : parseDuration(text)
  const end = duration === null ? readDate(text) : new Date(now.getTime() + toMilliseconds(duration))
  if (!end || Number.isNaN(end.getTime()) || end.getUTCFullYear() > 9_999)
    throw new CommandFailed('usage', translate('cli.sharing.badEnd', { text }))
  if (end <= now) throw new CommandFailed('usage', translate('cli.sharing.past', { text }))
  return end.toISOString()
}

function readDate(text: string): Date | null {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return existing(text, new Date(`${text}T23:59:59.999`))
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?$/.test(text) ? new Date(text) : null
}

/** Null for a day such as February 30, which a Date takes for one in March. */
const existing = (day: string, date: Date): Date | null => (date.getDate() === Number(day.slice(8)) ? date : null)
