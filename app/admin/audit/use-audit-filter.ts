'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useMemo } from 'react'
import { auditFilterFrom, type ShownFilter } from './shown-filter.ts'

/** The filter in the page's address, and how to change it there: it can be shared, and the browser goes back through it. */
export function useAuditFilter() {
  const pathname = usePathname()
  const parameters = useSearchParams()
  return useMemo(() => {
    const filter = auditFilterFrom(parameters)
    const change = (by: ShownFilter) => {
      // `parameters` lag behind the address.
      const current = auditFilterFrom(new URLSearchParams(window.location.search))
      const next = Object.entries({ ...current, ...by }).filter(([, value]) => value !== '' && value !== undefined)
      const query = new URLSearchParams(next).toString()
      // Without a request to the server: the page reads its address.
      window.history.replaceState(null, '', query === '' ? pathname : `${pathname}?${query}`)
    }
    const clear = () => window.history.replaceState(null, '', pathname)
    return { filter, change, clear }
  }, [pathname, parameters])
}
