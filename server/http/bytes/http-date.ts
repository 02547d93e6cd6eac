const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const LONG_DAYS = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const MONTHS = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const TIME = '\\d\\d:\\d\\d:\\d\\d'

/** The three forms that a recipient must accept (RFC 9110, 5.6.7): the current one, RFC 850's, and asctime's. */
const FORMS = [
  new RegExp(`^${DAYS}, \\d\\d ${MONTHS} \\d{4} ${TIME} GMT$`),
  new RegExp(`^${LONG_DAYS}, \\d\\d-${MONTHS}-\\d\\d ${TIME} GMT$`),
  new RegExp(`^${DAYS} ${MONTHS} [ \\d]\\d ${TIME} \\d{4}$`),
]

/** Parses a header's date. Null if there is none or it is invalid, in which case the header must be ignored. */
export function parseHttpDate(text: string | undefined): Date | null {
  if (text === undefined || !FORMS.some((form) => form.test(text))) return null
  // Only asctime's form omits the zone, which is always GMT.
  const date = new Date(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(date.getTime()) ? null : date
}

/** Drops the milliseconds, which headers cannot express. */
export const wholeSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000)
