'use client'

import { ChevronDown, CircleUser, Keyboard, LogOut, MonitorCog, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { MenuTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#app/ui/menu.tsx'
import { namedByTip, Tip } from '#app/ui/tip.tsx'
import { openHelp } from './help.tsx'
import type { Account } from './session.tsx'
import { signOut } from './sign-in.ts'
import { applyTheme, type Theme, themes } from './theme.ts'

const faces = {
  system: { icon: MonitorCog, name: 'themeSystem' },
  light: { icon: Sun, name: 'themeLight' },
  dark: { icon: Moon, name: 'themeDark' },
} as const satisfies Record<Theme, object>

export function AccountMenu({ account }: { account: Account }) {
  const t = useTranslations('shell')
  const tSignIn = useTranslations('signIn')
  const [theme, setTheme] = useState<Theme>('system')
  const following = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const turnTheme = () => {
    applyTheme(following)
    setTheme(following)
  }
  const label = t('accountMenu', { username: account.username })
  const leave = () => signOut(tSignIn).catch((error) => reportFailure(t('signOutFailed'), error, leave))
  return (
    <MenuTrigger onOpenChange={() => setTheme(shownTheme())}>
      <Tip text={label} until="sm">
        <Button {...namedByTip} tone="quiet" size="small" aria-label={label} className="h-9 pr-2 pl-2.5">
          <CircleUser size={18} className="text-ink-soft" />
          <span className="max-w-32 truncate max-sm:hidden">{account.username}</span>
          <ChevronDown size={15} className="text-ink-soft" />
        </Button>
      </Tip>
      <Menu aria-label={t('account')}>
        <MenuItem icon={CircleUser} label={t('accountPage')} href="/account" />
        <MenuItem
          icon={faces[theme].icon}
          label={t(faces[theme].name)}
          onAction={turnTheme}
          shouldCloseOnSelect={false}
        />
        <MenuItem icon={Keyboard} label={t('help')} shortcut="?" onAction={openHelp} />
        <MenuSeparator />
        <MenuItem icon={LogOut} label={t('signOut')} onAction={leave} />
      </Menu>
    </MenuTrigger>
  )
}

const shownTheme = (): Theme => themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'
