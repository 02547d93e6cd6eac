'use client'

import { useMemo } from 'react'
import { useLocale, useMessages } from 'use-intl/react'
import { looseTranslator } from '#messages/loose-translator.ts'
import { formatParams, type Params } from '#messages/params.ts'

/** What the server has kept of an error: the key of a message in the area `errors`, and its values. */
export interface KeptErrorText {
  readonly code: string
  readonly params: Params
}

/** Returns a function that says an error which the server has kept; null for a code that this page does not know. */
export function useErrorText(): (text: KeptErrorText) => string | null {
  const locale = useLocale()
  const messages = useMessages()
  return useMemo(() => {
    const translate = looseTranslator(locale, messages)
    return ({ code, params }) => {
      const key = `errors.${code}`
      return translate.has(key) ? translate(key, formatParams(params, locale)) : null
    }
  }, [locale, messages])
}
