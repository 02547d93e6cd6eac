'use client'

import { useMemo } from 'react'
import { useMessages } from 'use-intl/react'
import { DEFAULT_LOCALE } from '#format/locale.ts'
import { looseTranslator } from '#messages/loose-translator.ts'
import { formatParams } from '#messages/params.ts'
import { type ErrorText, textIn } from './error-text.ts'

/** Says a failed call's error from the catalogue. Null where a newer server has sent a code that this page does not know:
 *  then its English message stands. */
export function useErrorText(): (error: unknown) => string | null {
  const messages = useMessages()
  return useMemo(() => {
    const t = looseTranslator(DEFAULT_LOCALE, messages)
    const say = ({ code, params }: ErrorText) => t(`errors.${code}`, formatParams(params, DEFAULT_LOCALE))
    return (error) => {
      const text = textIn(error)
      return text && t.has(`errors.${text.code}`) ? say(text) : null
    }
  }, [messages])
}
