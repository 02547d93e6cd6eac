'use client'

import { useMemo } from 'react'
import { useMessages, useTranslations } from 'use-intl/react'
import { DEFAULT_LOCALE } from '#format/locale.ts'
import { looseTranslator } from '#messages/loose-translator.ts'
import { formatParams } from '#messages/params.ts'
import { textIn } from './error-text.ts'
import { describeFailure } from './message.ts'

/**
 * Returns a function that describes a failed call. If a newer server sends a code that this page does not know, it
 * returns the server's English message.
 */
export function useErrorMessage(): (error: unknown) => string {
  const messages = useMessages()
  const t = useTranslations('failures')
  return useMemo(() => {
    const translate = looseTranslator(DEFAULT_LOCALE, messages)
    const serverText = (error: unknown) => {
      const text = textIn(error)
      return text && translate.has(`errors.${text.code}`)
        ? translate(`errors.${text.code}`, formatParams(text.params, DEFAULT_LOCALE))
        : null
    }
    return (error) => describeFailure(error, t, serverText)
  }, [messages, t])
}
