'use client'

import type { ReactNode } from 'react'
import { IntlProvider } from 'use-intl/react'
import { DEFAULT_LOCALE, languageTag } from '#format/locale.ts'
import { account } from '#messages/en/account.ts'
import { budgets } from '#messages/en/budgets.ts'
import { clients } from '#messages/en/clients.ts'
import { credentials } from '#messages/en/credentials.ts'
import { dayChart } from '#messages/en/day-chart.ts'
import { deletion } from '#messages/en/deletion.ts'
import { errors } from '#messages/en/errors.ts'
import { failures } from '#messages/en/failures.ts'
import { gallery } from '#messages/en/gallery.ts'
import { image } from '#messages/en/image.ts'
import { invalid } from '#messages/en/invalid.ts'
import { shell } from '#messages/en/shell.ts'
import { signIn } from '#messages/en/sign-in.ts'
import { tokens } from '#messages/en/tokens.ts'
import { trash } from '#messages/en/trash.ts'
import { ui } from '#messages/en/ui.ts'
import { upload } from '#messages/en/upload.ts'

/** The messages of every page. Admin pages add theirs in app/admin/messages.tsx. */
const messages = {
  account,
  budgets,
  clients,
  credentials,
  dayChart,
  deletion,
  errors,
  failures,
  gallery,
  image,
  invalid,
  shell,
  signIn,
  tokens,
  trash,
  ui,
  upload,
} as const

export type SiteMessages = typeof messages

/** Provides the messages of the site to all pages. */
export function Messages({ children }: { children: ReactNode }) {
  return (
    <IntlProvider locale={languageTag(DEFAULT_LOCALE)} messages={messages}>
      {children}
    </IntlProvider>
  )
}
