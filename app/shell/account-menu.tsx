'use client'

import { ChevronDown, CircleUser, Keyboard, LogOut, MonitorCog, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { MenuTrigger } from 'react-aria-components'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#app/ui/menu.tsx'
import { namedByTip, Tip } from '#app/ui/tip.tsx'
import { openHelp } from './help.tsx'
import type { Account } from './session.tsx'
import { signOut } from './sign-in.ts'
import { applyTheme, type Theme, themes } from './theme.ts'

const faces = {
  system: { icon: MonitorCog, label: 'Theme: as the system' },
  light: { icon: Sun, label: 'Theme: light' },
  dark: { icon: Moon, label: 'Theme: dark' },
} satisfies Record<Theme, object>

export function AccountMenu({ account }: { account: Account }) {
  const [theme, setTheme] = useState<Theme>('system')
  const following = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const turnTheme = () => {
    applyTheme(following)
    setTheme(following)
  }
  const label = `Account ${account.username}`
  const leave = () => signOut().catch((error) => reportFailure('Signing out did not work.', error, leave))
  return (
    <MenuTrigger onOpenChange={() => setTheme(shownTheme())}>
      <Tip text={label} until="sm">
        <Button {...namedByTip} tone="quiet" size="small" aria-label={label} className="h-9 pr-2 pl-2.5">
          <CircleUser size={18} className="text-ink-soft" />
          <span className="max-w-32 truncate max-sm:hidden">{account.username}</span>
          <ChevronDown size={15} className="text-ink-soft" />
        </Button>
      </Tip>
      <Menu aria-label="Account">
        <MenuItem icon={CircleUser} label="My account" href="/account" />
        <MenuItem
          icon={faces[theme].icon}
          label={faces[theme].label}
          onAction={turnTheme}
          shouldCloseOnSelect={false}
        />
        <MenuItem icon={Keyboard} label="Keyboard shortcuts" shortcut="?" onAction={openHelp} />
        <MenuSeparator />
        <MenuItem icon={LogOut} label="Sign out" onAction={leave} />
      </Menu>
    </MenuTrigger>
  )
}

const shownTheme = (): Theme => themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'
