const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const LONG_DAYS = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const MONTHS = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const TIME = '\\d\\d:\\d\\d:\\d\\d'

/** The three forms that a recipient must take (RFC 9110, 5.6.7): the one in use, RFC 850's, and asctime's. */
const FORMS = [
  new RegExp(`^${DAYS}, \\d\\d ${MONTHS} \\d{4} ${TIME} GMT$`),
  new RegExp(`^${LONG_DAYS}, \\d\\d-${MONTHS}-\\d\\d ${TIME} GMT$`),
  new RegExp(`^${DAYS} ${MONTHS} [ \\d]\\d ${TIME} \\d{4}$`),
]

/** A date of a header; null when there is none or it is not valid, which is to be ignored. */
export function parseHttpDate(text: string | undefined): Date | null {
  if (text === undefined || !FORMS.some((form) => form.test(text))) return null
  // The last form alone does not say its zone, which is always GMT.
  const date = new Date(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(date.getTime()) ? null : date
}

/** The instant without its milliseconds, which no header can say. */
export const wholeSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000)
