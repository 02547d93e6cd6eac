'use client'

import { useMemo } from 'react'
import { useLocale, useMessages, useTranslations } from 'use-intl/react'
import { looseTranslator } from '#messages/loose-translator.ts'
import { formatParams } from '#messages/params.ts'
import { issueIn, type ReceivedErrorText, textIn } from './error-text.ts'
import { describeFailure } from './message.ts'

/**
 * Returns a function that describes a failed call. If a newer server sends a code that this page does not know, it
 * returns the server's English message.
 */
export function useErrorMessage(): (error: unknown) => string {
  const say = useLoose()
  const t = useTranslations('failures')
  return useMemo(() => {
    const serverText = (error: unknown) => {
      const [text, issue] = [textIn(error), issueIn(error)]
      if (text) return say(`errors.${text.code}`, text)
      return issue && say(`invalid.${issue.code}`, issue)
    }
    return (error) => describeFailure(error, t, serverText)
  }, [say, t])
}

/** Returns a function that says an error of the server; null for a code that this page does not know. */
export function useErrorText(): (text: ReceivedErrorText) => string | null {
  const say = useLoose()
  return useMemo(() => (text) => say(`errors.${text.code}`, text), [say])
}

function useLoose(): (key: string, text: ReceivedErrorText) => string | null {
  const locale = useLocale()
  const messages = useMessages()
  return useMemo(() => {
    const translate = looseTranslator(locale, messages)
    return (key, { params }) => (translate.has(key) ? translate(key, formatParams(params, locale)) : null)
  }, [locale, messages])
}
