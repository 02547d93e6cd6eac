'use client'

import type { ReactNode } from 'react'
import { IntlProvider } from 'use-intl/react'
import { languageTag } from '#format/locale.ts'
import { errors } from '#messages/en/errors.ts'
import { gallery } from '#messages/en/gallery.ts'
import { invalid } from '#messages/en/invalid.ts'

/** What every page may say. Areas of admins' pages come with those (app/admin/messages.tsx). */
const messages = { errors, gallery, invalid } as const

export type SiteMessages = typeof messages

/** Gives all pages the sentences of the site. */
export function Messages({ children }: { children: ReactNode }) {
  return (
    <IntlProvider locale={languageTag('en')} messages={messages}>
      {children}
    </IntlProvider>
  )
}
