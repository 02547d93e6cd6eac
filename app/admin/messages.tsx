'use client'

import type { ReactNode } from 'react'
import { IntlProvider, useMessages } from 'use-intl/react'
import { DEFAULT_LOCALE, languageTag } from '#format/locale.ts'
import { admin } from '#messages/en/admin.ts'
import { adminAccess } from '#messages/en/admin-access.ts'
import { adminJobs } from '#messages/en/admin-jobs.ts'
import { adminLimits } from '#messages/en/admin-limits.ts'
import { adminOverrides } from '#messages/en/admin-overrides.ts'
import { adminSpending } from '#messages/en/admin-spending.ts'
import { adminUsers } from '#messages/en/admin-users.ts'
import { invites } from '#messages/en/invites.ts'

const messages = {
  admin,
  adminAccess,
  adminJobs,
  adminLimits,
  adminOverrides,
  adminSpending,
  adminUsers,
  invites,
} as const

export type MessagesOfAdmins = typeof messages

/** Provides the messages of admin pages, in addition to those of the site. */
export function AdminMessages({ children }: { children: ReactNode }) {
  const site = useMessages()
  return (
    <IntlProvider locale={languageTag(DEFAULT_LOCALE)} messages={{ ...site, ...messages }}>
      {children}
    </IntlProvider>
  )
}
