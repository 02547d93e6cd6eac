import { createTranslator } from 'use-intl/core'
import type { Locale } from '#format/locale.ts'

/** Says messages whose keys and values were checked where they were put together. Throws for a key that is not there. */
export function looseTranslator(locale: Locale, messages: Readonly<Record<string, object>>) {
  const options: Parameters<typeof createTranslator>[0] = { locale, messages, onError: fail }
  return createTranslator(options)
}

function fail(error: Error): never {
  throw error
}
