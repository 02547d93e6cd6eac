'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'use-intl/react'
import { type Account, isAdminAccount, useSession } from '#app/shell/session.tsx'
import type { Translate } from '#app/ui/translate.ts'
import type { ListScope } from './use-image-list.ts'

interface Option {
  readonly value: ListScope
  readonly label: string
}

/** The scopes that a viewer can choose from, and the chosen one, which is kept in the URL. */
export function useScope(options: { trash?: boolean } = {}) {
  const t = useTranslations('gallery')
  const { account, gallery } = useSession()
  const router = useRouter()
  const pathname = usePathname()
  const requested = useSearchParams().get('scope')
  const scopes = scopesFor(account, gallery && !options.trash, t)
  const first: ListScope = account ? 'mine' : 'gallery'
  const scope = scopes.find(({ value }) => value === requested)?.value ?? first
  const setScope = (value: ListScope) =>
    router.replace(value === first ? pathname : `${pathname}?scope=${value}`, { scroll: false })
  return { scope, scopes, setScope }
}

function scopesFor(account: Account | null, gallery: boolean, t: Translate<'gallery'>): readonly Option[] {
  const scopes: Option[] = []
  if (account) scopes.push({ value: 'mine', label: t('scopeMine') })
  if (gallery) scopes.push({ value: 'gallery', label: t('scopePublic') })
  if (isAdminAccount(account)) scopes.push({ value: 'all', label: t('scopeAll') })
  return scopes
}
