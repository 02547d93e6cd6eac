'use client'

import { CircleUser, Keyboard, LogOut, MonitorCog, Moon, Share2, Sun, Tag } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Menu, MenuItem, MenuSeparator } from '#app/ui/menu.tsx'
import type { MenuPopover } from '#app/ui/use-menu-button.ts'
import { openHelp } from './help.tsx'
import { useAccount } from './session.tsx'
import { signOut } from './sign-in.ts'
import { applyTheme, type Theme, themes } from './theme.ts'

const faces = {
  system: { icon: MonitorCog, name: 'themeSystem' },
  light: { icon: Sun, name: 'themeLight' },
  dark: { icon: Moon, name: 'themeDark' },
} as const satisfies Record<Theme, object>

/** The account's menu. */
export default function AccountMenuItems({ popover }: { popover: MenuPopover }) {
  const t = useTranslations('shell')
  const tSignIn = useTranslations('signIn')
  const account = useAccount()
  const [theme, setTheme] = useState(shownTheme)
  const following = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const turnTheme = () => {
    applyTheme(following)
    setTheme(following)
  }
  const leave = () => signOut(tSignIn).catch((error) => reportFailure(t('signOutFailed'), error, leave))
  return (
    <Menu aria-label={t('account')} popover={popover}>
      <MenuItem icon={CircleUser} label={t('accountPage')} href="/account" />
      <MenuItem icon={Tag} label={t('tags')} href="/tags" />
      {!account.shared && <MenuItem icon={Share2} label={t('shares')} href="/shares" />}
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
  )
}

const shownTheme = (): Theme => themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'
