'use client'

import { type ReactNode, useMemo } from 'react'
import { IntlProvider, useLocale, useMessages } from 'use-intl/react'
import type { Locale } from '#format/locale.ts'

/** Messages get dates in words (app/ui/moment.tsx). Without a zone, use-intl logs an error at each start. */
const NO_DATES = 'UTC'

interface Props {
  /** Areas of messages, from the server: no script has a sentence in it. */
  messages: object
  children: ReactNode
}

/** Provides the reader's locale, and the messages of the shell. */
export function Messages({ locale, messages, children }: Props & { locale: Locale }) {
  return (
    <IntlProvider locale={locale} messages={messages} timeZone={NO_DATES}>
      {children}
    </IntlProvider>
  )
}

/** Provides a page's messages in addition to those around it. */
export function MoreMessages({ messages, children }: Props) {
  const locale = useLocale()
  const around = useMessages()
  const all = useMemo(() => ({ ...around, ...messages }), [around, messages])
  return (
    <IntlProvider locale={locale} messages={all} timeZone={NO_DATES}>
      {children}
    </IntlProvider>
  )
}
