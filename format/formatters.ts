import { type Locale, languageTag } from './locale.ts'

/** Returns a function that makes a formatter for each locale and options once: making one takes up to milliseconds, formatting
 *  microseconds. */
function keep<Options extends object, Formatter>(Formatter: new (tag: string, options: Options) => Formatter) {
  const made = new Map<string, Formatter>()
  return (locale: Locale, options: Options): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`
    const formatter = made.get(key) ?? new Formatter(languageTag(locale), options)
    made.set(key, formatter)
    return formatter
  }
}

export const numberFormat = keep<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat)
export const dateFormat = keep<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat)
export const relativeFormat = keep<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(Intl.RelativeTimeFormat)
export const listFormat = keep<Intl.ListFormatOptions, Intl.ListFormat>(Intl.ListFormat)
