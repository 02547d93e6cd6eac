'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type Account, isAdmin, useSession } from '#app/shell/session.tsx'
import type { ListScope } from './use-image-list.ts'

interface Option {
  readonly value: ListScope
  readonly label: string
}

/** Whose images a viewer may choose to see, and the choice, which stands in the address. */
export function useScope(options: { trash?: boolean } = {}) {
  const { account, gallery } = useSession()
  const router = useRouter()
  const pathname = usePathname()
  const asked = useSearchParams().get('scope')
  const scopes = scopesFor(account, gallery && !options.trash)
  const first: ListScope = account ? 'mine' : 'gallery'
  const scope = scopes.find(({ value }) => value === asked)?.value ?? first
  const setScope = (value: ListScope) =>
    router.replace(value === first ? pathname : `${pathname}?scope=${value}`, { scroll: false })
  return { scope, scopes, setScope }
}

function scopesFor(account: Account | null, gallery: boolean): readonly Option[] {
  const scopes: Option[] = []
  if (account) scopes.push({ value: 'mine', label: 'Mine' })
  if (gallery) scopes.push({ value: 'gallery', label: 'Public' })
  if (isAdmin(account)) scopes.push({ value: 'all', label: 'Everyone' })
  return scopes
}
