import { Temporal } from 'temporal-polyfill'

/** Divides time into the days, weeks or months of a time zone. */
export interface Calendar {
  readonly align: 'day' | 'week' | 'month'
  /** By its IANA name: 'Europe/Berlin'. */
  readonly timeZone: string
}

/** The first date of a period, and how long one is. */
const PERIODS = {
  day: { firstOf: (date: Temporal.PlainDate) => date, length: { days: 1 } },
  week: { firstOf: (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 }), length: { weeks: 1 } },
  month: { firstOf: (date: Temporal.PlainDate) => date.with({ day: 1 }), length: { months: 1 } },
}

/** The last boundaries of each calendar, kept as long as the rule that declares it. */
const found = new WeakMap<Calendar, readonly number[]>()

/** Returns the instants, in milliseconds since 1970 and ascending, at which the previous period begins, the period of
 *  `now` begins and ends, and the next one ends. They are computed once a period: the calendar is recognised by
 *  identity. A day begins at midnight, or, where clocks skip that, at the first instant of its date. */
export function calendarBoundaries(calendar: Calendar, now: number): readonly number[] {
  const known = found.get(calendar)
  if (known && isCurrent(known, now)) return known
  const boundaries = boundariesAround(calendar, now)
  found.set(calendar, boundaries)
  return boundaries
}

function isCurrent([, begin = 0, end = 0]: readonly number[], now: number): boolean {
  return begin <= now && now < end
}

function boundariesAround({ align, timeZone }: Calendar, now: number): readonly number[] {
  const { firstOf, length } = PERIODS[align]
  const begin = firstOf(Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate())
  const end = begin.add(length)
  const dates = [begin.subtract(length), begin, end, end.add(length)]
  return dates.map((date) => date.toZonedDateTime(timeZone).epochMilliseconds)
}
