'use client'

import type { ReactNode } from 'react'
import { IntlProvider, useMessages } from 'use-intl/react'
import { languageTag } from '#format/locale.ts'
import { adminAccess } from '#messages/en/admin-access.ts'

const messages = { adminAccess } as const

export type MessagesOfAdmins = typeof messages

/** Gives the pages for admins their sentences beside those of the site. */
export function AdminMessages({ children }: { children: ReactNode }) {
  const site = useMessages()
  return (
    <IntlProvider locale={languageTag('en')} messages={{ ...site, ...messages }}>
      {children}
    </IntlProvider>
  )
}
