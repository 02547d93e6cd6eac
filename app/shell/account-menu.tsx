'use client'

import { ChevronDown } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Avatar } from '#app/ui/avatar.tsx'
import { Button } from '#app/ui/button.tsx'
import { late } from '#app/ui/late.tsx'
import { Tip } from '#app/ui/tip.tsx'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import type { Account } from './session.tsx'

const AccountMenuItems = late(() => import('./account-menu-items.tsx'))

export function AccountMenu({ account }: { account: Account }) {
  const t = useTranslations('shell')
  const { button, isOpen, popover } = useMenuButton(AccountMenuItems.load)
  const name = account.displayName ?? account.username
  const label = t('accountMenu', { username: name })
  return (
    <>
      <Tip text={label} until="sm">
        <Button {...button} tone="quiet" size="small" aria-label={label} className="h-9 pr-2 pl-2.5">
          <Avatar name={name} picture={account.picture} className="size-5.5 text-[0.625rem]" />
          <bdi className="max-w-32 truncate max-sm:hidden">{name}</bdi>
          <ChevronDown size={15} className="text-ink-soft" />
        </Button>
      </Tip>
      {isOpen && <AccountMenuItems popover={popover} />}
    </>
  )
}
