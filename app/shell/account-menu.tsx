'use client'

import { ChevronDown, CircleUser } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { Tip } from '#app/ui/tip.tsx'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import type { Account } from './session.tsx'

const load = () => import('./account-menu-items.tsx')
const AccountMenuItems = lazy(load)

export function AccountMenu({ account }: { account: Account }) {
  const t = useTranslations('shell')
  const { button, isOpen, popover } = useMenuButton(load)
  const label = t('accountMenu', { username: account.username })
  return (
    <>
      <Tip text={label} until="sm">
        <Button {...button} tone="quiet" size="small" aria-label={label} className="h-9 pr-2 pl-2.5">
          <CircleUser size={18} className="text-ink-soft" />
          <span className="max-w-32 truncate max-sm:hidden">{account.username}</span>
          <ChevronDown size={15} className="text-ink-soft" />
        </Button>
      </Tip>
      {isOpen && (
        <Suspense fallback={null}>
          <AccountMenuItems popover={popover} />
        </Suspense>
      )}
    </>
  )
}
