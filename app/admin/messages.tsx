'use client'

import type { ReactNode } from 'react'
import { IntlProvider, useMessages } from 'use-intl/react'
import { languageTag } from '#format/locale.ts'
import { adminAccess } from '#messages/en/admin-access.ts'
import { adminJobs } from '#messages/en/admin-jobs.ts'
import { adminLimits } from '#messages/en/admin-limits.ts'
import { adminOverrides } from '#messages/en/admin-overrides.ts'

const messages = { adminAccess, adminJobs, adminLimits, adminOverrides } as const

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
