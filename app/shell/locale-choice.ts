'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useLocale } from 'use-intl/react'
import { type Locale, localeCookieFor } from '#format/locale.ts'
import type { Account } from './session.tsx'

/** Keeps a choice in this browser, so that the server renders pages in it; null forgets it. */
export function keepLocale(locale: Locale | null, days?: number): void {
  // The Cookie Store API is missing on pages served without TLS.
  document.cookie = localeCookieFor(locale, days)
}

/** Repeats a person's choice in the browser's cookie: refusals are written without asking the database who is reading. Only for a
 *  day, so that it does not outlive the choice if that is taken back on another device. */
export function useKeptLocale(chosen: Locale | null): void {
  useEffect(() => {
    if (chosen) keepLocale(chosen, 1)
  }, [chosen])
}

/** Whether the choice is kept with the account. Guests and users of a shared account keep it in their browser alone. */
export const keepsLocale = (account: Account | null): account is Account => account !== null && !account.shared

/** The language of this browser. Once chosen, the page is rendered again; what is typed or open stays. */
export function useBrowserLocale() {
  const router = useRouter()
  const locale = useLocale()
  const [chosen, setChosen] = useState<Locale | null>(null)
  return {
    /** As chosen, even before the page is rendered in it. */
    shown: chosen ?? locale,
    choose(next: Locale | null): void {
      keepLocale(next)
      setChosen(next)
      router.refresh()
    },
  }
}
