'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { useLocale } from 'use-intl/react'
import { languageTag } from '#format/locale.ts'

/** Tells the components of React Aria the reader's locale, and how links of menus are followed. */
export function AriaProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  return (
    <I18nProvider locale={languageTag(useLocale())}>
      <RouterProvider navigate={(path) => router.push(path)}>{children}</RouterProvider>
    </I18nProvider>
  )
}
