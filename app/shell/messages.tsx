'use client'

import { type ReactNode, useMemo } from 'react'
import { IntlProvider, useLocale, useMessages } from 'use-intl/react'
import type { Locale } from '#format/locale.ts'

interface Props {
  /** Areas of messages, from the server: no script has a sentence in it. */
  messages: object
  children: ReactNode
}

/** Provides the reader's locale, and the messages of the shell. */
export function Messages({ locale, messages, children }: Props & { locale: Locale }) {
  return (
    <IntlProvider locale={locale} messages={messages}>
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
    <IntlProvider locale={locale} messages={all}>
      {children}
    </IntlProvider>
  )
}
