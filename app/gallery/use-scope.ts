'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'use-intl/react'
import { useSession } from '#app/shell/session.tsx'
import type { ListScope } from './list-place.ts'
import { chooseScope, listScopes } from './scopes.ts'

const labels = { mine: 'scopeMine', gallery: 'scopePublic', all: 'scopeAll' } as const

/** The scopes that a viewer can choose from, and the chosen one, which is kept in the URL. */
export function useScope(options: { trash?: boolean } = {}) {
  const t = useTranslations('gallery')
  const { account, gallery } = useSession()
  const router = useRouter()
  const pathname = usePathname()
  const params = useSearchParams()
  const requested = params.get('scope')
  const available = listScopes(account, gallery && !options.trash)
  const scope = chooseScope(available, requested)
  const setScope = (value: ListScope) => {
    // What narrows the list stays; a place in it does not.
    const next = new URLSearchParams(params)
    next.delete('at')
    if (value === available[0]) next.delete('scope')
    else next.set('scope', value)
    const search = next.toString()
    router.replace(search ? `${pathname}?${search}` : pathname, { scroll: false })
  }
  return { scope, scopes: available.map((value) => ({ value, label: t(labels[value]) })), setScope }
}
