'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSettled } from '#app/ui/use-settled.ts'
import { type FilterName, readFilter, type UserFilter, writeFilter } from './user-filter.ts'

/** The filter in the page's address, and what is typed into the search field, which gets there once typing pauses. */
export function useUserFilter() {
  const router = useRouter()
  const pathname = usePathname()
  const filter = readFilter(useSearchParams())
  const [typed, setTyped] = useState(filter.search ?? '')
  const settled = useSettled(typed.trim())
  const go = (next: Readonly<Record<string, string | undefined>>) =>
    router.replace(`${pathname}${writeFilter(next)}`, { scroll: false })
  const search = useEffectEvent((text: string) => {
    if (text !== (filter.search ?? '')) go({ ...filter, search: text || undefined })
  })
  useEffect(() => search(settled), [settled])
  return {
    filter,
    typed,
    setTyped,
    change: (name: FilterName, value: string | undefined) => go({ ...filter, [name]: value }),
    reset: () => go({ search: filter.search, sort: filter.sort }),
  } satisfies { filter: UserFilter; [other: string]: unknown }
}
