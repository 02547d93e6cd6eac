'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useMemo } from 'react'
import { type Finding, type Query, readFinding, writeFinding } from './finding.ts'

/** What narrows and orders the list. It stands in the address, so that a reload and Back keep it. */
export function useFinding() {
  const params = useSearchParams()
  const pathname = usePathname()
  const finding = useMemo(() => readFinding(params), [params])
  const show = (next: Finding, { isTyped = false } = {}) => {
    const search = writeFinding(new URLSearchParams(params), next).toString()
    const address = search ? `${pathname}?${search}` : pathname
    // Not by the router, which would ask the server for the page.
    if (isTyped) window.history.replaceState(null, '', address)
    else window.history.pushState(null, '', address)
  }
  return {
    finding,
    show,
    /** Changes a part of the query. While text is typed into, Back leaves it as a whole. */
    narrow: (change: Query) =>
      show(
        { ...finding, query: { ...finding.query, ...change } },
        { isTyped: 'text' in change && finding.query.text !== undefined },
      ),
    clear: () => show({ ...finding, query: {} }),
  }
}

export type FindingState = ReturnType<typeof useFinding>
