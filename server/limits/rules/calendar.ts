/** Where a day, a week or a month of a time zone begins and ends. */
export interface Calendar {
  readonly align: 'day' | 'week' | 'month'
  /** By its IANA name: 'Europe/Berlin'. */
  readonly timeZone: string
}

/** The instants, in milliseconds since 1970 and ascending, at which the period before the one of `now` begins, that one
 *  begins, it ends, and the next one ends. */
export function calendarBoundaries(_calendar: Calendar, _now: number): readonly number[] {
  throw new Error('not there yet')
}
